import LiveActivityModel
import Quantities
import SimulationKernel
import Studies
import Testing

/// Scenarios with exactly known answers; the seeds are fixed, so a test passes always or never.
@Suite("Closed forms")
struct ClosedFormTests {
    private static func replicate(_ scenario: Scenario, _ count: UInt32) throws -> [Measurements] {
        let world = try ScenarioLoader.world(scenario)
        return (0..<count).map { FinishedCell(world, ride: nil, replication: $0).measurements }
    }

    /// Updates every T seconds, each lost with probability p, with a constant latency l.
    ///
    /// The age A of the newest content shown is a sawtooth: the last update that was not lost is i periods older than
    /// the last one that could have arrived, where i is geometric. With x - l = mT + r and 0 ≤ r < T,
    ///
    ///     P(A > x) = p^m ((1 - r/T) + p r/T),    E A = l + T (1 + p) / (2 (1 - p)).
    ///
    /// See Kaul, Yates and Gruteser, "Real-time status: How often should one update?", INFOCOM 2012, for the age, and
    /// Chen and Huang, "Age-of-information in the presence of error", ISIT 2016, for updates that are lost.
    @Test(
        "Age and staleness under periodic updates that may be lost",
        arguments: [(0.3, 15, 1, 3), (0.1, 7, 0, 5), (0.6, 42, 4, 0)]
    )
    func periodicUpdates(loss: Double, ttl: Int64, periods: Int, rest: Double) throws {
        var scenario = Scenario.ride(2 * 3600)
        scenario.clock.drain = .seconds(2 * 3600 - 1)
        scenario.clock.warmUp = .seconds(600)
        scenario.content.refresh = .seconds(10)
        scenario.content.ttl = .seconds(ttl)
        scenario.apns.loss = Probability(loss)
        scenario.apns.latency = .seconds(2)
        let runs = try Self.replicate(scenario, 30)
        let power = (0..<periods).reduce(1.0) { product, _ in product * loss }
        let staleShare = power * ((1 - rest / 10) + loss * rest / 10)
        let stale = runs.map { Double($0.time(.displayedStaleTime)) / Double($0.time(.displayedTime)) }
        #expect(stale.deviation(from: staleShare) < 4)
        let meanAge = 2 + 10 * (1 + loss) / (2 * (1 - loss))
        #expect(runs.compactMap(\.age.mean).map { $0 / 1e6 }.deviation(from: meanAge) < 4)
    }

    /// One ride of 95 s that is stale at 60, with three retries at 60, 65 and 70, each lost with probability p, and
    /// given up at 90.
    private static func episodes(loss: Double, feedback: Scenario.Feedback) -> Scenario {
        var scenario = Scenario.ride(1000).times(4000)
        scenario.clock.duration = .seconds(95)
        scenario.clock.drain = .zero
        scenario.watch(retries: [0, 5, 10], recoveryWindow: 30)
        scenario.monitor.feedback = feedback
        scenario.apns.loss = Probability(loss)
        return scenario
    }

    /// Each retry ends the episode with probability q = 1 - p.
    ///
    /// All of R retries therefore fail with probability p^R, and (1 - p^R) / q are sent on average.
    @Test("Deadlines of the monitor: episodes that end severely, retries and time", arguments: [0.5, 0.25, 0.8])
    func deadlines(loss: Double) throws {
        let run = try FinishedCell(Self.episodes(loss: loss, feedback: .delivery), ride: nil)
        let count = 4000.0
        #expect(run[.episodesBegun] == 4000)
        let severe = loss * loss * loss
        let severeDeviation = (count * severe * (1 - severe)).squareRoot()
        #expect(abs(Double(run[.episodesEndedSevere]) - count * severe) < 4 * severeDeviation)
        // One retry with probability q, two with pq, three otherwise.
        let mean = 1 + loss + loss * loss
        let variance = 1 + 3 * loss + 5 * loss * loss - mean * mean
        let retryDeviation = (count * variance).squareRoot()
        #expect(abs(Double(run[.retriesSent]) - count * mean) < 4 * retryDeviation)
        // Recovery at 0, 5 or 10 s into the episode: the sum of all follows from the fates alone.
        let recovered = run[.episodesRecovered]
        #expect(recovered == run[.fateShown])
        #expect(
            run.measurements.time(.recoverableTime) == run.measurements[.recoveryTime].sum + (4000 - recovered)
                * 30_000_000
        )
    }

    @Test("If acceptance counts as display, each lost retry leaves its screen silently stale")
    func silence() throws {
        let run = try FinishedCell(Self.episodes(loss: 0.3, feedback: .acceptance), ride: nil)
        #expect(run[.retriesSent] == 4000)
        #expect(run[.episodesRecovered] == 4000)
        #expect(run[.fateLost] + run[.fateShown] == 4000)
        let lostDeviation = (4000 * 0.3 * 0.7).squareRoot()
        #expect(abs(Double(run[.fateLost]) - 1200) < 4 * lostDeviation)
        #expect(run.measurements.time(.silentlyStaleTime) == run[.fateLost] * 35_000_000)
    }

    /// Ends arrive as a Poisson process at one stream with exponential request times: M/M/1, in which the mean wait is
    /// ρ / (μ (1 - ρ)) (Kleinrock, "Queueing Systems", volume 1, 1975).
    @Test("The sender with one stream is the queue M/M/1")
    func singleStream() throws {
        var scenario = Scenario.ride(1)
        scenario.clock.duration = .hours(2)
        scenario.clock.warmUp = .minutes(20)
        scenario.rides.arrivals.process = .poisson
        scenario.rides.arrivals.ratesPerHour = [0.5 * 3600]
        scenario.sender.streams = 1
        scenario.sender.requestTime = .exponential(mean: 1e6)
        scenario.sender.timeout = .hours(1)
        scenario.monitor.endSchedule = [.zero]
        let waits = try Self.replicate(scenario, 12)
            .map { Double($0[.sendWait].sum) / Double($0[.sendWait].count) / 1e6 }
        #expect(waits.deviation(from: 1) < 4)
    }
}
