import LiveActivityModel
import Quantities
import Testing

@testable import Evaluation
@testable import Results

@Suite("A metric in two runs")
struct MetricComparisonTests {
    private func comparison(
        _ first: [Double?],
        _ second: [Double?],
        of response: String = "displayed_fresh_time_ratio",
        noise: Double = 0.01,
        isUnpaired: Bool = false,
        isAntithetic: Bool = false
    ) throws -> MetricComparison {
        MetricComparison(
            try Response(parsing: response).resolve(in: .smallPoisson),
            RunValues(first, isAntithetic: isAntithetic),
            RunValues(second, isAntithetic: isAntithetic),
            .init(noise: noise, isUnpaired: isUnpaired)
        )
    }

    /// By hand: the differences 1, 2, 3 have mean 2 and standard error 1/√3; t(0.975; 2) = 4.302652729911 (tables).
    @Test("Pairs: the mean difference with Student's interval")
    func paired() throws {
        let comparison = try comparison([19, 20, 21], [20, 22, 24], of: "pushes_per_activity")
        #expect(comparison.first == 20 && comparison.second == 22 && comparison.difference == 2)
        #expect(comparison.relativeDifference == 0.1)
        #expect(comparison.counts == .pairs(3))
        let interval = try #require(comparison.interval)
        #expect(abs(interval.upperBound - (2 + 4.302652729911 / 3.0.squareRoot())) < 1e-8)
        #expect(comparison.noise == 0.2)
    }

    /// The baseline's mean is 20 and its variance 100 / 3, so events have a size of at least 1.67.
    ///
    /// Then 3.7 events exceed Student's 2.48.
    @Test("If a few heavy events may decide there is no interval, and only a larger difference has a verdict")
    func heavyEvents() throws {
        let few = try comparison([10, 20, 30], [11, 22, 33], of: "pushes_per_activity")
        #expect(few.isWithoutInterval && few.verdict == .unsure)
        let reach = try #require(few.reach)
        #expect(few.detectable == reach && reach > 3.688 * 1.667)
        let many = try comparison([10, 20, 30], [41, 52, 63], of: "pushes_per_activity")
        #expect(many.interval == nil && many.verdict == .worse && !many.isOpen)
    }

    @Test("If a card may stay for hours, an unseen card counts too")
    func heaviestRide() throws {
        let response = try Response(parsing: "displayed_fresh_time_ratio").resolve(in: .smallPoisson)
        func values(_ values: [Double], heaviest: Double) -> RunValues {
            var found = RunValues(values, isAntithetic: false)
            found.heaviest = heaviest
            return found
        }
        func compared(heaviest: Double) -> MetricComparison {
            MetricComparison(
                response,
                values([0.50, 0.50, 0.50], heaviest: heaviest),
                values([0.59, 0.60, 0.61], heaviest: heaviest),
                .init(noise: 0)
            )
        }
        // From 0.0813 on, 3.69 thirds of it are more than 0.1.
        #expect(compared(heaviest: 0.01).interval != nil)
        let heavy = compared(heaviest: 0.08)
        #expect(heavy.interval == nil && heavy.verdict == .better)
        #expect(compared(heaviest: 0.09).verdict == .unsure)
    }

    @Test("Independent runs of one replication each have no verdict, not even of no change")
    func singleWorlds() throws {
        for second in [0.5, 0.501, 0.9] {
            let single = try comparison([0.5], [second], isUnpaired: true)
            #expect(single.verdict == .unsure && single.interval == nil && single.detectable == nil)
        }
        #expect(try comparison([0.5, 0.51, 0.5], [0.9, 0.91, 0.9], isUnpaired: true).verdict == .better)
    }

