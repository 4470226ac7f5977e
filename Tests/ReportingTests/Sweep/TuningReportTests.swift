import Evaluation
import ScenarioLanguage
import Statistics
import TestSupport
import Testing
import TextFormats

@testable import Reporting
@testable import Studies

@Suite("Reports of searches for the best point")
struct TuningReportTests {
    @Test("The chart of a search shows the first limit and marks each point by its outcome")
    func tuning() async throws {
        let factors = """
            factors:
              vary: {content.ttl: [30s, 90s]}
              responses: [displayed_fresh_time_ratio]
              goal:
                maximise: displayed_fresh_time_ratio
                subject_to: [pushes_per_activity <= 100]
                indifference: 1%
                across_rulers: true
            """
        let result = try await SmallSweep.tuning(factors)
        let chart = try #require(Chart.tuning(result))
        #expect(chart.text.contains("\"label\": \"today: 90s\""))
        #expect(chart.text.contains("\"cost\": 100"))
        #expect(!chart.text.contains("\"breaks "), "the legend names what is there")
        let markdown = TuningReport(result).blocks.markdown
        #expect(markdown.contains("(charts/tune.vl.json)"))
        #expect(markdown.contains("✓ **The best design point is 1"))
        #expect(markdown.contains("required: <= 100 |"), "a tile of the best point says what its limit is")
        #expect(markdown.contains("| point | outcome"), "what became of a point is seen on a narrow page, too")
        #expect(markdown.contains("at least 95 % the selected point"))
        #expect(TuningReport(result).caution.contains("Nothing in this goal limits it"))
    }

