import FreshnessCore
import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

@Suite("APNs on its own")
struct APNsStationTests {
    private static func rules(_ change: (inout Scenario) -> Void = { _ in }) throws -> APNsRules {
        var scenario = Scenario.ride(100)
        scenario.sender.requestTime = .seconds(2)
        scenario.apns.latency = .seconds(4)
        change(&scenario)
        return APNsRules(world: try ScenarioLoader.world(scenario))
    }

    private static func request(
        _ ride: UInt64 = 7,
        deadSince: Instant = .never,
        priority: PushPriority = .immediate,
        bytes: Int = 0
    ) -> APNsStation.Request {
        APNsStation.Request(
            ride: ride,
            drawIndex: 3,
            tokenNumber: 1,
            tokenDeadSince: deadSince,
            priority: priority,
            bytes: bytes
        )
    }

    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    private static func accepted(
        after seconds: Int64 = 2,
        _ passage: APNsStation.Passage? = .arrives(after: .seconds(4))
    ) -> APNsStation.Reception {
        .accepted(after: .seconds(seconds), passage)
    }

    // MARK: - Requests

    @Test("An ordinary request is accepted and its push arrives")
    func accepts() throws {
        let rules = try Self.rules()
        #expect(APNsStation().received(Self.request(), rules, at: Self.at(10)) == Self.accepted())
        #expect(!rules.decidesWithResponse)
        #expect(!rules.keepsOrder)
        #expect(!rules.isScripted)
        #expect(!rules.hasQueue)
        #expect(rules.hearing(ofRequestAt: Self.at(0), answeredAt: Self.at(10)) == (Self.at(10), false))
        #expect(rules.hearing(ofRequestAt: Self.at(0), answeredAt: Self.at(11)) == (Self.at(10), true))
    }

    @Test("If the latency counts from the response, the passage is decided with the response")
    func decidesLater() throws {
        let rules = try Self.rules { $0.apns.latencyFrom = .response }
        #expect(rules.decidesWithResponse)
        #expect(APNsStation().received(Self.request(), rules, at: Self.at(10)) == Self.accepted(nil))
        #expect(APNsStation().passage(of: Self.request(), rules, at: Self.at(12)) == .arrives(after: .seconds(4)))
    }

