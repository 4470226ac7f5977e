import LiveActivityModel
import Quantities
import ScenarioLanguage
import Statistics
import Studies

/// Runs one scenario with many seeds until the estimate is precise enough.
///
/// Each seed is run in several replications, whose differences yield its standard error. If the seeds together do not
/// suffice, each gets more replications. The rounds are the same for any number of threads.
struct Estimator {
    let world: World
    /// The response that is estimated.
    let response: Estimand
    /// The maximum half-width of the 95% confidence interval, relative to the estimate.
    let relativeHalfWidth: Double
    /// The seeds of the runs.
    let seeds: [UInt64]
    let replications: Int
    let jobs: Int

    /// The maximum number of replications per seed, a guard against a response that never converges; no known result
    /// needs a tenth of it.
    static let mostReplications = 1 << 16
    /// The targeted share of the allowed width, so that chance does not require another round.
    private static let aim = 0.6
    /// The share of the allowed width that is narrow enough.
    private static let enough = 0.8
    /// The maximum skewness of a seed's estimate: that of a count of rare events with a mean of 25.
    private static let largestSkewness = 0.2

    /// Returns the estimates of the seeds.
    func run() async throws -> SeedEstimates {
        var estimates = SeedEstimates(seeds: seeds.count)
        var done = 0
        var wanted = replications
        while done < wanted {
            for (seed, parts) in try await observe(done..<wanted).enumerated() {
                for part in parts { estimates.add(part, seed: seed) }
            }
            done = wanted
            wanted = max(wanted, replicationsNeeded(estimates, done: done))
        }
        return estimates
    }

    /// The number of replications that each seed needs, according to the current estimate.
    private func replicationsNeeded(_ estimates: SeedEstimates, done: Int) -> Int {
        // A single seed has no interval to narrow: the scenario is deterministic.
        guard seeds.count > 1 else { return done }
        // Without an interval, some seed has no observations of the response.
        var needed = estimates.interval == nil ? 2 * done : done
        if let interval = estimates.interval {
            // A skewed sum is not yet normally distributed, for example if a seed observes only a few rare events.
            let lopsidedness = estimates.skewness / Estimator.largestSkewness
            if lopsidedness > 1 {
                needed = max(needed, Int((Double(done) * lopsidedness * lopsidedness * 1.2).rounded(.up)))
            }
            let allowed = relativeHalfWidth * abs(interval.mean)
            if interval.halfWidth > allowed * Estimator.enough {
                // Half-widths are inversely proportional to the root of the number of replications.
                let factor = interval.halfWidth / max(allowed * Estimator.aim, interval.halfWidth * 1e-3)
                needed = max(needed, Int((Double(done) * factor * factor).rounded(.up)))
            }
        }
        return min(needed, done * 16, Estimator.mostReplications)
    }

    /// The numerator and denominator of some replications of every seed, by seed and replication.
    private func observe(_ range: Range<Int>) async throws -> [[RatioPart]] {
        try await concurrently(seeds.count, jobs: jobs) { try await observe(range, seed: seeds[$0]) }
    }

    private func observe(_ range: Range<Int>, seed: UInt64) async throws -> [RatioPart] {
        var parts: [RatioPart] = []
        for replication in range {
            try Task.checkCancellation()
            await Task.yield()
            let measurements = try await Estimator.measurements(of: world, seed: seed, replication: replication)
            parts.append((response.numerator(measurements), response.denominator(measurements)))
        }
        return parts
    }

    /// The measurements of all cells in one replication.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    static func measurements(of world: World, seed: UInt64, replication: Int) async throws -> Measurements {
        var parts: [Measurements] = []
        for cell in 0..<world.scenario.cells {
            var simulation = CellSimulation(
                world: world,
                cell: cell,
                replication: UInt32(replication),
                seed: seed,
                speculation: .none
            )
            while simulation.run(through: world.horizon, atMost: 1 << 18) {
                try Task.checkCancellation()
                await Task.yield()
            }
            simulation.finish()
            parts.append(simulation.measurements)
        }
        return Measurements.sum(parts)
    }
}
