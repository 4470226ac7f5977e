import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import Studies

/// The losses of M/G/c/c and the occupancy of M/G/∞ depend only on the mean of the service, and the occupancy is
/// Poisson.
struct Insensitivity {
    /// Service distributions with a given mean [µs].
    var services: [@Sendable (_ mean: Double) -> Distribution] = [
        { .exponential(mean: $0) },
        { .constant($0) },
        // With sigma 1, the mean is e^0.5 times the median.
        { .lognormalOfLog(mu: -0.5, sigma: 1, unit: $0) },
    ]
    /// The number of runs of the loss system.
    var seeds = 200
    /// The number of runs of rides; each gives ``windows`` counts.
    var rideSeeds = 20
    var windows = 200
    /// The maximum difference of two means in standard errors.
    var largestScore = 4.0
    /// The allowed range of the p-value of the Poisson test.
    var allowed = 0.001...0.999

    func outcome(jobs: Int) async throws -> PropertyOutcome {
        PropertyOutcome([try await losses(jobs: jobs), try await occupancies(jobs: jobs)])
    }

    /// Tests whether means over the same seeds agree, pair by pair.
    private func agreement(_ name: String, _ responses: [[Double]]) -> PropertyOutcome {
        var scores: [Double] = []
        for (index, one) in responses.enumerated() {
            for other in responses[(index + 1)...] {
                scores.append(StudentInterval(ofDifferences: one, other)?.score(against: 0) ?? .nan)
            }
        }
        let means = responses.map { ($0.reduce(0, +) / Double($0.count)).rounded(places: 4) }
        let largest = scores.map { abs($0) }.max() ?? .nan
        return PropertyOutcome(
            holds: scores.allSatisfy { abs($0) <= largestScore },
            remark: "\(name) \(means.map { "\($0)" }.joined(separator: ", ")), |z| up to \(largest.rounded(places: 2))"
        )
    }

    /// Five servers at an offered load of five, without waiting places.
    private func losses(jobs: Int) async throws -> PropertyOutcome {
        let (load, servers) = (5.0, 5)
        let plan = QueueLength(gap: 1 / load, service: 1, servers: servers, capacity: servers)
        var responses: [[Double]] = []
        for service in services {
            var scenario = Scenario.queue(
                "erlang-b",
                gap: .exponential(mean: 1e6 / load),
                streams: servers,
                service: service(1e6),
                warmUp: TimeUnit.second.span(plan.warmUp),
                length: TimeUnit.second.span(plan.length)
            )
            scenario.sender.queueLimit = 0
            let world = try ScenarioLoader.world(scenario)
            responses.append(
                try await concurrently(seeds, jobs: jobs) { seed in
                    let run = try await Estimator.measurements(of: world, seed: UInt64(seed) + 1, replication: 0)
                    return Double(run[.pushesOverQueueLimit]) / Double(run[.pushesOffered])
                }
            )
        }
        return agreement("Erlang B", responses)
    }

    /// Ten rides at a time on average, counted once every twenty mean lifetimes.
    private func occupancies(jobs: Int) async throws -> PropertyOutcome {
        let (occupancy, life) = (10.0, 60.0)
        let warmUpWindows = 2
        var parts: [PropertyOutcome] = []
        var responses: [[Double]] = []
        for service in services {
            var scenario = Scenario.bare("rides")
            scenario.rides.arrivals.ratesPerHour = [occupancy * 3600 / life]
            scenario.rides.stages = [.init(name: "ride", duration: service(life * 1e6))]
            scenario.monitor.enabled = false
            scenario.setLength(.seconds(Int64(20 * life)) * Int64(warmUpWindows + windows))
            scenario.clock.window = .seconds(Int64(20 * life))
            scenario.clock.warmUp = scenario.clock.window * Int64(warmUpWindows)
            let world = try ScenarioLoader.world(scenario)
            let windows = windows
            let runs = try await concurrently(rideSeeds, jobs: jobs) { seed in
                let run = try await Estimator.measurements(of: world, seed: UInt64(seed) + 1, replication: 0)
                return (
                    mean: Double(run[.populationTime]) / Double(run[.measuredTime]),
                    counts: (warmUpWindows..<(warmUpWindows + windows)).map { Int(run.series[$0, .liveAtStart]) }
                )
            }
            responses.append(runs.map(\.mean))
            let chance = GoodnessOfFit(poisson: runs.flatMap(\.counts), mean: occupancy)?.pValue ?? .nan
            parts.append(
                PropertyOutcome(holds: allowed.contains(chance), remark: "Poisson p = \(chance.rounded(places: 4))")
            )
        }
        return PropertyOutcome([agreement("M/G/∞", responses)] + parts)
    }
}
