import Evaluation
import LiveActivityModel
import Quantities
import ScenarioLanguage
import Studies
import TestSupport
import Testing
import TextFormats

@testable import Reporting

@Suite("Briefs")
struct BriefTests {
    private let scratch = Scratch()

    private static let factors = """
        factors:
          vary: {content.refresh: [50s, 200s]}
          responses: [ride_stage_coverage_ratio, pushes_per_activity]
        """

    /// Writes the files of results to a directory of a test.
    private func write(_ files: RunFiles, to name: String) throws -> String {
        for file in files.files { try scratch.write(file.text, to: "\(name)/\(file.path)") }
        return "\(scratch.path)/\(name)"
    }

    @Test("A sweep's brief begins with the point that saves most against today, with pushes and money")
    func sweep() async throws {
        // 60 s shows as much as today's 50 s. 200 s may show less: its loss is within the reach of chance.
        let factors = Self.factors.replacing("[50s,", with: "[60s,")
        let analysis = try await SmallSweep.analysis(factors, refresh: "50s", replications: 5)
        let directory = try write(RunFiles(analysis.result), to: "sweep")
        var options = Brief.Options()
        options.question = "Refresh <less>?"
        options.price = PushPrice(parsing: "1000000 EUR")
        options.rides = 40
        let brief = try Brief([directory], options)
        let text = brief.text(options)
        #expect(text.hasPrefix("# Refresh &lt;less>?\n\n✓ **The lowest `pushes_"), "\(text)")
        #expect(
            text.contains("without a loss of `ride_stage_coverage_ratio` against today: content.refresh = 60s"),
            "\(text)"
        )
        let pushes = try #require(brief.pushes)
        #expect(pushes.rides == 20 && pushes.period == "per run of 20 min")
        // Twice the rides simulated, and one euro a push.
        let today = Format.count(mean: ((pushes.today ?? 0) * 2).rounded())
        #expect(text.contains(" \(today) | "), "\(text)")
        #expect(
            text.contains("cost per run of 20 min (40 rides)") && text.contains("1,000,000.00 EUR per million pushes")
        )
        #expect(text.contains("from the 20 rides simulated to 40 rides"))
        #expect(text.contains("freshet run \(directory)/scenario.resolved.yaml --replications 5 --output again"))
        #expect(text.contains("no scenario file with the name `small` marks any"))
        #expect(brief.chart?.path == "charts/pareto.vl.json")
    }

    @Test(
        "An answer for each world is announced, and the map is that of the deciding response",
        arguments: [("1%", "does not depend"), ("85%", "depends")]
    )
    func worlds(share: String, words: String) async throws {
        let factors = """
            factors:
              vary: {apns.loss: [0%, 50%], content.refresh: [60s, 200s]}
              responses: [ride_stage_coverage_ratio, pushes_per_activity]
            checks: [ride_stage_coverage_ratio > \(share)]
            """
        let analysis = try await SmallSweep.analysis(factors)
        let directory = try write(RunFiles(analysis.result), to: "sweep")
        let brief = try Brief([directory], Brief.Options())
        #expect(brief.answer[0] == "The answer \(words) on apns.loss.", "\(brief.answer)")
        #expect(brief.answer[1].hasPrefix("Where apns.loss = 0%: "))
        #expect(brief.chart?.path == "charts/map-ride-stage-coverage-ratio.vl.json")
    }

    /// Writes the results of a search for the refresh with the fewest pushes.
    private func written() async throws -> String {
        let result = try await SmallSweep.tuning(
            vary: "content.refresh: [50s, 200s]",
            goal: "minimise: pushes_per_activity, indifference: 0.5"
        )
        return try write(RunFiles(result), to: "best")
    }

    @Test("A search's brief has its outcome, its guarantee and today's numbers")
    func search() async throws {
        let directory = try await written()
        let options = Brief.Options()
        let brief = try Brief([directory], options)
        #expect(brief.answer[0] == "✓ The best design point is 1: content.refresh = 200s.")
        #expect(brief.certainty[0].hasPrefix("With a probability of at least 95 % the selected point is the best"))
        let basis = try #require(brief.certainty.last)
            .wholeMatch(
                of: /The table is over the [0-9]+ replications that both today and design point 1 have\./
            )
        #expect(basis != nil, "\(brief.certainty)")
        let row = try #require(brief.numbers.first)
        #expect(row.name == "pushes_per_activity" && !row.today.isEmpty && row.difference.hasPrefix("−"))
        #expect(row.row[0].hasPrefix("pushes per activity"))
        #expect(brief.command == "freshet tune \(directory)/scenario.resolved.yaml --output again")
        #expect(brief.text(options).hasPrefix("# A few rides.\n"))
    }

    @Test(
        "A brief is not titled by a description for other values",
        arguments: [
            ("", [], "A quiet hour."), ("", ["content.ttl=80s"], "made: APNs silent (12:05 to 12:06)"),
            ("extends: base.yaml\n", [], "made: APNs silent (12:05 to 12:06)"),
        ] as [(String, [String], String)]
    )
    func title(extends: String, settings: [String], title: String) async throws {
        let rest = """
            description: A quiet hour.
            clock: {duration: 20m, drain: 10m, starts_at: 12:00}
            rides: {arrivals: {process: even, count: 20, spread: 10m}, stages: [{name: trip, duration: 9m}]}
            content: {ttl: 90s, refresh: 60s}
            faults: [{kind: apns_silent, at: 5m, duration: 1m}]
            """
        try scratch.write("name: base\n" + rest, to: "base.yaml")
        try scratch.write(extends + "name: made\n" + (extends.isEmpty ? rest : ""), to: "made.yaml")
        let scenario = try ScenarioReader.read(file: scratch.path("made.yaml"), settings: settings).scenario
        let directory = try write(RunFiles(try await RunResult.running(scenario)), to: "made")
        #expect(try Brief([directory], Brief.Options()).question == title)
    }

    @Test("The brief of a search without a feasible point has the nearest point beside today's, with the pushes")
    func infeasible() async throws {
        let result = try await SmallSweep.tuning(
            vary: "content.refresh: [200s, 50s]",
            goal: "minimise: pushes_per_activity, subject_to: ['ride_fresh_coverage_ratio >= 99.5%'], indifference: 0.5"
        )
        let brief = try Brief([try write(RunFiles(result), to: "best")], Brief.Options())
        #expect(brief.heading == "nearest, point 1")
        #expect(brief.numbers.map(\.name) == ["pushes_per_activity", "ride_fresh_coverage_ratio"])
        #expect(brief.numbers.allSatisfy { !$0.today.isEmpty && !$0.difference.isEmpty })
        #expect(brief.numbers[1].required == ">= 99.5%")
        let volumes = try #require(result.volumes(at: 1))
        #expect(brief.pushes.map { $0.proposed > ($0.today ?? 0) } == (volumes.point.pushes > volumes.present.pushes))
        #expect(brief.text(Brief.Options()).contains("today | nearest, point 1"), "\(brief.text(Brief.Options()))")
    }

    @Test("A further sweep puts the assumptions in the order in which they move the answer")
    func order() async throws {
        let directory = try await written()
        let study = """
            factors:
              vary: {apns.loss: [0%, 1%], devices.connectivity.offline.exponential.mean: [10s, 5m]}
              responses: [ride_stage_coverage_ratio]
            """
        let analysis = try await SmallSweep.analysis(study, replications: 5)
        let moving = try write(RunFiles(analysis.result), to: "study")
        let brief = try Brief([directory, moving], Brief.Options())
        // The search minimises pushes, so the order of effects on the stage is not that of effects on the answer.
        #expect(brief.assumptions.isEmpty && brief.otherEffects.count == 1)
        #expect(
            brief.otherEffects[0]
                .hasPrefix("`devices.connectivity.offline.exponential.mean` moves `ride_stage_coverage_ratio` by ")
        )
        // The brief of a sweep ranks the effects on its own response.
        let own = try Brief([moving], Brief.Options())
        #expect(own.assumptions == brief.otherEffects && own.otherEffects.isEmpty)
        #expect(
            own.order.hasPrefix("Assumptions, those that move the answer's `ride_stage_coverage_ratio` most first.")
        )
        #expect(own.order.contains(" No visible effect on `ride_stage_coverage_ratio`: `apns.loss`."))
    }

    @Test("Effects on the answer's own response are ranked; those on other responses are listed apart by response")
    func mergedOrder() async throws {
        let directory = try await written()
        // The first has a weak and a strong factor, the second one between them, in another unit.
        let movers = [
            ("first", "ride_stage_coverage_ratio", [("apns.loss", "1 pp", 0.01), ("rides.trip", "30 pp", 0.3)]),
            // The search chooses content.refresh, and the last has no effect.
            (
                "second", "pushes_per_activity",
                [
                    ("content.refresh", "9", 0.9), ("apns.latency", "4", 0.1), ("apns.loss", "0", 0.0001),
                    ("rides.x", "0", 0),
                ]
            ),
            ("third", "pushes_per_activity", [("rides.y", "7", 0.2)]),
        ]
        var paths: [String] = []
        for (name, response, factors) in movers {
            let list = factors.map { "{\"factor\": \"\($0)\", \"by\": \"\($1)\", \"effect\": \($2)}" }
            try scratch.write(
                "{\"deciding_response\": \"\(response)\", \"movers\": [\(list.joined(separator: ", "))]}",
                to: "\(name)/sweep.json"
            )
            paths.append("\(scratch.path)/\(name)")
        }
        let brief = try Brief([directory] + paths, Brief.Options())
        #expect(
            brief.assumptions == [
                "`rides.y` moves `pushes_per_activity` by 7", "`apns.latency` moves `pushes_per_activity` by 4",
            ]
        )
        #expect(
            brief.otherEffects == [
                "`rides.trip` moves `ride_stage_coverage_ratio` by 30 pp",
                "`apns.loss` moves `ride_stage_coverage_ratio` by 1 pp",
            ]
        )
        #expect(
            brief.order
                == "Assumptions, those that move the answer's `pushes_per_activity` most first. "
                + "No visible effect on `pushes_per_activity`: `apns.loss` and `rides.x`."
        )
        #expect(
            brief.text(Brief.Options())
                .contains("\n\nEffects on other responses, in the order of the sweeps:\n\n- `rides.trip` moves ")
        )
        // A real sweep has the effects.
        let study = "factors: {vary: {apns.loss: [0%, 50%]}, responses: [ride_stage_coverage_ratio]}"
        let analysis = try await SmallSweep.analysis(study, replications: 5)
        let effect = try #require(SweepAnswer(analysis: analysis).movers.first?.effect)
        #expect(effect > 0 && effect < 1)
    }

    @Test("An inherited assumption names its file and follows those of the scenario file")
    func inherited() async throws {
        try scratch.write(
            """
            name: new-york
            seed: 7
            clock: {duration: 20m, drain: 10m}
            rides: {arrivals: {process: even, count: 20, spread: 10m}, stages: [{name: trip, duration: 9m}]}
            content: {ttl: 90s, refresh: 60s} # assumption: as in New York
            """,
            to: "new-york.yaml"
        )
        try scratch.write(
            "extends: new-york.yaml\nname: rome\nmonitor: {fresh_limit: 30s} # assumption: patient Romans\n",
            to: "rome.yaml"
        )
        let scenario = try ScenarioReader.read(file: scratch.path("rome.yaml")).scenario
        let directory = try write(RunFiles(try await RunResult.running(scenario)), to: "rome")
        var options = Brief.Options()
        options.scenario = scratch.path("rome.yaml")
        let brief = try Brief([directory], options)
        #expect(
            brief.assumptions == [
                "`monitor` = `{fresh_limit: 30s}` (assumed: patient Romans)",
                "`content` = `{ttl: 90s, refresh: 60s}` (assumed in new-york.yaml: as in New York)",
            ]
        )
        #expect(brief.order.contains("first those of the scenario file, then those of files that it extends"))
    }

    @Test("The brief of a search that was stopped says what is missing and how to finish it")
    func unfinished() throws {
        try scratch.write("", to: ".best.tasks/1.task")
        try scratch.write("", to: ".best.tasks/2.task")
        let error = #expect(throws: Brief.Failure.self) { try Brief([scratch.path("best")], Brief.Options()) }
        let text = try #require(error?.description)
        #expect(
            text.contains("has no results yet, because its sweep or search was stopped or still runs; 2 replications ")
        )
        #expect(text.contains("with --output \(scratch.path)/best) continues from there"))
        #expect(error?.failure == .inputMissing)
    }

    @Test("A run's brief names each check with its value, each fault with its recovery, and the cards given up")
    func run() async throws {
        let texts = [
            "displayed_fresh_time_ratio >= 10%", "pushes_per_activity < 1", "ride_fresh_coverage_ratio >= 1%",
        ]
        let checks = try texts.map { Check(try Comparison(parsing: $0)) }
        let yaml = """
            name: small
            seed: 7
            clock: {duration: 20m, drain: 10m, window: 1m, starts_at: "12:00"}
            rides: {arrivals: {process: even, count: 20, spread: 10m}, stages: [{name: trip, duration: 9m}]}
            content: {ttl: 90s, refresh: 60s}
            faults: [{kind: apns_silent, at: 5m, duration: 4m}]
            """
        try scratch.write(yaml, to: "small.yaml")
        let scenario = try ScenarioReader.read(file: scratch.path("small.yaml")).scenario
        let result = try await RunResult.running(scenario)
        let files = RunFiles(result, checks: try CheckOutcome.outcomes(of: checks, in: result))
        let directory = try write(files, to: "run")
        let brief = try Brief([directory], Brief.Options())
        let answer = brief.answer
        #expect(answer[0] == "✗ 3 checks: 2 passed, 1 failed.", "\(answer)")
        #expect(answer[1].hasPrefix("pushes per activity: ") && answer[1].hasSuffix(", must be < 1: failed."))
        #expect(answer[2].hasPrefix("fresh, of screen time: ") && answer[2].hasSuffix(", must be >= 10%: passed."))
        #expect(answer[3].hasPrefix("fresh card, of ride time: "))
        #expect(answer[4].hasPrefix("APNs silent, 12:05 to 12:09: fresh on phones during rides "), "\(answer)")
        #expect(answer[4].contains("; back: by ") && answer.count == 6)
        #expect(answer[5].hasPrefix("Nothing saturated: at most "), "\(answer[5])")
        #expect(answer[5].hasSuffix(" APNs itself has no limit in this scenario."))
        #expect(brief.numbers.contains { $0.name.hasPrefix("cards given up as severely stale") })
        #expect(MetricWords.name(of: "send_wait_us.p99@worst:5m") == "wait in the sender, p99, `@worst:5m`")
    }

    @Test("A run without checks begins with its ride time and its first limit")
    func unchecked() async throws {
        let result = try await RunResult.running(.offlinePhones)
        let directory = try write(RunFiles(result), to: "run")
        let answer = try Brief([directory], Brief.Options()).answer
        let report = Report(result)
        #expect(answer[0] == "\(report.numbers.rideTime) \(report.firstLimit[0])", "\(answer)")
        #expect(answer[0].hasPrefix("Of ride time: fresh card ") && answer[0].contains(" Nothing saturated: at most "))
        #expect(answer.last == "The scenario has no checks: it sets no limits to decide by.")
    }

    @Test("Two runs of one replication each have no sure verdict, and the chart has the names of the table")
    func single() async throws {
        var scenario = Scenario.offlinePhones
        let today = try write(RunFiles(try await RunResult.running(scenario)), to: "x")
        scenario.apns.loss = Probability(0.5)
        let change = try write(RunFiles(try await RunResult.running(scenario)), to: "y")
        let brief = try Brief([today, change], Brief.Options())
        #expect(
            brief.answer[0]
                .hasPrefix(
                    #"? One replication of each, so it may be chance: the change is worse: "fresh card, of ride time", "right stage"#
                ),
            "\(brief.answer)"
        )
        // The table lacks this one.
        let worse = try #require(brief.answer.first { $0.hasPrefix("Worse: ") })
        let named = brief.numbers.suffix(worse.split(separator: ";").count)
        #expect(
            named.allSatisfy { worse.contains($0.difference) && !$0.today.isEmpty && !$0.proposed.isEmpty },
            "\(named)"
        )
        #expect(worse.contains(#""age of content during rides, p95" +"#), "\(worse)")
        let chart = try #require(brief.chart)
        #expect(chart.text.contains("\"series\": \"today\"") && chart.text.contains("\"series\": \"change\""))
        #expect(chart.text.contains("today dashed") && !chart.text.contains("\"series\": \"A\""))
    }

    @Test("Two runs: the verdict speaks of the change, and shares of ride time add up as printed")
    func pair() async throws {
        var scenario = Scenario.offlinePhones
        let today = try write(
            RunFiles(try await RunResult.running(scenario, replications: 5)),
            to: "today"
        )
        scenario.apns.loss = Probability(0.5)
        let change = try write(
            RunFiles(try await RunResult.running(scenario, replications: 5)),
            to: "change"
        )
        let brief = try Brief([today, change], Brief.Options())
        #expect(brief.answer[0].hasPrefix("✗ The change is worse: "), "\(brief.answer)")
        let shares = brief.numbers.prefix(3)
        for texts in [shares.map(\.today), shares.map(\.proposed)] {
            let hundredths = texts.compactMap { Double("\($0.dropLast(2))") }.map { Int(($0 * 100).rounded()) }
            #expect(hundredths.reduce(0, +) == 10_000, "\(texts)")
        }
        #expect(brief.command.hasSuffix("--output again-change"))
        #expect(brief.answer.contains { $0.hasPrefix("Today: Nothing saturated: at most ") })
        #expect(brief.answer.contains { $0.hasPrefix("With the change: Nothing saturated: at most ") })
    }

    @Test("Results that an earlier version wrote, or that do not fit together, are refused with what to do")
    func refusals() async throws {
        try scratch.write("{\"name\": \"old\"}", to: "old/sweep.json")
        try scratch.write(
            "name: old\nclock: {duration: 1h}\nrides: {arrivals: {process: even, count: 1, spread: 1m}, stages: [{name: a, duration: 1m}]}",
            to: "old/scenario.resolved.yaml"
        )
        #expect {
            try Brief([scratch.path("old")], Brief.Options())
        } throws: {
            "\($0)".contains("has no answer: an earlier version of freshet wrote it; repeat the command that did")
        }
        try scratch.write("{}", to: "fit/fit.json")
        #expect {
            try Brief([scratch.path("fit")], Brief.Options())
        } throws: {
            "\($0)".hasSuffix("has a fit; a brief is made of simulated runs, sweeps and searches")
        }
    }

    @Test("A price is a number and a currency")
    func price() {
        #expect(PushPrice(parsing: "0.50 EUR")?.text(2_000_000) == "1.00 EUR")
        #expect(PushPrice(parsing: "1 €")?.text(500_000) == "0.50 €")
        for wrong in ["", "1", "EUR", "-1 EUR", "nan EUR", "1 EUR 2", "1 <b>"] {
            #expect(PushPrice(parsing: wrong) == nil, "\(wrong)")
        }
    }
}
