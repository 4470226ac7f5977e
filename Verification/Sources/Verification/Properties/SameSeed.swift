import Evaluation
import LiveActivityModel
import Studies

/// The same seed gives the same history and the same summary for any number of threads; another seed gives another
/// history.
struct SameSeed {
    var scenario = Scenario.eventful
    /// The numbers of threads, each used for one run.
    var jobs = [1, 2, 8, 1]

    func outcome() async throws -> PropertyOutcome {
        var results: [RunResult] = []
        for jobs in jobs {
            results.append(try await run(scenario, jobs: jobs))
        }
        var other = scenario
        other.seed &+= 1
        return SameSeed.outcome(results, other: try await run(other, jobs: 1))
    }

    /// Compares runs of one seed with the first, and with a run of another seed.
    static func outcome(_ results: [RunResult], other: RunResult) -> PropertyOutcome {
        let summaries = results.map { Summary($0).rows }
        let fingerprints = results.map(\.fingerprint)
        var violations: [String] = []
        if !fingerprints.allSatisfy({ $0 == fingerprints[0] }) { violations.append("histories of one seed differ") }
        if !summaries.allSatisfy({ $0 == summaries[0] }) { violations.append("summaries of one seed differ") }
        if other.fingerprint == fingerprints[0] { violations.append("two seeds have one history") }
        return PropertyOutcome(
            violations: violations,
            of: "\(results.count) runs of \(results[0].total.eventCount) events"
        )
    }

    /// Runs from scratch, including the compilation of the world.
    private func run(_ scenario: Scenario, jobs: Int) async throws -> RunResult {
        let world = try ScenarioLoader.world(scenario)
        return try await RunEngine(world: world, replications: 3, jobs: jobs).run(progress: RunProgress())
    }
}
