import LiveActivityModel
import Quantities
import Studies

/// If the sender has free streams, a ride's history depends on no event or draw of another ride.
struct StreamIsolation {
    var scenario = StreamIsolation.ample
    /// The number of worlds.
    var seeds = 20
    /// The number of rides.
    var rides = 12

    /// A scenario whose rides share nothing: no queue, no budget, no lost connections.
    static var ample: Scenario {
        var scenario = Scenario.eventful
        scenario.cells = 1
        scenario.sender.streams = 1_000_000
        scenario.sender.queueLimit = nil
        scenario.faults.removeAll { $0.kind == .connectionLost }
        return scenario
    }

    func outcome(jobs: Int) async throws -> PropertyOutcome {
        let violations = try await concurrently(seeds, jobs: jobs) { seed in
            try oneMore(seed: UInt64(seed)) + oneLonger(seed: UInt64(seed))
        }
        return PropertyOutcome(violations: violations.flatMap { $0 }, of: "\(seeds) worlds of \(rides) rides")
    }

    /// All rides begin at one instant; the second run has one more.
    private func oneMore(seed: UInt64) throws -> [String] {
        var scenario = scenario
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = rides
        let before = try stories(scenario, count: rides, seed: seed)
        scenario.rides.arrivals.count = rides + 1
        let after = try stories(scenario, count: rides + 1, seed: seed)
        return (0..<rides).filter { before[$0] != after[$0] }
            .map { "seed \(seed): one ride more changes ride \($0)" }
    }

    /// One ride of a trace lasts ten minutes longer, and so takes more draws for everything.
    private func oneLonger(seed: UInt64) throws -> [String] {
        let longer = rides / 2
        func traced(_ extra: TimeSpan) -> Scenario {
            var scenario = scenario
            var trace = Scenario.Trace(file: "rides.csv")
            trace.rides = (0..<rides)
                .map { ride in
                    var stages = scenario.rides.stages.prefix(TracedRide.mostStages)
                        .map { _ in TimeSpan.seconds(Int64(100 + 20 * ride)) }
                    if ride == longer { stages[stages.count - 1] = stages[stages.count - 1] + extra }
                    return TracedRide(request: .start + .seconds(Int64(5 * ride)), stages: stages, isCancelled: false)
                }
            scenario.rides.trace = trace
            return scenario
        }
        let before = try stories(traced(.zero), count: rides, seed: seed)
        let after = try stories(traced(.minutes(10)), count: rides, seed: seed)
        return (0..<rides).filter { $0 != longer && before[$0] != after[$0] }
            .map { "seed \(seed): a longer ride \(longer) changes ride \($0)" }
            + (before[longer] == after[longer] ? ["seed \(seed): a longer ride has the same story"] : [])
    }

    /// The histories of all rides.
    private func stories(_ scenario: Scenario, count: Int, seed: UInt64) throws -> [[StoryLine]] {
        let world = try ScenarioLoader.world(scenario)
        return (0..<UInt64(count)).map { StoryLine.story(of: $0, in: world, seed: seed) }
    }
}

extension StoryLine {
    /// The history of one ride in a world with one cell.
    static func story(of ride: UInt64, in world: World, seed: UInt64) -> [StoryLine] {
        var cell = CellSimulation(world: world, cell: 0, replication: 0, seed: seed, watch: .ride(ride))
        _ = cell.run(through: world.horizon)
        return cell.story
    }
}
