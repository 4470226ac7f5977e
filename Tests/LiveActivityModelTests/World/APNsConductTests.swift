import Experiments
import FreshnessCore
import Quantities
import RandomStreams
import Testing

@testable import LiveActivityModel

@Suite("The conduct of APNs, asked from outside")
struct APNsConductTests {
    private static func conduct(_ change: (inout Scenario) -> Void) throws -> APNsConduct {
        var scenario = Scenario.ride(100)
        scenario.sender.requestTime = .seconds(2)
        scenario.apns.latency = .seconds(4)
        change(&scenario)
        return APNsConduct(world: try ScenarioLoader.world(scenario))
    }

    private static func request(
        _ ride: UInt64 = 7,
        deadSince: Instant? = nil,
        priority: PushPriority = .immediate,
        bytes: Int = 0
    ) -> APNsConduct.Request {
        APNsConduct.Request(
            ride: ride,
            drawIndex: 3,
            tokenNumber: 1,
            tokenDeadSince: deadSince,
            priority: priority,
            bytes: bytes
        )
    }

    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    @Test("An ordinary request is accepted and its push arrives")
    func accepts() throws {
        let conduct = try Self.conduct { _ in }
        #expect(conduct.answer(Self.request(), at: Self.at(10)) == .accepted(after: .seconds(2)))
        #expect(conduct.passage(Self.request(), at: Self.at(10)) == .arrives(after: .seconds(4)))
        #expect(!conduct.decidesWithResponse)
        #expect(!conduct.keepsOrder)
        #expect(!conduct.isScripted)
        #expect(conduct.queue() == nil)
        #expect(conduct.timeout == .seconds(10))
    }

    @Test("Every reason is given after the request's time", arguments: APNsReason.allCases)
    func refuses(reason: APNsReason) throws {
        let conduct = try Self.conduct { $0.apns.reasons = [.init(reason: reason, share: .always)] }
        #expect(conduct.answer(Self.request(), at: Self.at(10)) == .refused(reason, after: .seconds(2)))
    }

    @Test("Faults hold from their first instant to before their last", arguments: [9, 10, 19, 20] as [Int64])
    func faults(second: Int64) throws {
        let isHit = (10..<20).contains(second)
        let silent = try Self.conduct { $0.fail(.apnsSilent, from: 10, to: 20) }
        let accepted = APNsConduct.Answer.accepted(after: .seconds(2))
        #expect(silent.answer(Self.request(), at: Self.at(second)) == (isHit ? .silence : accepted))
        let unavailable = try Self.conduct { $0.fail(.apnsUnavailable, from: 10, to: 20) }
        #expect(
            unavailable.answer(Self.request(), at: Self.at(second))
                == (isHit ? .refused(.serviceUnavailable, after: .seconds(2)) : accepted)
        )
        let slow = try Self.conduct {
            $0.fail(.apnsSlow, from: 10, to: 20)
            $0.faults[0].factor = 3
        }
        #expect(
            slow.answer(Self.request(), at: Self.at(second)) == (isHit ? .accepted(after: .seconds(6)) : accepted)
        )
        #expect(slow.passage(Self.request(), at: Self.at(second)) == .arrives(after: .seconds(isHit ? 12 : 4)))
    }

    @Test("A dead token is refused after the lag, and before it takes pushes to nowhere")
    func deadTokens() throws {
        let conduct = try Self.conduct { $0.apns.expiredTokenLag = .seconds(5) }
        let request = Self.request(deadSince: Self.at(10))
        let accepted = APNsConduct.Answer.accepted(after: .seconds(2))
        #expect(conduct.answer(request, at: Self.at(9)) == accepted)
        #expect(conduct.passage(request, at: Self.at(9)) == .arrives(after: .seconds(4)))
        #expect(conduct.answer(request, at: Self.at(14)) == accepted)
        #expect(conduct.passage(request, at: Self.at(10)) == .deadToken)
        #expect(conduct.answer(request, at: Self.at(15)) == .refused(.unregistered, after: .seconds(2)))
    }

    @Test("The payload's limit is the scenario's", arguments: [1000, 1001])
    func payloads(bytes: Int) throws {
        let conduct = try Self.conduct { $0.content.payload.limit = 1000 }
        #expect(
            conduct.answer(Self.request(bytes: bytes), at: Self.at(1))
                == (bytes > 1000 ? .refused(.payloadTooLarge, after: .seconds(2)) : .accepted(after: .seconds(2)))
        )
    }

    @Test("Priority 5 has losses and a delay of its own")
    func considerate() throws {
        let conduct = try Self.conduct { $0.devices.consideratePriorityDelay = .seconds(6) }
        #expect(conduct.passage(Self.request(priority: .considerate), at: Self.at(1)) == .arrives(after: .seconds(10)))
        let lossy = try Self.conduct { $0.apns.considerateLoss = .always }
        #expect(lossy.passage(Self.request(priority: .considerate), at: Self.at(1)) == .lost)
        #expect(lossy.passage(Self.request(), at: Self.at(1)) == .arrives(after: .seconds(4)))
    }

    @Test("It loses and refuses what a cell loses and refuses")
    func sameLuck() throws {
        var scenario = Scenario.ride(100).times(300)
        scenario.apns.reasons = [.init(reason: .tooManyRequests, share: Probability(0.2))]
        scenario.apns.loss = Probability(0.25)
        scenario.update(at: 10)
        scenario.clock.drain = .seconds(50)
        let world = try ScenarioLoader.world(scenario)
        let conduct = APNsConduct(world: world)
        var cell = CellSimulation(world: world, cell: 0, outside: .observed)
        var fates: [UInt64: StoryLine.Fate?] = [:]
        while cell.step(through: .never) {
            for case .request(let sent) in cell.takeOutbox() {
                let request = APNsConduct.Request(
                    ride: sent.id.ride,
                    drawIndex: sent.id.drawIndex,
                    tokenNumber: sent.tokenNumber,
                    priority: sent.priority,
                    bytes: sent.bytes
                )
                if case .accepted = conduct.answer(request, at: sent.sentAt) {
                    fates[sent.id.ride] = conduct.passage(request, at: sent.sentAt) == .lost ? .lost : .shown
                } else {
                    fates[sent.id.ride] = .some(nil)
                }
            }
        }
        var alone = CellSimulation(world: world, cell: 0, replication: 0, watch: .all)
        _ = alone.run(through: .never)
        var simulated: [UInt64: StoryLine.Fate?] = [:]
        for line in alone.story {
            switch line.happening {
            case .fate(_, let fate): simulated[line.ride] = fate
            case .answered(_, .some): simulated[line.ride] = .some(nil)
            default: break
            }
        }
        #expect(simulated.count == 300)
        #expect(fates == simulated)
    }
}