    @Test(
        "Only a limit that some design point breaks restricts a setting; ties within the indifference zone are listed"
    )
    func bindingLimits() async throws {
        func report(age: String, indifference: String = "90%") async throws -> TuningReport {
            let limit = "\"age_of_information_us{during_ride}.p95 <= \(age)\""
            let goal = "maximise: displayed_fresh_time_ratio, subject_to: [\(limit)], indifference: \(indifference)"
            return TuningReport(try await SmallSweep.tuning(vary: "content.ttl: [60s, 90s]", goal: goal))
        }
        let loose = try await report(age: "1h")
        #expect(loose.caution.contains("No design point breaks `age_of_information_us{during_ride}.p95 <= 1h`"))
        #expect(
            loose.headline.contains(#/Design point [01] is as good: within the indifference zone of 90/#),
            "\(loose.headline)"
        )
        // The outcome of the other point agrees with the headline.
        func outcomes(_ report: TuningReport) -> [String] { (0...1).map(report.verdict) }
        #expect(outcomes(loose).contains { $0.hasPrefix("as good as ") }, "\(outcomes(loose))")
        let apart = try await report(age: "1h", indifference: "0.1%")
        #expect(
            outcomes(apart).contains { $0.hasPrefix("worse than 1 by ") } && !apart.headline.contains("zone"),
            "\(outcomes(apart))"
        )
        let tight = try await report(age: "1s")
        #expect(tight.caution.contains("It is limited by `age_of_information_us{during_ride}.p95 <= 1s`."))
    }

    @Test("Of points with equal costs that need no run the first is chosen, and the others are listed")
    func equalCosts() async throws {
        let result = try await SmallSweep.tuning(
            vary: "sender.connections: [2, 3], content.refresh: [60s, 90s, 200s]",
            goal: "minimise: sender.connections, subject_to: [\"events_count > 1\"]"
        )
        #expect(
            TuningReport(result).headline
                == "The best design point is 0: sender.connections = 2, content.refresh = 60s. "
                + "Design points 1 and 2 are equally good; the first of equals is selected."
        )
        // The indifference zone may be a difference of costs, too; then no point is equal.
        let coarse = try await SmallSweep.tuning(
            vary: "sender.connections: [2, 3, 9]",
            goal: "minimise: sender.connections, indifference: 2"
        )
        #expect(TuningReport(coarse).headline.contains(" Design point 1 is as good: within the indifference zone of 2"))
    }

    @Test("The result says first if no setting is better than the present one, or if the present one is the best")
    func presentSetting() async throws {
        func headline(_ levels: String) async throws -> String {
            let goal = "maximise: displayed_fresh_time_ratio, indifference: 1%"
            let report = TuningReport(try await SmallSweep.tuning(vary: levels, goal: goal))
            #expect(report.text().hasPrefix(report.headline))
            return report.headline
        }
        // With this little time left a retry has no effect: both points do the same in every replication.
        let tie = try await headline("monitor.fresh_limit: [25m, 30s], content.ttl: [90s]")
        #expect(
            tie.hasPrefix("No setting is better beyond chance than the present one, design point 1. "),
            "\(tie)"
        )
        let present = try await headline("content.ttl: [30s, 90s]")
        #expect(present == "The best design point is 1, the present setting: content.ttl = 90s.")
        let better = try await headline("content.ttl: [90s, 15m]")
        #expect(better == "The best design point is 1: content.ttl = 15m.")
    }

    @Test("If a point other than the leader is certainly better than the present one, only that is reported")
    func aSurerPoint() async throws {
        let result = try await SmallSweep.tuning(
            vary: "monitor.fresh_limit: [25m, 30s, 26m], content.ttl: [90s]",
            goal: "maximise: displayed_fresh_time_ratio, indifference: 1%"
        )
        // The leader is much better in one replication of a few, the third point slightly better in each.
        func gains(of point: Int, in replication: Int, third: Double) -> Double {
            let noise = replication.isMultiple(of: 2) ? 0.001 : 0
            return [replication == 0 ? 0.1 : -0.001, 0, third - third * noise][point]
        }
        func headline(third: Double) -> String {
            let samples = result.samples.indices.map { point in
                result.samples[point]
                    .map { sample in
                        let value = 0.5 + gains(of: point, in: sample.replication, third: third)
                        return sample.with(value)
                    }
            }
            return TuningReport(
                TuningResult(tuning: result.tuning, outcome: result.outcome, samples: samples, beside: [])
            )
            .headline
        }
        #expect(
            headline(third: 0.03)
                .hasPrefix(
                    "The best point is statistically tied with the present setting, design point 1, but design point 2 is better than "
                        + "the present setting beyond chance."
                )
        )
        #expect(headline(third: 0).hasPrefix("No setting is better beyond chance than the present one"))
        #expect(headline(third: -0.01).hasPrefix("No setting is better beyond chance than the present one"))
    }

    @Test("A lead of a few events is reported as such and marked as uncertain")
    func fewEvents() async throws {
        let result = try await SmallSweep.tuning(
            vary: "content.refresh: [60s, 200s]",
            goal: "minimise: stale_episodes_count, indifference: 0.1"
        )
        #expect(result.best?.number == 0)
        func report(_ counts: [[Double]]) -> TuningReport {
            let samples = result.samples.indices.map { point in
                result.samples[point]
                    .map { sample in
                        let value = counts[point][min(sample.replication, 1)]
                        return sample.with(value)
                    }
            }
            return TuningReport(
                TuningResult(tuning: result.tuning, outcome: result.outcome, samples: samples, beside: [])
            )
        }
        // By replication: the first, then all others.
        let few = report([[0, 0], [3, 0]])
        #expect(
            few.headline.contains(
                "Too few events decide its lead over design point 1 in `stale_episodes_count`, so chance may explain it"
            ),
            "\(few.headline)"
        )
        #expect(few.blocks.markdown.contains("? **The best design point is 0"))
        #expect(
            few.guarantee.contains("There is no guarantee against design point 1: too few events decide the lead.")
        )
        let many = report([[0, 1], [20, 21]])
        #expect(!many.headline.contains("Too few events"), "\(many.headline)")
        #expect(many.blocks.markdown.contains("✓ **The best design point is 0"))
    }

    @Test("A limit within the interval of a point's mean is reported as uncertain, whatever the search decided")
    func limitsInDoubt() async throws {
        func result(_ limit: String) async throws -> TuningResult {
            try await SmallSweep.tuning(
                """
                factors:
                  vary: {content.refresh: [60s, 200s]}
                  goal:
                    maximise: displayed_fresh_time_ratio
                    subject_to: ["pushes_per_activity <= \(limit)"]
                    indifference: 1%
                    tolerance: 0.5
                """
            )
        }
        let clear = try await result("100")
        #expect(TuningReport(clear).guarantee[0].hasPrefix("With a probability of at least 95 %"))
        #expect(clear.limitsInDoubt(of: 0).isEmpty && TuningReport(clear).verdict(0) == "**selected**")
        let mean = clear.outcome.systems[0].means[1]
        // Just above and just below the mean, both within any interval of it.
        for (limit, verb) in [(mean + 0.001, "meets"), (mean - 0.001, "breaks")] {
            let near = try await result("\((limit * 10_000).rounded() / 10_000)")
            #expect(near.limitsInDoubt(of: 0) == [0])
            let (text, verdict) = (TuningReport(near).blocks.markdown, TuningReport(near).verdict(0))
            #expect(
                verdict.hasSuffix("undecided after \(near.outcome.systems[0].replications) replications"),
                "\(verdict)"
            )
            #expect(!verdict.hasPrefix("breaks"))
            let picture = try #require(Chart.tuning(near)).text
            #expect(
                picture.contains("statistically tied with a limit") == verdict.hasPrefix("judged beyond"),
                "\(verdict)"
            )
            let (guarantee, mark) = (TuningReport(near).guarantee, TuningReport(near).mark)
            #expect(mark == "?")
            // The point with the better objective is selected or ruled out, and neither is sure.
            if near.best?.number == 0 {
                #expect(
                    guarantee[0]
                        .hasPrefix(
                            "The guarantee holds only if the selected point meets each limit by at least the tolerance. "
                        ),
                    "\(guarantee)"
                )
                #expect(guarantee[0].contains("cannot decide whether it meets `pushes_per_activity <="))
            } else {
                #expect(near.ruledOutInDoubt == [0])
                #expect(guarantee.contains { $0.hasPrefix("There is no guarantee against design point 0, which") })
            }
            if near.best?.number == 0 {
                #expect(text.contains("cannot decide whether it \(verb) `pushes_per_activity <="), "\(text)")
            }
        }
    }

    @Test("There is no guarantee if a ruled-out point may meet its limit, or if the budget is spent")
    func noGuarantee() async throws {
        let result = try await SmallSweep.tuning(
            vary: "content.refresh: [60s, 200s]",
            goal: "maximise: displayed_fresh_time_ratio, subject_to: ['pushes_per_activity <= 1'], indifference: 1%"
        )
        let sure = TuningReport(result)
        #expect(sure.mark == "✗" && sure.guarantee[0].hasPrefix("With a probability of at least "))
        // The second point's values lie on both sides of the limit.
        let samples = zip(result.samples, [false, true])
            .map { samples, isOpen in
                samples.map { sample in
                    let pushes = isOpen ? (sample.replication.isMultiple(of: 2) ? 0.9 : 1.1) : sample.values[1]
                    return TuningResult.Sample(
                        replication: sample.replication,
                        values: [sample.values[0], pushes],
                        terms: sample.terms,
                        volume: sample.volume
                    )
                }
            }
        let open = TuningReport(
            TuningResult(tuning: result.tuning, outcome: result.outcome, samples: samples, beside: [])
        )
        #expect(open.mark == "?")
        #expect(open.guarantee[0] == "There is no guarantee that every design point breaks a limit.")
        #expect(
            open.guarantee[1]
                == "Design point 1: 10 replications cannot decide whether it breaks `pushes_per_activity <= 1`: the interval of the "
                + "mean contains the limit.",
            "\(open.guarantee)"
        )
        let spent = TuningReport(
            try await SmallSweep.tuning(
                vary: "content.refresh: [60s, 61s]",
                goal: "maximise: displayed_fresh_time_ratio, indifference: 0.0001%, budget: 20"
            )
        )
        #expect(
            spent.guarantee == [
                "There is no guarantee: the budget of 20 replications was spent while design points 0 and 1 were left. A search "
                    + "with a larger `--budget` can decide."
            ]
        )
    }

    @Test("A best point at the end of the values that were tried has a remark; two values have no inside")
    func edges() async throws {
        func edges(_ values: String) async throws -> String {
            let goal = "minimise: pushes_per_activity, indifference: 0.5"
            return TuningReport(try await SmallSweep.tuning(vary: "content.refresh: \(values)", goal: goal)).edges
        }
        let remark = "200s is the largest value of `content.refresh` that was tried; a larger one may be better."
        #expect(try await edges("[200s, 50s, 100s]") == remark)
        #expect(try await edges("[50s, 200s]") == "")
        let least = try await SmallSweep.tuning(
            vary: "apns.loss: [0%, 20%, 40%]",
            goal: "maximise: ride_stage_coverage_ratio, indifference: 1%"
        )
        #expect(TuningReport(least).edges == "", "no loss is below 0")
    }

    @Test("Today's settings without a value of the objective are missing, with the reason")
    func missingToday() async throws {
        let result = try await SmallSweep.tuning(
            vary: "content.refresh: [50s, 200s]",
            goal: "minimise: pushes_per_activity, indifference: 0.5"
        )
        #expect(result.present != nil && result.noteOnAbsentPresent == nil)
        let absent = TuningResult(
            tuning: result.tuning,
            outcome: result.outcome,
            samples: result.samples,
            beside: result.samples[0].map { $0.with(.nan) }
        )
        let note =
            "Today's settings are missing: pushes_per_activity is undefined with them, because nothing happened that it measures."
        #expect(absent.present == nil && absent.noteOnAbsentPresent == note)
        #expect(TuningReport(absent).againstToday == [MarkdownText.escaped(note)])
        #expect(TuningReport(absent).text().contains(note))
        #expect(absent.json.text.contains("\"today_missing\": \"Today's"))
    }

    @Test("A selected point within the tolerance of a limit has a mark and words of its own")
    func withinTolerance() async throws {
        func report(_ limit: Double) async throws -> TuningReport {
            TuningReport(
                try await SmallSweep.tuning(
                    vary: "content.refresh: [60s, 200s]",
                    goal:
                        "maximise: displayed_fresh_time_ratio, subject_to: ['pushes_per_activity <= \(limit)'], indifference: 1%, "
                        + "tolerance: 0.2"
                )
            )
        }
        let clear = try await report(100)
        let mean = clear.result.outcome.systems[0].means[1]
        #expect(clear.mark == "✓" && clear.margins(of: 0) == "" && clear.verdict(0) == "**selected**")
        // The limit is a tenth above the mean, which is less than the tolerance of a fifth.
        let limit = (mean * 1100).rounded() / 1000
        let near = try await report(limit)
        #expect(near.result.best?.number == 0 && near.result.limitsInDoubt(of: 0).isEmpty)
        let margin = Format.distance(limit - mean, unit: "1", isShare: false)
        let tolerance = Format.distance(limit / 5, unit: "1", isShare: false)
        let words = "It meets `pushes_per_activity <= \(limit)` by \(margin), within the tolerance of \(tolerance)."
        #expect(near.mark == "≈" && near.headline.hasSuffix(words), "\(near.headline)")
        #expect(near.verdict(0) == "**selected**; within the tolerance of the limit of pushes_per_activity")
        #expect(
            near.guarantee[0].hasSuffix("meets each limit by at least the tolerance. \(words)"),
            "\(near.guarantee)"
        )
        #expect(near.blocks.markdown.contains("\n\n≈ **The best design point is 0"))
        #expect(near.result.json.text.contains("\"mark\": \"≈\""))
        let chart = try #require(Chart.tuning(near.result)).text
        #expect(chart.contains("; the selected point is within the tolerance of a limit"))
        let page = HTMLReport(blocks: near.blocks, figures: []).text
        #expect(page.contains("<p class=\"verdict unsure\">≈ "))
        let scratch = Scratch()
        for file in RunFiles(near.result).files { try scratch.write(file.text, to: "best/\(file.path)") }
        let brief = try Brief([scratch.path("best")], Brief.Options())
        #expect(brief.answer[0].hasPrefix("≈ The best design point is 0"))
        #expect(brief.text(Brief.Options()).contains("\n≈ **The best design point is 0"))
    }

    @Test("A limit broken by less than its tolerance gets a note, one broken by more does not")
    func tolerance() async throws {
        func result(limit: Double) async throws -> TuningResult {
            try await SmallSweep.tuning(
                """
                factors:
                  vary: {content.ttl: [30s, 90s]}
                  responses: [displayed_fresh_time_ratio]
                  goal:
                    maximise: displayed_fresh_time_ratio
                    subject_to: [pushes_per_activity <= \(limit)]
                    indifference: 1%
                    across_rulers: true
                """
            )
        }
        func verdicts(limit: Double) async throws -> [String] {
            let result = try await result(limit: limit)
            return result.tuning.sweep.points.indices.map { TuningReport(result).verdict($0) }
        }
        let mean = try await result(limit: 1000).outcome.systems[1].means[1]
        let near = try await verdicts(limit: mean * 0.995)
        #expect(near.contains { $0.contains("tolerance") }, "\(near)")
        let far = try await verdicts(limit: mean * 0.5)
        #expect(far.allSatisfy { $0 == "breaks the limit of pushes_per_activity" }, "\(far)")
    }

    @Test("A refusal names the tolerance that decides: half the margin by which the nearest point meets its limit")
    func decidingTolerance() async throws {
        func report(_ limit: Double, tolerance: Double) async throws -> (TuningReport, TuningResult) {
            let result = try await SmallSweep.tuning(
                """
                factors:
                  vary: {content.refresh: [60s, 200s]}
                  goal:
                    maximise: displayed_fresh_time_ratio
                    subject_to: ["pushes_per_activity <= \(limit) with 95%"]
                    indifference: 1%
                    tolerance: \(tolerance)
                """
            )
            return (TuningReport(result), result)
        }
        let mean = try #require(try await report(1000, tolerance: 0.01).1.outcome.systems.map { $0.means[1] }.min())
        // The margin is 4 % of the limit, so a tolerance of 2 % decides, written down to one digit.
        let (refusal, result) = try await report((mean / 0.96 * 1000).rounded() / 1000, tolerance: 0.2)
        #expect(result.best == nil)
        let digit = try #require(
            refusal.headline.firstMatch(of: /`--tolerance (0\.0[12])` would decide/),
            "\(refusal.headline)"
        )
        #expect(Double(digit.1) ?? 1 <= 0.02)
        #expect(refusal.headline.contains("too little to be certain"))
    }

    @Test("Today's setting runs beside the design, and the report states the difference and the pushes")
    func besideTheDesign() async throws {
        let result = try await SmallSweep.tuning(
            vary: "content.refresh: [50s, 200s]",
            goal: "minimise: pushes_per_activity, indifference: 0.5"
        )
        #expect(result.best?.number == 1)
        let present = try #require(result.present)
        #expect(present.system == nil && present.point.number == 2)
        #expect(present.point.levels.map(\.label) == ["1m"])
        #expect(present.samples.count == result.outcome.systems[1].replications)
        let saved = try #require(result.change(of: 0, at: 1))
        #expect(
            saved.difference < 0 && abs(saved.present + saved.difference - result.outcome.systems[1].means[0]) < 1e-9
        )
        let report = TuningReport(result)
        #expect(report.againstToday[0].hasPrefix("Today is content.refresh = 1m (beside the design, "))
        #expect(report.againstToday[1].hasPrefix("Design point 1 against today: `pushes_per_activity` −"))
        #expect(report.againstToday[2].hasPrefix("Pushes per run of 20 min for the 20 rides simulated: "))
        #expect(report.numbers.map(\.name) == ["pushes_per_activity"])
        #expect(report.blocks.markdown.contains("## Against today"))
        // The selected point comes first.
        let rows = report.text().split(separator: "\n").filter { $0.contains("selected") || $0.contains("worse than") }
        #expect(rows.first?.contains("selected") == true && rows.count == 2)
    }
}

extension TuningResult.Sample {
    /// Returns the sample with another value of its objective.
    fileprivate func with(_ value: Double) -> TuningResult.Sample {
        TuningResult.Sample(replication: replication, values: [value], terms: [value], volume: volume)
    }
}
