import LiveActivityModel
import Quantities
import Testing

@testable import Evaluation
@testable import Results

/// Differences with and without a verdict.
extension ResultPairTests {
    /// Otherwise a longer TTL would pass every gate, though no phone shows newer content.
    @Test("A metric with a different basis gets a note and no verdict; other metrics get verdicts")
    func bases() throws {
        let values = Self.values + Self.rows("displayed_fresh_time_ratio", "ratio", "1", ["0.5", "0.5", "0.5"])
        let fresher =
            Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["21.25", "21.4375", "21.8125"])
            + Self.rows("displayed_fresh_time_ratio", "ratio", "1", ["0.9", "0.9", "0.9"])
        func compare(_ change: (inout Scenario) -> Void) throws -> ResultComparison {
            var other = Run(description: Self.description.replacing("abcd", with: "abce"), values: fresher)
            change(&other.scenario)
            let options = Self.options("displayed_fresh_time_ratio", "pushes_per_activity")
            return try self.compare(Run(values: values), other, options)
        }
        let longer = try compare { $0.content.ttl = .minutes(10) }
        #expect(longer.metrics.map(\.verdict) == [.otherBasis, .worse])
        #expect(longer.metrics[0].differingBases == ["content.ttl"])
        #expect(longer.verdict == .worse)
        #expect(
            longer.notes == [
                "content.ttl differs, which changes what is measured: displayed_fresh_time_ratio has no verdict. Stage coverage, "
                    + "stage lags and ages during rides are comparable in both runs."
            ]
        )
        // The monitor's limit does not affect the content of screens, but it affects the monitor's belief.
        let later = try compare { $0.monitor.freshLimit = .minutes(5) }
        #expect(later.metrics.map(\.verdict) == [.better, .worse])
        // With this few rides a single leftover card would change the share, but not by 40 points.
        #expect(later.notes.count == 1)
        #expect(later.notes[0].contains("may decide: displayed_fresh_time_ratio."))
    }

    @Test("A run that ended early has no verdicts, because its part may be the easy one")
    func endedEarly() throws {
        let live = """
            {"fingerprint": "00fe", "replications": 1, "run_id": "abcd", "schema_version": 1, "seed": 7, "real_time": \
            {"speed": 10, "apns": "in_process", "ended_early": {"ran_us": 1, "planned_us": 2, "signal": "SIGINT"}}}
            """
        let before =
            Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["10"])
            + Self.rows("ride_stage_coverage_ratio", "ratio", "1", ["0.9"])
        let after =
            Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["20"])
            + Self.rows("ride_stage_coverage_ratio", "ratio", "1", [""])
        let description = Self.description.replacing("\"replications\": 3", with: "\"replications\": 1")
        let comparison = try compare(
            Run(description: description, values: before),
            Run(description: live, values: after),
            Self.options("pushes_per_activity", "ride_stage_coverage_ratio")
        )
        #expect(comparison.metrics.map(\.verdict) == [.otherBasis, .undefined])
        #expect(comparison.metrics.allSatisfy(\.isUnjudged) && comparison.verdict == .nothingJudged)
        #expect(
            comparison.notes.contains { $0.hasPrefix("B was ended early: its values cover only the part that ran") }
        )
    }

    /// By hand: the quotient changes from 50/100 to 63/100, the mean of its replications from 0.5 to 0.65.
    ///
    /// 0.121, 0.139 and 0.13 have the mean 0.13 and the standard error 0.009/√3; t(0.975; 2) = 4.302652729911.
    @Test("A pooled difference is the difference of the quotients of sums, with the interval of the delta method")
    func pooled() throws {
        func values(_ ratios: [String], _ numerators: [String]) -> String {
            Self.rows("ride_fresh_coverage_ratio", "ratio", "1", ratios)
                + Self.rows("ride_fresh_coverage_ratio", "numerator", "us", numerators)
                + Self.rows("ride_fresh_coverage_ratio", "denominator", "us", ["10", "90", "0"])
        }
        func compare(isPooled: Bool) throws -> MetricComparison {
            var options = Self.options("ride_fresh_coverage_ratio")
            options.isPooled = isPooled
            let before = values(["0.5", "0.5", ""], ["5", "45", "0"])
            return try self.compare(before, values(["0.6", "0.7", ""], ["6", "57", "0"]), options).metrics[0]
        }
        let means = try compare(isPooled: false)
        #expect(means.first == 0.5 && abs((means.second ?? 0) - 0.65) < 1e-12 && means.isPartial)
        let pooled = try compare(isPooled: true)
        let (first, second) = (try #require(pooled.first), try #require(pooled.second))
        #expect(abs(first - 0.5) < 1e-12 && abs(second - 0.63) < 1e-12)
        let halfWidth = 4.302652729911 * 0.009 / 3.0.squareRoot()
        let detectable = try #require(pooled.detectable)
        #expect(abs(detectable - halfWidth) < 1e-9)
        #expect(pooled.counts == .pairs(3) && !pooled.isPartial)
    }

    /// Compares two runs that differ in these values.
    private func compare(
        _ before: String,
        _ after: String,
        _ options: ResultComparison.Options,
        replications: Int = 3
    ) throws -> ResultComparison {
        let count = "\"replications\": \(replications)"
        let description = Self.description.replacing("\"replications\": 3", with: count)
        return try compare(
            Run(description: description, values: Self.header + before),
            Run(description: description.replacing("00ff", with: "00fe"), values: Self.header + after),
            options
        )
    }

    /// Returns the response of two runs that differ in these values.
    private func compared(_ response: Response, _ before: String, _ after: String, replications: Int = 3) throws
        -> MetricComparison
    {
        let options = ResultComparison.Options(responses: [response])
        return try #require(try compare(before, after, options, replications: replications).metrics.first)
    }

    /// A dead screen shows no wrong stage.
    @Test(
        "Less wrong-stage time is better if the time on screens is unchanged or nearly so",
        arguments: [
            (["100", "101", "102"], MetricComparison.Verdict.better), (["70", "71", "73"], .otherBasis),
            (["99", "100", "101"], .better),
        ]
    )
    func timeOnScreens(after: [String], verdict: MetricComparison.Verdict) throws {
        func values(_ ratios: [String], _ time: [String]) -> String {
            Self.rows("wrong_stage_time_ratio", "ratio", "1", ratios)
                + Self.rows("wrong_stage_time_ratio", "denominator", "us", time)
        }
        let before = values(["0.10", "0.11", "0.12"], ["100", "101", "102"])
        let after = values(["0.08", "0.09", "0.10"], after)
        #expect(try compared(Response(metric: "wrong_stage_time_ratio"), before, after).verdict == verdict)
    }

    /// Otherwise riders who swipe cards away leave only fresh ones and few pushes.
    @Test(
        "A metric of screens is not better with less time on screens, in one replication or in three",
        arguments: [
            ("displayed_fresh_time_ratio", "all", "displayed_fresh_time_ratio"),
            ("age_of_information_us", "during_ride", "wrong_stage_time_ratio"),
            ("pushes_per_activity", "all", "wrong_stage_time_ratio"),
        ],
        [1, 3]
    )
    func fewerScreens(_ asked: (String, String, String), replications: Int) throws {
        let (metric, scope, time) = asked
        // These are hours, so a single card does not decide.
        let (statistic, unit, scale) = metric.hasSuffix("_us") ? ("mean", "us", 1e10) : ("ratio", "1", 1)
        func values(_ value: Double, time length: Int) -> String {
            let some = 0..<replications
            return Self.rows(
                metric,
                statistic,
                unit,
                some.map { "\((value + Double($0) * 1e-3) * scale)" },
                scope: scope
            )
                + Self.rows(time, "denominator", "us", some.map { "\((length + $0) * 3_600_000_000)" })
        }
        func verdict(_ value: Double, time: Int) throws -> MetricComparison.Verdict {
            let (before, after) = (values(0.5, time: 1000), values(value, time: time))
            let response = Response(metric: metric, scope: scope)
            return try compared(response, before, after, replications: replications).verdict
        }
        let better = metric == "displayed_fresh_time_ratio" ? 0.6 : 0.4
        #expect(try verdict(better, time: 1000) == .better)
        #expect(try verdict(better, time: 400) == .otherBasis)
        #expect(try verdict(1 - better, time: 400) == .worse)
        // Half a percent of the time on screens cannot account for a fifth of it.
        #expect(try verdict(better, time: 990) == .better)
    }

    @Test("A count with few changes is uncertain even if Student's interval excludes zero")
    func rareCounts() throws {
        func values(_ counts: [Int]) -> String {
            Self.rows("false_kill_count", "total", "count", counts.map { "\($0)" })
        }
        func compared(_ after: [Int]) throws -> MetricComparison {
            let before = values([Int](repeating: 1, count: after.count))
            let response = Response(metric: "false_kill_count")
            return try self.compared(response, before, values(after), replications: after.count)
        }
        let few = try compared([2, 2, 2, 2, 2, 1])
        #expect(few.verdict == .unsure && few.interval == nil)
        #expect(try compared([2, 2, 2, 3, 2, 2, 1]).verdict == .worse)
    }

    @Test(
        "A larger recovered share is better if the episodes are as many, or if added ones cannot explain it",
        arguments: [
            (["100", "101", "102"], MetricComparison.Verdict.better), (["300", "305", "308"], .otherBasis),
            (["30", "32", "33"], .otherBasis), (["101", "102", "103"], .better),
        ]
    )
    func otherEpisodes(after: [String], verdict: MetricComparison.Verdict) throws {
        func values(_ ratios: [String], _ episodes: [String]) -> String {
            Self.rows("recovered_ratio", "ratio", "1", ratios)
                + Self.rows("recovered_ratio", "denominator", "count", episodes)
        }
        let before = values(["0.50", "0.51", "0.52"], ["100", "101", "102"])
        let after = values(["0.90", "0.91", "0.92"], after)
        #expect(try compared(Response(metric: "recovered_ratio"), before, after).verdict == verdict)
    }

    /// Otherwise a monitor that gives up more activities needs fewer pushes, and one with only easy recoveries is fast.
    @Test("A conditional mean is not better if its count has changed; a worse one is worse")
    func populations() throws {
        func values(pushes: [String], recovery: [String], recovered: [String], severe: [String]) -> String {
            Self.rows("pushes_per_activity", "ratio", "1", pushes)
                + Self.rows("activities_started_count", "total", "count", ["1000", "1000", "1000"])
                + Self.rows("recovery_time_us", "mean", "us", recovery)
                + Self.rows("recovered_count", "total", "count", recovered)
                + Self.rows("ended_severe_count", "total", "count", severe)
        }
        let before = values(
            pushes: ["30", "31", "32"],
            recovery: ["500", "510", "520"],
            recovered: ["900", "905", "910"],
            severe: ["50", "52", "54"]
        )
        func compare(_ after: String, with before: String) throws -> ResultComparison {
            try self.compare(before, after, Self.options("recovery_time_us", "pushes_per_activity"))
        }
        let after = values(
            pushes: ["20", "21", "22"],
            recovery: ["400", "410", "420"],
            recovered: ["700", "705", "711"],
            severe: ["250", "252", "255"]
        )
        let fewer = try compare(after, with: before)
        #expect(fewer.metrics.map(\.response) == ["recovery_time_us", "pushes_per_activity"])
        #expect(fewer.metrics.map(\.verdict) == [.otherBasis, .otherBasis])
        #expect(fewer.metrics.map(\.differingBases) == [["recovered_count"], ["ended_severe_count"]])
        #expect(fewer.verdict == .nothingJudged)
        #expect(
            fewer.notes.contains {
                $0.hasPrefix(
                    "recovered_count and ended_severe_count differ, which changes what is measured: recovery_time_us, "
                )
                    && $0.contains("those that remain may be the easy ones")
            }
        )
        // Two hundred of a hundred thousand cannot account for a third of all pushes.
        func among100000(_ values: String) -> String { values.replacing(",1000\n", with: ",100000\n") }
        let few = try compare(among100000(after), with: among100000(before))
        #expect(few.metrics.map(\.verdict) == [.otherBasis, .better])
        let slower = try compare(
            values(
                pushes: ["40", "41", "42"],
                recovery: ["600", "610", "620"],
                recovered: ["700", "705", "711"],
                severe: ["20", "22", "23"]
            ),
            with: before
        )
        #expect(slower.metrics.map(\.verdict) == [.worse, .worse])
        // Fewer pushes given up do not cast doubt on fewer pushes, nor does a random change of the count.
        let better = try compare(
            values(
                pushes: ["20", "21", "22"],
                recovery: ["400", "410", "420"],
                recovered: ["900", "700", "1110"],
                severe: ["20", "22", "23"]
            ),
            with: before
        )
        #expect(better.metrics.map(\.verdict) == [.better, .better])
    }

    /// Otherwise a longer outage recovers sooner and needs fewer pushes.
    @Test("With a different fault its consequences get a note and no verdict; metrics over all rides get one")
    func faults() throws {
        let values =
            Self.values + Self.rows("recovery_time_us", "mean", "us", ["500", "500", "500"])
            + Self.rows("ride_stage_coverage_ratio", "ratio", "1", ["0.9", "0.9", "0.9"])
        let after =
            Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["9", "9.5", "9"])
            + Self.rows("recovery_time_us", "mean", "us", ["5", "5", "5"])
            + Self.rows("ride_stage_coverage_ratio", "ratio", "1", ["0.8", "0.8", "0.8"])
        var (short, long) = (Scenario.smallPoisson, Scenario.smallPoisson)
        short.faults = [Scenario.Fault(kind: .apnsSilent, at: .minutes(10), duration: .minutes(1))]
        long.faults = [Scenario.Fault(kind: .apnsSilent, at: .minutes(10), duration: .minutes(10))]
        let comparison = try compare(
            Run(scenario: short, values: values),
            Run(description: Self.description.replacing("abcd", with: "abce"), scenario: long, values: after),
            Self.options("recovery_time_us", "pushes_per_activity", "ride_stage_coverage_ratio")
        )
        #expect(comparison.metrics.map(\.verdict) == [.otherBasis, .otherBasis, .worse])
        #expect(comparison.metrics[0].differingBases == ["faults.0.duration"])
        #expect(comparison.notes.count == 1)
        #expect(
            comparison.notes[0]
                .hasPrefix("faults.0.duration differs, which changes what is measured: recovery_time_us, ")
        )
    }

    @Test("With different faults a metric that a blackout changes has no verdict; a metric over all rides has one")
    func measuredOfWhatIsLeft() {
        for declaration in MetricCatalog.declarations where declaration.meaning.contains("in a blackout") {
            #expect(Response(metric: declaration.name).isRedefined(by: "faults.0.duration"), "\(declaration.name)")
        }
        for name in ["ride_fresh_coverage_ratio", "ride_stage_coverage_ratio", "stage_lag_us", "ended_severe_count"] {
            #expect(!Response(metric: name).isRedefined(by: "faults.0.at"), "\(name)")
        }
        #expect(!Response(metric: "recovery_time_us").isRedefined(by: "content.refresh"))
    }
}
