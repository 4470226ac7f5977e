import FreshnessCore
import LiveActivityModel
import ModelChecks
import Quantities
import Studies
import TestSupport
import Testing

/// Rides share only the sender, the queue of APNs and the retry budgets; if those are ample, rides are independent.
@Suite("Isolation of rides, in random scenarios")
struct IsolationTests {
    private static func ample(seed: UInt64) -> Scenario {
        var scenario = ScenarioSwarm.scenario(seed: seed)
        scenario.clock.warmUp = .zero
        scenario.sender.streams = 1_000_000
        scenario.sender.queueLimit = nil
        scenario.sender.rateLimit = nil
        scenario.sender.retryBudget = nil
        scenario.monitor.retry.budget = nil
        scenario.apns.capacity = nil
        // The rides of a rider share a phone.
        scenario.rides.again = nil
        // Channels are divided among cells; GroupTests has groups.
        scenario.groups = nil
        // Connections belong to a cell.
        scenario.faults.removeAll { $0.kind == .connectionLost || $0.kind == .apnsCapacity }
        return scenario
    }

    /// The stories of all rides.
    private static func stories(_ scenario: Scenario) throws -> [[StoryLine]] {
        let world = try ScenarioLoader.world(scenario)
        let rides = (0..<scenario.cells).reduce(0) { $0 + FinishedCell(world, ride: nil, cell: $1)[.ridesRequested] }
        let assignment = CellAssignment(world, replication: 0)
        return (0..<UInt64(rides)).map { FinishedCell(world, ride: $0, cell: assignment.cell(ofRide: $0)).story }
    }

    @Test("The number of cells does not change any ride", .enabled(if: Loop.isFull), arguments: 0..<40)
    func cells(seed: UInt64) throws {
        var scenario = Self.ample(seed: seed)
        scenario.cells = 1
        let together = try Self.stories(scenario)
        scenario.cells = 5
        #expect(try Self.stories(scenario) == together, "seed \(seed)")
    }

    @Test("An additional ride at the end does not change the others", .enabled(if: Loop.isFull), arguments: 0..<40)
    func oneMore(seed: UInt64) throws {
        var scenario = Self.ample(seed: seed)
        scenario.rides.scale = 1
        let stages = scenario.rides.stages.prefix(TracedRide.mostStages).map { _ in TimeSpan.seconds(100) }
        var trace = Scenario.Trace(file: "rides.csv")
        trace.rides = [0, 10, 10, 40]
            .map {
                TracedRide(request: .start + .seconds($0), stages: stages, isCancelled: false)
            }
        scenario.rides.trace = trace
        let before = try Self.stories(scenario)
        trace.rides.append(TracedRide(request: .start + .seconds(40), stages: stages, isCancelled: true))
        scenario.rides.trace = trace
        let after = try Self.stories(scenario)
        #expect(after.count == before.count + 1)
        #expect(Array(after.dropLast()) == before, "seed \(seed)")
    }

    @Test(
        "Under another monitor each ride has the same request, stages, first start and first token",
        .enabled(if: Loop.isFull),
        arguments: 0..<40
    )
    func commonRandomNumbers(seed: UInt64) throws {
        func openLoop(_ scenario: Scenario) throws -> [[String]] {
            try Self.stories(scenario)
                .map { story in
                    var isStarted = false
                    var hasToken = false
                    return
                        story.filter { line in
                            switch line.happening {
                            case .requested, .stageBegan, .rideEnded, .startFailed: return true
                            case .started:
                                defer { isStarted = true }
                                return !isStarted
                            case .tokenYielded:
                                defer { hasToken = true }
                                return !hasToken
                            default: return false
                            }
                        }
                        .map(\.words)
                }
        }
        var scenario = Self.ample(seed: seed)
        // A swipe that comes before the token is a swipe under any monitor; only ends by push depend on it.
        scenario.devices.start.by = .app
        let plain = try openLoop(scenario)
        scenario.monitor.enabled.toggle()
        scenario.monitor.retry.maxAttempts = nil
        scenario.monitor.retry.jitter = .full
        scenario.monitor.scanInterval = .seconds(17)
        scenario.monitor.freshLimit = .seconds(1)
        #expect(try openLoop(scenario) == plain, "seed \(seed)")
    }
}
