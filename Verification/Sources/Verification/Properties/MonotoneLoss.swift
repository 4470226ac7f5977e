import LiveActivityModel
import Quantities
import SimulationKernel
import Studies

/// A push that is lost at a small loss probability is lost at every larger one.
///
/// With the same seed, the delivered pushes become fewer, no new one is delivered, and the screen is never fresh for
/// longer.
struct MonotoneLoss {
    /// One ride whose pushes get no response.
    var scenario = MonotoneLoss.openLoop
    /// The loss probabilities, ascending.
    var losses = [0.05, 0.1, 0.2]
    /// The number of worlds.
    var paths = 500

    static var openLoop: Scenario {
        var scenario = Scenario.bare("losses")
        scenario.content.refresh = .exponential(mean: 10e6)
        scenario.setSteadyState(warmUp: .zero, length: .seconds(2000))
        scenario.content.ttl = .seconds(15)
        scenario.apns.latency = .exponential(mean: 5e6)
        return scenario
    }

    /// The result of one world.
    struct Path: Hashable, Sendable {
        /// When pushes arrived, ascending.
        var arrivals: [Instant]
        /// The time for which the screen was fresh [µs].
        var fresh: Int64
    }

    func outcome(jobs: Int) async throws -> PropertyOutcome {
        let worlds = try losses.map { loss in
            var scenario = scenario
            scenario.apns.loss = Probability(loss)
            return try ScenarioLoader.world(scenario)
        }
        let results = try await concurrently(paths, jobs: jobs) { path in
            let outcomes = worlds.map { MonotoneLoss.path($0, seed: UInt64(path) + 1) }
            return (
                violations: MonotoneLoss.violations(outcomes).map { "path \(path + 1): \($0)" },
                arrivals: outcomes.map(\.arrivals.count)
            )
        }
        let arrivals = losses.indices.map { loss in results.reduce(0) { $0 + $1.arrivals[loss] } }
        return PropertyOutcome(
            violations: results.flatMap(\.violations),
            of: "\(paths) paths with \(arrivals.map { "\($0)" }.joined(separator: " > ")) arrivals"
        )
    }

    private static func path(_ world: World, seed: UInt64) -> Path {
        var cell = CellSimulation(world: world, cell: 0, replication: 0, seed: seed, watch: .ride(0))
        _ = cell.run(through: world.horizon)
        cell.finish()
        let arrivals = cell.story.compactMap { line in
            switch line.happening {
            case .fate(_, .lost): nil as Instant?
            case .fate: line.at
            default: nil
            }
        }
        return Path(arrivals: arrivals, fresh: cell.measurements.time(.displayedFreshTime))
    }

    /// The violations between each loss probability and the next.
    static func violations(_ paths: [Path]) -> [String] {
        zip(paths, paths.dropFirst())
            .flatMap { (less, more) -> [String] in
                var violations: [String] = []
                if let stranger = firstStranger(more.arrivals, among: less.arrivals) {
                    violations.append("more loss, but a push arrives after \(stranger.microseconds) µs")
                }
                if more.fresh > less.fresh { violations.append("more loss, but fresh for longer") }
                return violations
            }
    }

    /// The first instant that is not among others, each of which is matched once; both ascending.
    private static func firstStranger(_ instants: [Instant], among others: [Instant]) -> Instant? {
        var rest = others[...]
        for instant in instants {
            rest = rest.drop { $0 < instant }
            guard rest.first == instant else { return instant }
            rest = rest.dropFirst()
        }
        return nil
    }
}