    @Test("Every reason is returned after the request's time", arguments: APNsReason.allCases)
    func refuses(reason: APNsReason) throws {
        let rules = try Self.rules { $0.apns.reasons = [.init(reason: reason, share: .always)] }
        #expect(
            APNsStation().received(Self.request(), rules, at: Self.at(10)) == .refused(reason, after: .seconds(2))
        )
    }

    @Test("Faults are active from their first instant to before their last", arguments: [9, 10, 19, 20] as [Int64])
    func faults(second: Int64) throws {
        let isHit = (10..<20).contains(second)
        let apns = APNsStation()
        let silent = try Self.rules { $0.fail(.apnsSilent, from: 10, to: 20) }
        #expect(
            apns.received(Self.request(), silent, at: Self.at(second)) == (isHit ? .silence : Self.accepted())
        )
        let unavailable = try Self.rules { $0.fail(.apnsUnavailable, from: 10, to: 20) }
        #expect(
            apns.received(Self.request(), unavailable, at: Self.at(second))
                == (isHit ? .refused(.serviceUnavailable, after: .seconds(2)) : Self.accepted())
        )
        let slow = try Self.rules {
            $0.fail(.apnsSlow, from: 10, to: 20)
            $0.faults[0].factor = 3
        }
        #expect(
            apns.received(Self.request(), slow, at: Self.at(second))
                == (isHit ? Self.accepted(after: 6, .arrives(after: .seconds(12))) : Self.accepted())
        )
    }

    @Test("A dead token is rejected after the lag; before that, its pushes are accepted and dropped")
    func deadTokens() throws {
        let rules = try Self.rules { $0.apns.expiredTokenLag = .seconds(5) }
        let request = Self.request(deadSince: Self.at(10))
        let apns = APNsStation()
        #expect(apns.received(request, rules, at: Self.at(9)) == Self.accepted())
        #expect(apns.received(request, rules, at: Self.at(10)) == Self.accepted(.deadToken))
        #expect(apns.received(request, rules, at: Self.at(14)) == Self.accepted(.deadToken))
        #expect(apns.received(request, rules, at: Self.at(15)) == .refused(.unregistered, after: .seconds(2)))
    }

    @Test("The payload's limit is the scenario's", arguments: [1000, 1001])
    func payloads(bytes: Int) throws {
        let rules = try Self.rules { $0.content.payload.limit = 1000 }
        #expect(
            APNsStation().received(Self.request(bytes: bytes), rules, at: Self.at(1))
                == (bytes > 1000 ? .refused(.payloadTooLarge, after: .seconds(2)) : Self.accepted())
        )
    }

    @Test("Priority 5 has a separate loss and delay")
    func considerate() throws {
        let apns = APNsStation()
        let considerate = Self.request(priority: .considerate)
        let delayed = try Self.rules { $0.devices.consideratePriorityDelay = .seconds(6) }
        #expect(apns.received(considerate, delayed, at: Self.at(1)) == Self.accepted(.arrives(after: .seconds(10))))
        let lossy = try Self.rules { $0.apns.considerateLoss = .always }
        #expect(apns.received(considerate, lossy, at: Self.at(1)) == Self.accepted(.lost))
        #expect(apns.received(Self.request(), lossy, at: Self.at(1)) == Self.accepted())
    }

    // MARK: - Servers

    private static func queue(_ change: (inout Scenario.Capacity) -> Void = { _ in }) throws -> APNsRules {
        try rules {
            var capacity = Scenario.Capacity()
            capacity.serviceTime = .seconds(3)
            change(&capacity)
            $0.apns.capacity = capacity
        }
    }

    @Test("A request waits for a server, is served, and then accepted")
    func service() throws {
        let rules = try Self.queue()
        var apns = APNsStation()
        #expect(apns.received(Self.request(), rules, at: Self.at(10)) == .queued)
        apns.join(1)
        apns.join(2)
        #expect(apns.waitingCount == 2)
        #expect(apns.nextInTurn(rules) == 1)
        #expect(
            apns.beginService(of: Self.request(), sentAt: Self.at(10), rules, at: Self.at(10)) == .ends(at: Self.at(13))
        )
        #expect(apns.nextInTurn(rules) == nil)
        #expect(apns.inService == 1)
        apns.serviceEnded()
        #expect(apns.served(Self.request(), rules, at: Self.at(13)) == Self.accepted())
        #expect(apns.nextInTurn(rules) == 2)
    }

    @Test(
        "The oldest or the newest request is next",
        arguments: [(.fifo, [1, 2, 3]), (.lifo, [3, 2, 1])] as [(Scenario.QueueOrder, [UInt32])]
    )
    func order(order: Scenario.QueueOrder, numbers: [UInt32]) throws {
        let rules = try Self.queue {
            $0.order = order
            $0.servers = 3
        }
        var apns = APNsStation()
        for number in 1...3 as ClosedRange<UInt32> { apns.join(number) }
        #expect((0..<4).map { _ in apns.nextInTurn(rules) } == numbers + [nil])
    }

    @Test("A request older than the sender's timeout is discarded if the scenario says so", arguments: [true, false])
    func expired(drops: Bool) throws {
        let rules = try Self.queue { $0.dropExpired = drops }
        var apns = APNsStation()
        for (number, second) in [(1, 20), (2, 21)] as [(UInt32, Int64)] {
            apns.join(number)
            #expect(apns.nextInTurn(rules) == number)
            let service = apns.beginService(of: Self.request(), sentAt: Self.at(10), rules, at: Self.at(second))
            let isDiscarded = drops && second == 21
            #expect(service == (isDiscarded ? .discarded : .ends(at: Self.at(second + 3))))
            #expect(apns.inService == (isDiscarded ? 0 : 1))
            if !isDiscarded { apns.serviceEnded() }
        }
    }

    // MARK: - The same draws

    @Test("It loses and rejects the same pushes as a cell")
    func sameLuck() throws {
        var scenario = Scenario.ride(100).times(300)
        scenario.apns.reasons = [.init(reason: .tooManyRequests, share: Probability(0.2))]
        scenario.apns.loss = Probability(0.25)
        scenario.update(at: 10)
        scenario.clock.drain = .seconds(50)
        let world = try ScenarioLoader.world(scenario)
        let rules = APNsRules(world: world)
        var cell = CellSimulation(world: world, cell: 0, remote: .observed)
        var fates: [UInt64: StoryLine.Fate?] = [:]
        while cell.step(through: .never) {
            for case .request(let sent) in cell.takeOutbox() {
                switch APNsStation().received(sent.atAPNs(tokenDeadSince: .never), rules, at: sent.sentAt) {
                case .accepted(_, .lost): fates[sent.id.ride] = .lost
                case .accepted: fates[sent.id.ride] = .shown
                case .refused, .silence, .queued: fates[sent.id.ride] = .some(nil)
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
