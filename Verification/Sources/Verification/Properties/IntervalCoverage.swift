import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import Studies

/// Nominal 95% confidence intervals contain the exact value in about 95 of 100 runs.
struct IntervalCoverage {
    /// A system with a known value.
    struct System: Sendable {
        var name: String
        var scenario: Scenario
        var response: Estimand
        var exact: Double
    }

    var systems = [IntervalCoverage.queue(load: 0.8), IntervalCoverage.pushes]
    /// The number of runs.
    var seeds = 400
    /// The number of replications in the interval of a run.
    var replications = 10
    /// The allowed share of intervals that contain the value.
    ///
    /// With 400 intervals the share has a standard deviation of 1.1%.
    var allowed = 0.92...0.98

    func outcome(jobs: Int) async throws -> PropertyOutcome {
        var parts: [PropertyOutcome] = []
        for system in systems {
            let world = try ScenarioLoader.world(system.scenario)
            let (replications, seeds) = (replications, seeds)
            let intervals = try await concurrently(seeds, jobs: jobs) { seed in
                try await system.response.estimate(world, seed: UInt64(seed) + 1, replications: replications)?.interval
            }
            let share = Double(intervals.count { $0?.contains(system.exact) ?? false }) / Double(seeds)
            parts.append(
                PropertyOutcome(
                    holds: allowed.contains(share),
                    remark: "\(system.name): \((share * 100).rounded(places: 2)) % of \(seeds) intervals"
                )
            )
        }
        return PropertyOutcome(parts)
    }

    /// M/M/1 with a mean service time of 1 s: the mean wait is ρ / (1 - ρ) s.
    static func queue(load: Double) -> System {
        let gap = 1 / load
        let plan = QueueLength(gap: gap, service: 1)
        let scenario = Scenario.queue(
            "mm1",
            gap: .exponential(mean: gap * 1e6),
            streams: 1,
            service: .exponential(mean: 1e6),
            warmUp: TimeUnit.second.span(plan.warmUp),
            length: TimeUnit.second.span(plan.length)
        )
        return System(name: "M/M/1", scenario: scenario, response: .meanWait, exact: load / (1 - load))
    }

    /// A push every 10 s with a loss of one in twenty, a latency of 2 s and 20 s until content is no longer fresh.
    static var pushes: System {
        let (period, loss, latency, limit) = (10.0, 0.05, 2.0, 20.0)
        var scenario = Scenario.bare("pushes")
        scenario.content.refresh = .constant(period * 1e6)
        scenario.setSteadyState(warmUp: .seconds(300), length: .seconds(20_000))
        scenario.content.ttl = .seconds(15)
        scenario.monitor.freshLimit = .seconds(5)
        scenario.apns.loss = Probability(loss)
        scenario.apns.latency = .constant(latency * 1e6)
        // Two deliveries are k periods apart if k - 1 pushes between them are lost; the age before the second has then
        // grown to k periods plus a latency.
        var excess = 0.0
        var chance = 1 - loss
        for gap in 1...100 {
            excess += chance * max(0, Double(gap) * period + latency - limit)
            chance *= loss
        }
        return System(
            name: "push_periodic",
            scenario: scenario,
            response: Estimand.ratio("fresh_time_ratio", { $0.time(.freshTime) }, per: { $0.time(.monitoredTime) })
                .complement,
            exact: excess * (1 - loss) / period
        )
    }
}

/// Sixteen times the run length makes intervals a quarter as wide.
struct RootN {
    /// The number of intervals of either length that are averaged.
    var seeds = 60
    var replications = 10
    /// The length of the shorter run.
    var length = TimeSpan.seconds(2000)
    /// The factor of the longer run's length.
    var factor: Int64 = 16
    /// The allowed range of the ratio of the half-widths.
    var allowed = 0.2...0.32

    func outcome(jobs: Int) async throws -> PropertyOutcome {
        let short = try await meanHalfWidth(length: length, jobs: jobs)
        let long = try await meanHalfWidth(length: length * factor, jobs: jobs)
        let quotient = long / short
        return PropertyOutcome(
            holds: allowed.contains(quotient),
            remark: "half-widths at \(factor) times the length: \(quotient.rounded(places: 4)) of the shorter run's"
        )
    }

    private func meanHalfWidth(length: TimeSpan, jobs: Int) async throws -> Double {
        let system = IntervalCoverage.queue(load: 0.5)
        var scenario = system.scenario
        scenario.setLength(scenario.clock.warmUp + length)
        let world = try ScenarioLoader.world(scenario)
        let replications = replications
        let widths = try await concurrently(seeds, jobs: jobs) { seed in
            try await system.response.estimate(world, seed: UInt64(seed) + 1, replications: replications)?.halfWidth
                ?? .nan
        }
        return widths.reduce(0, +) / Double(seeds)
    }
}

extension Estimand {
    /// The mean wait of pushes in the sender [s].
    static var meanWait: Estimand {
        .mean("send_wait_us, mean", .second) { $0[.sendWait] }
    }

    /// The estimate from some replications of a seed; nil if they have no observations.
    func estimate(_ world: World, seed: UInt64, replications: Int) async throws -> RatioEstimator? {
        var parts: [RatioPart] = []
        for replication in 0..<replications {
            let run = try await Estimator.measurements(of: world, seed: seed, replication: replication)
            parts.append((numerator(run), denominator(run)))
        }
        return RatioEstimator(parts)
    }
}
