import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import Studies

/// Poisson arrivals see time averages: the share of arrivals that wait equals the share of time in which all servers
/// are busy.
///
/// Wolff, Operations Research 30, 1982.
struct PoissonArrivals {
    /// The numbers of servers with their loads.
    var systems = [(servers: 1, load: 0.7), (servers: 5, load: 0.8)]
    /// The time between arrivals, for a given mean.
    var gap: @Sendable (_ mean: Double) -> Distribution = { .exponential(mean: $0) }
    /// The number of runs.
    var seeds = 200
    /// The maximum mean difference in standard errors.
    var largestScore = 4.0

    func outcome(jobs: Int) async throws -> PropertyOutcome {
        var parts: [PropertyOutcome] = []
        for system in systems {
            parts.append(try await outcome(system.servers, load: system.load, jobs: jobs))
        }
        return PropertyOutcome(parts)
    }

    private func outcome(_ servers: Int, load: Double, jobs: Int) async throws -> PropertyOutcome {
        let mean = 1 / (load * Double(servers))
        let plan = QueueLength(gap: mean, service: 1, servers: servers)
        var scenario = Scenario.queue(
            "pasta",
            gap: gap(mean * 1e6),
            streams: servers,
            service: .exponential(mean: 1e6),
            warmUp: TimeUnit.second.span(plan.warmUp),
            length: TimeUnit.second.span(plan.length)
        )
        scenario.measure.waitOver = [.zero]
        let world = try ScenarioLoader.world(scenario)
        let pairs = try await concurrently(seeds, jobs: jobs) { seed in
            let run = try await Estimator.measurements(of: world, seed: UInt64(seed) + 1, replication: 0)
            return (
                arrivals: Double(run[.waitsOver, 0]) / Double(run[.sendWait].count),
                time: Double(run.time(.saturatedTime)) / Double(run[.measuredTime])
            )
        }
        let difference = StudentInterval(ofDifferences: pairs.map(\.time), pairs.map(\.arrivals))
        let score = difference?.score(against: 0) ?? .nan
        let share = pairs.reduce(0) { $0 + $1.time } / Double(seeds)
        return PropertyOutcome(
            holds: abs(score) <= largestScore,
            remark: "M/M/\(servers): \(share.rounded(places: 4)) of the time, z = \(score.rounded(places: 2))"
        )
    }
}
