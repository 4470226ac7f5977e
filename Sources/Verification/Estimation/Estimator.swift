import Experiments
import LiveActivityModel
import Quantities
import Statistics

/// Runs one scenario under many seeds until all that is asked of it is known well enough.
///
/// A seed is run in several replications, from whose differences its standard error follows; where the seeds together do
/// not suffice, each gets more replications. Rounds are the same for any number of threads.
struct Estimator {
    let world: World
    /// What is asked of the scenario.
    let response: Estimand
    /// How narrow the answer's 95 % interval must be to be of use: half its width, relative to the estimate.
    let relativeHalfWidth: Double
    /// The seeds of the runs.
    let seeds: [UInt64]
    let replications: Int
    let jobs: Int

    /// A seed gets no more replications than this, a guard against what never becomes narrow: no known result needs a tenth of it.
    static let mostReplications = 1 << 16
    /// How much of the allowed width is aimed at, so that chance does not make another round necessary.
    private static let aim = 0.6
    /// How much of it is narrow enough.
    private static let enough = 0.8
    /// Of a seed's estimate: that of a count of rare events with a mean of 25.
    private static let largestSkewness = 0.2

    /// What the seeds say.
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

    /// How many replications each seed needs, judged by the answer so far.
    private func replicationsNeeded(_ estimates: SeedEstimates, done: Int) -> Int {
        // A single seed has no interval to be narrowed: nothing in the scenario is left to chance.
        guard seeds.count > 1 else { return done }
        // Without an interval, some seed has seen nothing of what is asked.
        var needed = estimates.interval == nil ? 2 * done : done
        if let interval = estimates.interval {
            // A lopsided sum is no normal variate yet, as of events so rare that a seed sees a handful.
            let lopsidedness = estimates.skewness / Estimator.largestSkewness
            if lopsidedness > 1 {
                needed = max(needed, Int((Double(done) * lopsidedness * lopsidedness * 1.2).rounded(.up)))
            }
            let allowed = relativeHalfWidth * abs(interval.mean)
            if interval.halfWidth > allowed * Estimator.enough {
                // Half-widths shrink with the root of the effort.
                let factor = interval.halfWidth / max(allowed * Estimator.aim, interval.halfWidth * 1e-3)
                needed = max(needed, Int((Double(done) * factor * factor).rounded(.up)))
            }
        }
        return min(needed, done * 16, Estimator.mostReplications)
    }

    /// Numerator and denominator of some replications of every seed: by seed and replication.
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

    /// What all cells measure in one replication.
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
                speculation: .certain
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