    /// Their interval would have no width: one card less, three times over, is no proof.
    @Test(
        "Fewer than six varying counts with the same change give no verdict; six do, and so do constant counts"
    )
    func coincidence() throws {
        let counts = "activities_ended_count"
        let few = try comparison([5, 7, 6], [4, 6, 5], of: "\(counts){reason:system_limit}")
        #expect(few.verdict == .unsure && few.interval == nil && few.difference == -1)
        let many = try comparison([5, 7, 6, 5, 8, 5], [4, 6, 5, 4, 7, 4], of: "\(counts){reason:system_limit}")
        #expect(many.verdict == .better)
        // Without randomness nothing is uncertain.
        #expect(try comparison([5, 5, 5], [4, 4, 4], of: "\(counts){reason:system_limit}").verdict == .better)
        #expect(try comparison([0.5, 0.501, 0.502], [0.6, 0.601, 0.602]).verdict == .better)
    }

    @Test("A verdict needs the whole interval; the direction of the metric selects better or worse")
    func verdicts() throws {
        // The differences are 0.1 ± 0.0143; noise is 1 % of 0.5.
        let (low, high) = ([0.5, 0.5, 0.5], [0.59, 0.60, 0.61])
        #expect(try comparison(low, high).verdict == .better)
        #expect(try comparison(high, low).verdict == .worse)
        #expect(try comparison(low, high, of: "silently_stale_time_ratio").verdict == .worse)
        #expect(try comparison(high, low, of: "silently_stale_time_ratio").verdict == .better)
        #expect(try comparison(low, high, of: "fresh_time_ratio").verdict == .higher)
        #expect(try comparison(high, low, of: "fresh_time_ratio").verdict == .lower)
        #expect(try comparison(low, high, noise: 0.5).verdict == .withinNoise)
        #expect(try comparison(low, high, noise: 0.2).verdict == .unsure)
        #expect(try comparison(low, [0.4, 0.6, 0.8]).verdict == .unsure)
        #expect(try comparison(low, low, noise: 0).verdict == .same)
        #expect(try comparison([nil, nil, nil], high).verdict == .undefined)
        // An interval that ends at the noise limit does not exceed it.
        #expect(try comparison([1, 1], [1.25, 1.25], noise: 0.25).verdict == .withinNoise)
    }

    @Test("A metric with a direction and no verdict is undecided; the half-width is the detectable difference")
    func open() throws {
        let (low, high) = ([0.5, 0.5, 0.5], [0.6, 0.7, 0.8])
        let unsure = try comparison(low, high, noise: 0.2)
        #expect(unsure.isOpen)
        let interval = try #require(unsure.interval)
        #expect(unsure.detectable == (interval.upperBound - interval.lowerBound) / 2)
        #expect(try !comparison(low, high, of: "fresh_time_ratio", noise: 0.2).isOpen)
        #expect(try !comparison(low, high, noise: 1).isOpen && !comparison(low, low).isOpen)
        let single = try comparison([0.5], [0.5001], noise: 0.5)
        #expect(single.detectable == nil && single.isOpen)
        #expect(try !comparison([0.5], [0.5]).isOpen)
    }

    @Test("A single pair has no interval, so the difference itself decides")
    func onePair() throws {
        let single = try comparison([0.5], [0.6])
        #expect(single.interval == nil && single.verdict == .better && single.isOfOneReplication)
        #expect(try comparison([0.5, 0.4], [0.6], isUnpaired: true).isOfOneReplication)
        #expect(try !comparison([0.5, 0.4], [0.6, 0.7]).isOfOneReplication)
        #expect(try comparison([0.5], [0.501]).verdict == .withinNoise)
    }

    @Test("Pairs with an undefined member are left out")
    func undefined() throws {
        let some = try comparison([0.25, nil, 0.3, 0.5], [0.25, 0.2, nil, 0.75])
        #expect(some.counts == .pairs(2) && some.isPartial)
        #expect(some.first == 0.375 && some.second == 0.5)
        let unpaired = try comparison([0.25, nil, 0.3, 0.5], [0.25, 0.2, nil, 0.75], isUnpaired: true)
        #expect(unpaired.counts == .independent(3, 3) && unpaired.isPartial)
        #expect(try !comparison([0.25, 0.5], [0.5, 0.5, nil]).isPartial)
    }

