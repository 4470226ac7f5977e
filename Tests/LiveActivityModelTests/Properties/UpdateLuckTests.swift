import FreshnessCore
import LifecycleTraces
import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

/// Regular updates are keyed by their occasions: other pushes, sent or held back, do not change their draws.
@Suite("The draws of regular updates")
struct UpdateLuckTests {
    /// Thirty rides whose updates come in an open loop, and are lost, rejected, delayed and overtaken at random.
    ///
    /// No action of the monitor can stop them: it gives up on no instance, and no rejection invalidates a token.
    private static var openLoop: Scenario {
        var scenario = Scenario.ride(100, 300, 200).times(30)
        scenario.content.refresh = .exponential(mean: 20e6)
        scenario.content.stateChangePriority = .considerate
        scenario.apns.latency = .lognormal(median: 1e6, p95: 15e6)
        scenario.apns.loss = Probability(0.4)
        scenario.apns.considerateLoss = Probability(0.2)
        scenario.apns.reasons = [.init(reason: .tooManyRequests, share: Probability(0.2))]
        scenario.devices.consideratePriorityDelay = .exponential(mean: 5e6)
        scenario.devices.token.delay = .exponential(mean: 60e6)
        scenario.sender.requestTime = .exponential(mean: 1e6)
        scenario.sender.timeout = .seconds(3)
        scenario.sender.attempts = 3
        scenario.fail(.apnsUnavailable, from: 100, to: 200, share: Probability(0.3))
        scenario.watch(retries: [], recoveryWindow: 40_000)
        return scenario
    }

    /// The outcomes of every regular update of every ride, in order: sent, answered, lost or delivered.
    private static func updates(_ scenario: Scenario) throws -> [[String]] {
        let world = try ScenarioLoader.world(scenario)
        return (0..<UInt64(scenario.rides.arrivals.count))
            .map { ride in
                FinishedCell(world, ride: ride).story
                    .compactMap { line in
                        switch line.happening {
                        case .sent(.update, _, _), .answered(.update, _), .unanswered(.update): line.words
                        // Whether it is newer than the screen's content depends on the others.
                        case .fate(.update, let fate):
                            "\(line.at.seconds) \(fate == .shown || fate == .older ? "arrived" : "\(fate)")"
                        default: nil
                        }
                    }
            }
    }

    @Test("Another retry policy does not change the loss, latency, response and rejection of any regular update")
    func retryPolicy() throws {
        var scenario = Self.openLoop
        let plain = try Self.updates(scenario)
        #expect(try FinishedCell(scenario)[.retriesSent] == 0)
        scenario.monitor.retry.schedule = nil
        scenario.monitor.retry.maxAttempts = nil
        scenario.monitor.retry.backoff.base = .seconds(2)
        scenario.monitor.retry.jitter = .exponential
        #expect(try FinishedCell(scenario)[.retriesSent] > 100)
        #expect(try Self.updates(scenario) == plain)
        let words = Set(plain.joined().map { $0.split(separator: " ")[1] })
        #expect(words == ["sent", "accepted", "refused", "unanswered", "lost", "arrived", "afterEnd"])
    }

    @Test("An outage of content does not change the draws of later updates")
    func outage() throws {
        // Responses and deliveries of earlier updates are over by then.
        func late(_ scenario: Scenario) throws -> [[String]] {
            try Self.updates(scenario).map { $0.filter { (Double($0.prefix { $0 != " " }) ?? 0) > 350 } }
        }
        var scenario = Self.openLoop
        let plain = try late(scenario)
        scenario.fail(.contentDown, from: 120, to: 250)
        #expect(try late(scenario) == plain)
        #expect(try FinishedCell(scenario)[.pushesWithoutContent] > 50)
    }

    @Test("An update that is sent despite a minimum interval has the same fate as without one")
    func minimumInterval() throws {
        var scenario = Self.openLoop
        // A stage change would be postponed, and come at another time.
        scenario.rides.stages = [Scenario.Stage(name: "ride", duration: .seconds(600))]
        let plain = try Self.updates(scenario)
        scenario.sender.minimumInterval = .seconds(15)
        let fewer = try Self.updates(scenario)
        #expect(zip(fewer, plain).allSatisfy { Set($0).isSubset(of: $1) })
        #expect(fewer.joined().count < plain.joined().count * 3 / 4)
    }

    @Test("An update in the place of a waiting one has the draws of its own occasion")
    func coalesced() throws {
        var scenario = Scenario.ride(100).times(200)
        scenario.apns.loss = Probability(0.5)
        scenario.update(at: 10, 20)
        scenario.clock.drain = .seconds(50)
        func secondUpdates(_ scenario: Scenario) throws -> [Bool] {
            let world = try ScenarioLoader.world(scenario)
            return (0..<200)
                .map { ride in
                    FinishedCell(world, ride: ride).story
                        .last {
                            if case .fate(.update, _) = $0.happening { true } else { false }
                        }?
                        .happening == .fate(.update, .lost)
                }
        }
        let plain = try secondUpdates(scenario)
        #expect(plain.contains(true) && plain.contains(false))
        // Offline from 5 to 25: the update of 20 replaces that of 10.
        scenario.sender.coalesce = true
        scenario.sender.reconnectAfter = .seconds(20)
        scenario.faults = [.init(kind: .connectionLost, at: .seconds(5))]
        #expect(try FinishedCell(scenario)[.pushesCoalesced] == 200)
        #expect(try secondUpdates(scenario) == plain)
    }

    @Test("Kinds, numbers and attempts of pushes never share a draw")
    func indices() {
        var seen: Set<UInt32> = []
        for kind in StoryLine.PushKind.allCases {
            for number in [0, 1, 2, 1 << 25 - 1] as [UInt32] {
                for attempt in [0, 1, 31] as [UInt32] {
                    let index = PushIndex.push(kind: kind.rawValue, number: number)
                    #expect(seen.insert(PushIndex.request(index, attempt: attempt)).inserted)
                }
            }
        }
    }
}
