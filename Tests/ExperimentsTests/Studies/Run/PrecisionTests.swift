import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import Testing

@testable import Evaluation
@testable import Studies

@Suite("Replications up to a precision, and in pairs")
struct PrecisionTests {
    /// A few rides with exponential refresh latency: the mean age increases with each draw.
    private static var latencies: Scenario {
        var scenario = Scenario()
        scenario.clock.drain = .hours(1)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 4
        scenario.rides.stages = [Scenario.Stage(name: "ride", duration: .constant(300e6))]
        scenario.content.updatesAt = [.seconds(60), .seconds(120), .seconds(180), .seconds(240)]
        scenario.apns.latency = .exponential(mean: 10e6)
        // A card that is never ended stays for at most a minute, so that it does not outweigh all others.
        scenario.devices.systemLimit = .minutes(6)
        return scenario
    }

    /// Returns ``latencies`` in replications until a half-width is reached.
    private static func until(_ metric: String, halfWidth: Double, atMost: Int = 1000, count: Int) -> Scenario {
        var scenario = latencies
        scenario.replications.count = count
        var precision = Scenario.Precision()
        (precision.metric, precision.halfWidth, precision.atMost) = (metric, halfWidth, atMost)
        scenario.replications.until = precision
        return scenario
    }

    private func run(_ scenario: Scenario, jobs: Int = 2) async throws -> RunResult {
        try await RunEngine(world: ScenarioLoader.world(scenario), jobs: jobs).run(progress: RunProgress())
    }

    @Test("Each round adds half as many replications, in whole pairs, up to the limit")
    func rounds() {
        var replications = Scenario.Replications()
        replications.until = Scenario.Precision()
        replications.until?.atMost = 40
        func counts(from first: Int) -> [Int] {
            var counts = [first]
            while true {
                let next = RunEngine.nextCount(after: counts[counts.count - 1], replications)
                guard next > counts[counts.count - 1] else { return counts }
                counts.append(next)
            }
        }
        #expect(counts(from: 5) == [5, 7, 10, 15, 22, 33, 40])
        #expect(counts(from: 2) == [2, 3, 4, 6, 9, 13, 19, 28, 40])
        replications.antithetic = true
        replications.until?.atMost = 41
        #expect(counts(from: 6) == [6, 10, 16, 24, 36, 40])
    }

    @Test("The run stops after the first round with enough precision, for any number of jobs", arguments: [1, 3])
    func stops(jobs: Int) async throws {
        let scenario = Self.until("age_of_information_us", halfWidth: 0.02, count: 4)
        let result = try await run(scenario, jobs: jobs)
        let reached = try #require(result.precision)
        #expect(reached.isMet)
        #expect(result.replications > 4)
        #expect(result.perReplication.count == result.replications)
        // The summary's interval is the interval that was checked.
        let row = try #require(Summary(result).row("age_of_information_us", "mean"))
        let interval = try #require(row.interval)
        let value = try #require(row.value).double
        #expect(abs((interval.upperBound - interval.lowerBound) / 2 / value - (reached.halfWidth ?? 0)) < 1e-12)

        // No earlier round would have sufficed.
        var count = 4
        while count < result.replications {
            var fixed = scenario
            fixed.replications = Scenario.Replications()
            fixed.replications.count = count
            let row = try #require(Summary(try await run(fixed)).row("age_of_information_us", "mean"))
            let interval = try #require(row.interval)
            #expect((interval.upperBound - interval.lowerBound) / 2 >= 0.02 * (try #require(row.value).double))
            count = RunEngine.nextCount(after: count, scenario.replications)
        }
        #expect(count == result.replications)
    }

    @Test("The limit ends the run and is reported")
    func limit() async throws {
        let scenario = Self.until("age_of_information_us", halfWidth: 0.0001, atMost: 5, count: 2)
        let result = try await run(scenario)
        #expect(result.replications == 5)
        #expect(result.precision?.isMet == false)
        #expect(result.precision?.obstacle == nil)
        #expect(try await run(Self.latencies).precision == nil)
    }

    /// At 1 % it takes 38,415 events.
    ///
    /// With none in 2 replications at most 369 are expected in 200.
    @Test("A constant metric stops at once if its events are too rare; otherwise the run continues")
    func neverVaries() async throws {
        var scenario = Self.until("ended_severe_count", halfWidth: 0.01, atMost: 200, count: 2)
        let result = try await run(scenario)
        #expect(result.replications == 2)
        #expect(result.precision?.isMet == false && result.precision?.obstacle == .neverVaried(isZero: true))
        // (1.96 / 0.9)² is 4.7 events. With none in 3 replications 4.9 are still possible in 4; with none in 4, only 3.7.
        scenario.replications.until?.halfWidth = 0.9
        scenario.replications.until?.atMost = 4
        #expect(try await run(scenario).replications == 4)
    }

    @Test("A metric that the run cannot show, or that no replication defines, stops at once with the reason")
    func noValue() async throws {
        var scenario = Self.latencies
        scenario.replications.count = 2
        scenario.replications.until = Scenario.Precision()
        scenario.replications.until?.halfWidth = 0.01
        scenario.replications.until?.atMost = 200
        // Every update arrives before its content becomes stale.
        scenario.replications.until?.metric = "recovery_time_us"
        scenario.content.ttl = .minutes(30)
        let without = try await run(scenario)
        #expect(without.replications == 2 && without.precision?.obstacle == .noValue)
        scenario.replications.until?.metric = "ended_severe_count"
        scenario.replications.until?.halfWidth = 0.9
        scenario.monitor.enabled = false
        let off = try await run(scenario)
        #expect(off.replications == 2)
        guard case .notMeasured(let unmet) = off.precision?.obstacle else {
            Issue.record("\(String(describing: off.precision?.obstacle))")
            return
        }
        #expect(unmet.reason == "the monitor is off")
    }

    /// Compares forty pairs with eighty independent replications.
    ///
    /// The mean of a pair of independent replications has half the variance of one, so both estimates would be equally
    /// precise without the antithetic draws.
    @Test("Antithetic pairs have less than half the variance of the same number of independent runs")
    func antithetic() async throws {
        var scenario = Self.latencies
        scenario.replications.count = 80
        let independent = try await run(scenario)
        scenario.replications.antithetic = true
        let paired = try await run(scenario)
        #expect(paired.intervalBasis == .antitheticPairs)
        #expect(paired.batches.count == 40)
        func halfWidth(_ result: RunResult) throws -> Double {
            let row = try #require(Summary(result).row("age_of_information_us", "mean"))
            #expect(row.n == result.batches.count)
            let interval = try #require(row.interval)
            return (interval.upperBound - interval.lowerBound) / 2
        }
        // The variance of the mean is less than half.
        let (narrow, wide) = (try halfWidth(paired), try halfWidth(independent))
        #expect(narrow * narrow < wide * wide / 2)
        // The first member of each pair is the replication with the pair's number.
        #expect(paired.perReplication[0] == independent.perReplication[0])
        #expect(paired.perReplication[2] == independent.perReplication[1])
        let ages = paired.perReplication.map { $0.age.mean ?? 0 }
        let pairs = stride(from: 0, to: 80, by: 2).map { (ages[$0], ages[$0 + 1]) }
        func variance(_ values: [Double]) throws -> Double {
            let halfWidth = try #require(StudentInterval(values)).halfWidth
            return halfWidth * halfWidth
        }
        // If the mean age of one member is high, that of the other is low.
        let apart = try variance(pairs.map(\.0)) + variance(pairs.map(\.1))
        #expect(try variance(pairs.map { $1 - $0 }) > 1.4 * apart)
    }
}
