import Experiments
import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics

/// Runs one scenario under many seeds until all that is asked of it is known well enough.
///
/// A seed is run in several replications, from whose differences its standard error follows; where the seeds together do
/// not suffice, each gets more replications. Rounds are the same for any number of threads.
struct Estimator {
    /// What is asked of the scenario, and how narrow the answer's interval must be to be of use.
    struct Question: Sendable {
        var response: Response
        /// Half the width of the 95 % interval, relative to the estimate.
        var relativeHalfWidth: Double
    }

    let world: World
    let questions: [Question]
    let seeds: Int
    let replications: Int
    let jobs: Int

    /// A seed gets no more replications than this.
    static let mostReplications = 2048
    /// How much of the allowed width is aimed at, so that chance does not make another round necessary.
    private static let aim = 0.6
    /// How much of it is narrow enough.
    private static let enough = 0.8
    /// Of a seed's estimate: that of a count of rare events with a mean of 25.
    private static let largestSkewness = 0.2

    /// The answers, in the order of the questions.
    func run() async throws -> [SeedEstimates] {
        var estimates = questions.map { _ in SeedEstimates(seeds: seeds) }
        var done = 0
        var wanted = replications
        while done < wanted {
            let observed = try await observe(done..<wanted)
            for (seed, replications) in observed.enumerated() {
                for parts in replications {
                    for (question, part) in parts.enumerated() {
                        estimates[question].add(part, seed: seed)
                    }
                }
            }
            done = wanted
            wanted = max(wanted, replicationsNeeded(estimates, done: done))
        }
        return estimates
    }

    /// How many replications each seed needs, judged by the answers so far.
    private func replicationsNeeded(_ estimates: [SeedEstimates], done: Int) -> Int {
        // A single seed has no interval to be narrowed: nothing in the scenario is left to chance.
        guard seeds > 1 else { return done }
        var needed = done
        for (question, estimate) in zip(questions, estimates) {
            guard let interval = estimate.interval else {
                // Some seed has seen nothing of what is asked.
                needed = max(needed, 2 * done)
                continue
            }
            // A lopsided sum is no normal variate yet, as of events so rare that a seed sees a handful.
            let lopsidedness = estimate.skewness / Estimator.largestSkewness
            if lopsidedness > 1 {
                needed = max(needed, Int((Double(done) * lopsidedness * lopsidedness * 1.2).rounded(.up)))
            }
            let allowed = question.relativeHalfWidth * abs(interval.mean)
            guard interval.halfWidth > allowed * Estimator.enough else { continue }
            // Half-widths shrink with the root of the effort.
            let factor = interval.halfWidth / max(allowed * Estimator.aim, interval.halfWidth * 1e-3)
            needed = max(needed, Int((Double(done) * factor * factor).rounded(.up)))
        }
        return min(needed, done * 16, Estimator.mostReplications)
    }

    /// What the questions ask of some replications of every seed: by seed, replication and question.
    private func observe(_ range: Range<Int>) async throws -> [[[RatioPart]]] {
        try await concurrently(seeds, jobs: jobs) { try await observe(range, seed: UInt64($0) + 1) }
    }

    private func observe(_ range: Range<Int>, seed: UInt64) async throws -> [[RatioPart]] {
        var parts: [[RatioPart]] = []
        for replication in range {
            try Task.checkCancellation()
            await Task.yield()
            let measurements = try await Estimator.measurements(of: world, seed: seed, replication: replication)
            parts.append(
                questions.map { question in
                    (question.response.numerator(measurements), question.response.denominator(measurements))
                }
            )
        }
        return parts
    }

    /// What all cells measure in one replication.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    static func measurements(of world: World, seed: UInt64, replication: Int) async throws -> Measurements {
        var sum: Measurements?
        for cell in 0..<world.scenario.cells {
            var simulation = CellSimulation(
                world: world,
                cell: cell,
                replication: UInt32(replication),
                seed: seed
            )
            while simulation.run(through: world.horizon, atMost: 1 << 18) {
                try Task.checkCancellation()
                await Task.yield()
            }
            simulation.finish()
            if sum == nil {
                sum = simulation.measurements
            } else {
                sum?.add(simulation.measurements)
            }
        }
        guard let sum else { preconditionFailure("a scenario has a cell") }
        return sum
    }
}
