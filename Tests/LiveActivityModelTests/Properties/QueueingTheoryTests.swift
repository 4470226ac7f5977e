import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

extension [Double] {
    /// The deviation of the mean of independent values from its exact value, in standard errors.
    func deviation(from exact: Double) -> Double {
        let mean = reduce(0, +) / Double(count)
        let variance = reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count - 1)
        return abs(mean - exact) / (variance / Double(count)).squareRoot()
    }
}

/// The sender as a queue: the Poisson refreshes of one long activity are its arrivals, the streams its servers.
///
/// Rough checks against closed forms; the seeds are fixed, so a test passes always or never.
@Suite("The sender as a queue of theory")
struct QueueingTheoryTests {
    /// Arrivals at a rate [1/s], services with a mean of 1 s.
    private static func queue(rate: Double, servers: Int = 1) -> Scenario {
        var scenario = Scenario.ride(2 * 3600)
        scenario.clock.drain = .seconds(2 * 3600 - 1)
        scenario.clock.warmUp = .seconds(300)
        scenario.content.refresh = .exponential(mean: 1e6 / rate)
        scenario.sender.streams = servers
        scenario.sender.requestTime = .exponential(mean: 1e6)
        scenario.sender.timeout = .hours(1)
        return scenario
    }

    /// The deviation of the mean of independent replications from its exact value, in standard errors.
    private static func deviation(
        _ scenario: Scenario,
        from exact: Double,
        speculation: Speculation = .none,
        _ value: (Measurements) -> Double
    ) throws -> Double {
        let world = try ScenarioLoader.world(scenario)
        return (0..<8)
            .map { value(FinishedCell(world, ride: nil, replication: $0, speculation: speculation).measurements) }
            .deviation(from: exact)
    }

    private static func share(_ counter: Counter) -> (Measurements) -> Double {
        { Double($0[counter]) / Double($0[.pushesOffered]) }
    }

    /// Erlang C for a load of 1 on 2 servers: a third of the pushes wait, for 1 s on average.
    ///
    /// One activity's pushes would overlap and be processed event by event. With many activities, the pushes that find
    /// a stream are processed ahead, and hold it while others wait.
    @Test("Many activities whose requests are processed ahead if a stream is free: Erlang's delay formula")
    func erlangC() throws {
        let scenario = Self.queue(rate: 1.0 / 60, servers: 2).times(60)
        let deviation = try Self.deviation(scenario, from: 1.0 / 3, speculation: .none) {
            Double($0[.sendWait].sum) / Double($0[.sendWait].count) / 1e6
        }
        #expect(deviation < 4)
    }

    /// Erlang B for a load of 2 on 2 servers: (2²/2) / (1 + 2 + 2²/2).
    @Test("Without waiting places: Erlang's loss formula")
    func erlangB() throws {
        var scenario = Self.queue(rate: 2, servers: 2)
        scenario.sender.queueLimit = 0
        #expect(try Self.deviation(scenario, from: 0.4, Self.share(.pushesOverQueueLimit)) < 4)
    }

    /// P = p0 λ e^(-aτ) with a = 1 - λ and 1/p0 = 1 + λ (1 - e^(-aτ)) / a + λ e^(-aτ) (Barrer 1957).
    @Test("Constant patience: M/M/1+D")
    func constantPatience() throws {
        var scenario = Self.queue(rate: 0.8)
        scenario.sender.patience = .seconds(3)
        #expect(try Self.deviation(scenario, from: 0.135_350, Self.share(.pushesOutOfPatience)) < 4)
    }

    /// E N = ρ (λ + ρθ) / (θ (1 - ρ)) (Falin and Templeton, "Retrial Queues", 1997), and Little's law.
    @Test("Deferred pushes: the retrial queue")
    func retrialQueue() throws {
        var scenario = Self.queue(rate: 0.5)
        scenario.sender.queueLimit = 0
        scenario.sender.requeueAfter = .exponential(mean: 1e6)
        #expect(
            try Self.deviation(scenario, from: 1) { Double($0.time(.orbitTime)) / Double($0[.measuredTime]) } < 4
        )
        #expect(
            try Self.deviation(scenario, from: 2) { Double($0[.sendWait].sum) / Double($0[.sendWait].count) / 1e6 } < 4
        )
    }

    /// The level of the bucket is that of a finite dam: with W(x) = Σ (-λ(x - j))^j / j! e^(λ(x - j)), x = 2 and λ =
    /// 0.9, a share of W / (1 + λW) is accepted.
    @Test("A policed rate: the token bucket with continuous refill")
    func tokenBucket() throws {
        var scenario = Self.queue(rate: 0.9, servers: 1000)
        var limit = Scenario.RateLimit()
        limit.perSecond = 1
        limit.burst = 3
        limit.excess = .drop
        scenario.sender.rateLimit = limit
        #expect(try Self.deviation(scenario, from: 1 - 0.861_558, Self.share(.pushesRateLimited)) < 4)
    }

    /// Two activities, each in a stage with a separate rank: 1 / (1 - ρ1) for the first class, and 1 / (1 - ρ1) + ρ /
    /// ((1 - ρ1) (1 - ρ)) for the second (Conway, Maxwell and Miller, 1967).
    @Test("Preemptive resume: mean times of both classes")
    func preemptiveResume() throws {
        var scenario = Self.queue(rate: 1)
        let long = scenario.clock.duration + scenario.clock.drain
        scenario.rides.stages = [
            Scenario.Stage(name: "urgent", duration: .constant(0), refresh: .exponential(mean: 1e6 / 0.2)),
            Scenario.Stage(name: "regular", duration: .constant(0), refresh: .exponential(mean: 1e6 / 0.6)),
        ]
        scenario.rides.stages[0].rank = 0
        var trace = Scenario.Trace(file: "rides.csv")
        trace.rides = [[long, .zero], [.zero, long]]
            .map { TracedRide(request: .start, stages: $0, isCancelled: false) }
        scenario.rides.trace = trace
        scenario.sender.preempt = .resume
        for (rank, exact) in [1.25, 6.25].enumerated() {
            let deviation = try Self.deviation(scenario, from: exact) {
                Double($0[.sendTime, rank].sum) / Double($0[.sendTime, rank].count) / 1e6
            }
            #expect(deviation < 4, "rank \(rank)")
        }
    }
}