    @Test("A value that only the baseline has is worse in any direction; one that only the candidate has is not")
    func lost() throws {
        let none: [Double?] = [nil, nil, nil, nil]
        for isUnpaired in [false, true] {
            for response in ["displayed_fresh_time_ratio", "peak_age_us.p95", "fresh_time_ratio"] {
                let lost = try comparison([0.25, nil, 0.75, nil], none, of: response, isUnpaired: isUnpaired)
                #expect(lost.isLost && lost.verdict == .worse && !lost.isPartial)
                // The baseline's own mean over its two values.
                #expect(lost.first == 0.5 && lost.second == nil && lost.difference == nil && lost.interval == nil)
                let gained = try comparison(none, [0.25, nil, 0.75, nil], of: response, isUnpaired: isUnpaired)
                #expect(!gained.isLost && gained.verdict == .undefined && gained.second == 0.5)
            }
            // Without an episode there is no recovery.
            for response in ["recovered_ratio", "recovery_time_us.p95", "send_wait_us{rank:0}.p99"] {
                let gone = try comparison([1, 1, 1, 1], none, of: response, isUnpaired: isUnpaired)
                #expect(!gone.isLost && gone.verdict == .undefined && gone.first == 1)
            }
        }
        // No replication has both values; each run has some.
        let apart = try comparison([1, nil], [nil, 1])
        #expect(!apart.isLost && apart.verdict == .undefined && apart.first == nil)
    }

    @Test("An antithetic pair counts as one value")
    func antithetic() throws {
        let pairs = try comparison([1, 3, 2, 4, 9], [2, 4, 5, 7, 9], isAntithetic: true)
        #expect(pairs.counts == .pairs(2) && pairs.first == 2.5 && pairs.second == 4.5)
    }

    @Test("Counts and parts of a statistic have no direction, whatever the metric's")
    func directions() throws {
        func direction(_ text: String) throws -> MetricDirection { MetricDirection(of: try Response(parsing: text)) }
        #expect(try direction("displayed_fresh_time_ratio{stage:on_trip}") == .higher)
        #expect(try direction("displayed_fresh_time_ratio.denominator") == .neutral)
        #expect(try direction("peak_age_us.p99") == .lower)
        #expect(try direction("peak_age_us.count") == .neutral)
        #expect(try direction("fresh_time_ratio") == .neutral)
        #expect(try direction("activities_started_count") == .neutral)
        #expect(try direction("activities_ended_count") == .neutral)
        #expect(try direction("activities_ended_count{reason:severe}") == .neutral)
        #expect(try direction("activities_ended_count{reason:system_limit}") == .lower)
        // A lost end leaves a card for hours without a push, so fewer pushes per hour are no gain.
        #expect(try direction("pushes_per_live_hour") == .neutral)
    }

    @Test(
        "Metrics that depend on giving up have every key that controls giving up in their basis",
        arguments: [
            "ended_severe_count", "false_kill_count", "severe_time_ratio", "recovered_ratio", "recovery_time_us",
            "stale_episodes_count",
        ]
    )
    func givingUp(metric: String) {
        #expect(Response(metric: metric).bases == [.ttl, .freshLimit, .recoveryWindow])
    }

    @Test("No usual response improves when screens die in a blackout")
    func usual() {
        let names = ResultComparison.usual.map(\.text)
        #expect(names.starts(with: ["ride_fresh_coverage_ratio", "ride_stage_coverage_ratio", "stage_lag_us"]))
        for response in ResultComparison.usual where response.scope == "all" {
            let declaration = MetricCatalog.declaration(of: response.metric)
            #expect(declaration?.meaning.contains("blackout") == false, "\(response.text)")
        }
    }

    @Test("Every usual response exists")
    func namesExist() throws {
        var scenario = Scenario.smallPoisson
        scenario.measure.ageOver = [.seconds(1)]
        scenario.measure.waitOver = [.seconds(1)]
        for response in ResultComparison.usual {
            #expect(throws: Never.self) { try response.resolve(in: scenario) }
        }
    }
}
