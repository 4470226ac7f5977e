import Foundation
import LiveActivityModel
import Quantities
import SimulationKernel
import TestSupport
import Testing

@testable import Experiments

/// Run directories written by hand: what the reader makes of them.
@Suite("Comparing recorded runs")
struct RunComparisonTests {
    private static let description = """
        {"fingerprint": "00ff", "replications": 3, "run_id": "abcd", "schema_version": 1, "seed": 7}
        """
    private static let header = "replication,scope,metric,stat,unit,value\n"

    private static func rows(_ metric: String, _ stat: String, _ unit: String, _ values: [String]) -> String {
        values.enumerated().map { "\($0.offset),all,\(metric),\(stat),\(unit),\($0.element)\n" }.joined()
    }

    private static let values = header + rows("pushes_per_activity", "ratio", "1", ["10.000000", "20.5", "30"])

    /// Writes a run directory, hands it over and takes it away.
    private func withRun<Value>(
        _ description: String = description,
        _ scenario: Scenario = .smallPoisson,
        values: String? = values,
        _ body: (String) throws -> Value
    ) throws -> Value {
        let directory = try TestDirectory()
        _ = try directory.write(description, to: "run.json")
        _ = try directory.write(ScenarioWriter.resolvedYAML(scenario), to: "scenario.resolved.yaml")
        if let values { _ = try directory.write(values, to: "replications.csv") }
        return try body(directory.path)
    }

    private func compare(
        _ change: (inout Scenario) -> Void,
        options: RunComparison.Options = .init(responses: [Response(metric: "pushes_per_activity")]),
        description: String = description,
        values: String? = values
    ) throws -> RunComparison {
        var other = Scenario.smallPoisson
        change(&other)
        return try withRun { first in
            try withRun(description, other, values: values) { second in
                try RunComparison(RecordedRun(directory: first), RecordedRun(directory: second), options)
            }
        }
    }

    /// Else a longer TTL would pass every gate, though no phone shows newer content.
    @Test("By another ruler nothing is better or worse, and a note says so; by the others it is")
    func rulers() throws {
        let values = Self.values + Self.rows("displayed_fresh_time_ratio", "ratio", "1", ["0.5", "0.5", "0.5"])
        let fresher =
            Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["11", "21.5", "31"])
            + Self.rows("displayed_fresh_time_ratio", "ratio", "1", ["0.9", "0.9", "0.9"])
        let responses = ["displayed_fresh_time_ratio", "pushes_per_activity"].map { Response(metric: $0) }
        func compare(_ change: (inout Scenario) -> Void) throws -> RunComparison {
            var other = Scenario.smallPoisson
            change(&other)
            return try withRun(values: values) { first in
                try withRun(Self.description.replacing("abcd", with: "abce"), other, values: fresher) { second in
                    let options = RunComparison.Options(responses: responses)
                    return try RunComparison(RecordedRun(directory: first), RecordedRun(directory: second), options)
                }
            }
        }
        let longer = try compare { $0.content.ttl = .minutes(10) }
        #expect(longer.metrics.map(\.verdict) == [.otherRuler, .worse])
        #expect(longer.metrics[0].otherRulers == ["content.ttl"])
        #expect(longer.verdict == .worse)
        #expect(
            longer.notes == [
                "content.ttl differs, and with it what is measured: displayed_fresh_time_ratio has no verdict. Stage coverage, "
                    + "stage lags and ages during rides are measured alike in both runs."
            ]
        )
        // What screens show does not depend on the monitor's limit, what it believes does.
        let later = try compare { $0.monitor.freshLimit = .minutes(5) }
        #expect(later.metrics.map(\.verdict) == [.better, .worse])
        #expect(later.notes.isEmpty)
    }

    @Test("A run that was ended early has no verdict in anything: its part may be the easy one")
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
        let responses = ["pushes_per_activity", "ride_stage_coverage_ratio"].map { Response(metric: $0) }
        let description = Self.description.replacing("\"replications\": 3", with: "\"replications\": 1")
        let comparison = try withRun(description, values: before) { first in
            try withRun(live, values: after) { second in
                try RunComparison(
                    RecordedRun(directory: first),
                    RecordedRun(directory: second),
                    RunComparison.Options(responses: responses)
                )
            }
        }
        #expect(comparison.metrics.map(\.verdict) == [.otherRuler, .undefined])
        #expect(comparison.metrics.allSatisfy(\.isUnjudged) && comparison.verdict == .nothingJudged)
        #expect(
            comparison.notes.contains { $0.hasPrefix("B was ended early: all its values are of the part that ran") }
        )
    }

    /// By hand: the quotient goes from 10/100 to 19/100, its replications' own mean from 0.5 to 0.55.
    ///
    /// Of 0.063, 0.117 and 0.09 the mean is 0.09 and the standard error 0.027/√3; t(0.975; 2) = 4.302652729911.
    @Test("Pooled, a difference is that of the quotients of the sums, with the interval of the delta method")
    func pooled() throws {
        func values(_ ratios: [String], _ numerators: [String]) -> String {
            Self.header + Self.rows("ride_fresh_coverage_ratio", "ratio", "1", ratios)
                + Self.rows("ride_fresh_coverage_ratio", "numerator", "us", numerators)
                + Self.rows("ride_fresh_coverage_ratio", "denominator", "us", ["10", "90", "0"])
        }
        func compare(isPooled: Bool) throws -> MetricComparison {
            try withRun(values: values(["1", "0", ""], ["10", "0", "0"])) { first in
                try withRun(
                    Self.description.replacing("00ff", with: "00fe"),
                    values: values(["1", "0.1", ""], ["10", "9", "0"])
                ) { second in
                    var options = RunComparison.Options(responses: [Response(metric: "ride_fresh_coverage_ratio")])
                    options.isPooled = isPooled
                    let runs = (try RecordedRun(directory: first), try RecordedRun(directory: second))
                    return try RunComparison(runs.0, runs.1, options).metrics[0]
                }
            }
        }
        let means = try compare(isPooled: false)
        #expect(means.first == 0.5 && means.second == 0.55 && means.isPartial)
        let pooled = try compare(isPooled: true)
        let (first, second) = (try #require(pooled.first), try #require(pooled.second))
        #expect(abs(first - 0.1) < 1e-12 && abs(second - 0.19) < 1e-12)
        let halfWidth = 4.302652729911 * 0.027 / 3.0.squareRoot()
        let detectable = try #require(pooled.detectable)
        #expect(abs(detectable - halfWidth) < 1e-9)
        #expect(pooled.counts == .pairs(3) && !pooled.isPartial)
    }

    /// Where screens die, no stage is wrong on them.
    @Test(
        "Less of the time on screens in a wrong stage is better where that time is the same, or has hardly moved",
        arguments: [
            (["100", "101", "102"], MetricComparison.Verdict.better), (["70", "71", "73"], .otherRuler),
            (["99", "100", "101"], .better),
        ]
    )
    func timeOnScreens(after: [String], verdict: MetricComparison.Verdict) throws {
        func values(_ ratios: [String], _ time: [String]) -> String {
            Self.header + Self.rows("wrong_stage_time_ratio", "ratio", "1", ratios)
                + Self.rows("wrong_stage_time_ratio", "denominator", "us", time)
        }
        let comparison = try withRun(values: values(["0.10", "0.11", "0.12"], ["100", "101", "102"])) { first in
            try withRun(
                Self.description.replacing("00ff", with: "00fe"),
                values: values(["0.08", "0.09", "0.10"], after)
            ) { second in
                try RunComparison(
                    RecordedRun(directory: first),
                    RecordedRun(directory: second),
                    RunComparison.Options(responses: [Response(metric: "wrong_stage_time_ratio")])
                )
            }
        }
        #expect(comparison.metrics.map(\.verdict) == [verdict])
    }

    /// Else a monitor that gives up more activities needs fewer pushes, and one that recovers the easy ones is quick.
    @Test("A mean over others than before is not better where their count has moved; a worse one is worse")
    func populations() throws {
        func values(pushes: [String], recovery: [String], recovered: [String], severe: [String]) -> String {
            Self.header + Self.rows("pushes_per_activity", "ratio", "1", pushes)
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
        func compare(_ after: String, with before: String) throws -> RunComparison {
            try withRun(values: before) { first in
                try withRun(Self.description.replacing("00ff", with: "00fe"), values: after) { second in
                    let responses = ["recovery_time_us", "pushes_per_activity"].map { Response(metric: $0) }
                    return try RunComparison(
                        RecordedRun(directory: first),
                        RecordedRun(directory: second),
                        RunComparison.Options(responses: responses)
                    )
                }
            }
        }
        let after = values(
            pushes: ["20", "21", "22"],
            recovery: ["400", "410", "420"],
            recovered: ["700", "705", "711"],
            severe: ["250", "252", "255"]
        )
        let fewer = try compare(after, with: before)
        #expect(fewer.metrics.map(\.response) == ["recovery_time_us", "pushes_per_activity"])
        #expect(fewer.metrics.map(\.verdict) == [.otherRuler, .otherRuler])
        #expect(fewer.metrics.map(\.otherRulers) == [["recovered_count"], ["ended_severe_count"]])
        #expect(fewer.verdict == .nothingJudged)
        #expect(
            fewer.notes.contains {
                $0.hasPrefix(
                    "recovered_count and ended_severe_count differ, and with it what is measured: recovery_time_us, "
                )
                    && $0.contains("what is left over may be the easy part")
            }
        )
        // Two hundred of a hundred thousand cannot make a third of all pushes.
        func among100000(_ values: String) -> String { values.replacing(",1000\n", with: ",100000\n") }
        let few = try compare(among100000(after), with: among100000(before))
        #expect(few.metrics.map(\.verdict) == [.otherRuler, .better])
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
        // Fewer that were given up are no reason to doubt fewer pushes, nor is a count that chance has moved.
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

    /// Else a longer outage recovers sooner, and needs fewer pushes.
    @Test("By another fault, what it leaves is neither better nor worse, and a note says so; what counts all rides is")
    func faults() throws {
        let values =
            Self.values + Self.rows("recovery_time_us", "mean", "us", ["500", "500", "500"])
            + Self.rows("ride_stage_coverage_ratio", "ratio", "1", ["0.9", "0.9", "0.9"])
        let after =
            Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["9", "9.5", "9"])
            + Self.rows("recovery_time_us", "mean", "us", ["5", "5", "5"])
            + Self.rows("ride_stage_coverage_ratio", "ratio", "1", ["0.8", "0.8", "0.8"])
        let responses = ["recovery_time_us", "pushes_per_activity", "ride_stage_coverage_ratio"]
        var (short, long) = (Scenario.smallPoisson, Scenario.smallPoisson)
        short.faults = [Scenario.Fault(kind: .apnsSilent, at: .minutes(10), duration: .minutes(1))]
        long.faults = [Scenario.Fault(kind: .apnsSilent, at: .minutes(10), duration: .minutes(10))]
        let comparison = try withRun(Self.description, short, values: values) { first in
            try withRun(Self.description.replacing("abcd", with: "abce"), long, values: after) { second in
                let options = RunComparison.Options(responses: responses.map { Response(metric: $0) })
                return try RunComparison(RecordedRun(directory: first), RecordedRun(directory: second), options)
            }
        }
        #expect(comparison.metrics.map(\.verdict) == [.otherRuler, .otherRuler, .worse])
        #expect(comparison.metrics[0].otherRulers == ["faults.0.duration"])
        #expect(comparison.notes.count == 1)
        #expect(
            comparison.notes[0].hasPrefix("faults.0.duration differs, and with it what is measured: recovery_time_us, ")
        )
    }

    @Test("What falls or rises in a blackout has no verdict where faults differ, and what counts all rides has one")
    func measuredOfWhatIsLeft() {
        for declaration in MetricCatalog.declarations where declaration.meaning.contains("in a blackout") {
            #expect(Response(metric: declaration.name).isRedefined(by: "faults.0.duration"), "\(declaration.name)")
        }
        for name in ["ride_fresh_coverage_ratio", "ride_stage_coverage_ratio", "stage_lag_us", "ended_severe_count"] {
            #expect(!Response(metric: name).isRedefined(by: "faults.0.at"), "\(name)")
        }
        #expect(!Response(metric: "recovery_time_us").isRedefined(by: "content.refresh"))
    }

    @Test("Two runs of one world: what changed, and each metric replication by replication")
    func compares() throws {
        let values = Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["11", "21.5", "31"])
        let comparison = try compare(
            { $0.content.ttl = .minutes(2) },
            description: Self.description.replacing("abcd", with: "abce"),
            values: values
        )
        #expect(comparison.changes.map(\.path) == ["content.ttl"])
        #expect(comparison.metrics.map(\.difference) == [1])
        #expect(comparison.metrics[0].interval == 1...1)
        #expect(comparison.metrics[0].verdict == .worse)
        #expect(comparison.verdict == .worse)
        #expect(comparison.notes.isEmpty)
    }

    @Test("The same run is the same")
    func same() throws {
        let comparison = try compare { _ in }
        #expect(comparison.changes.isEmpty && comparison.verdict == .noDifference)
        #expect(comparison.metrics.map(\.verdict) == [.same])
        #expect(comparison.notes == ["Both are the same run: the same scenario, seed and history."])
    }

    @Test("The same scenario with another history is another program")
    func otherProgram() throws {
        let comparison = try compare({ _ in }, description: Self.description.replacing("00ff", with: "00fe"))
        #expect(
            comparison.notes == [
                "Scenario and seed are the same, the histories are not: "
                    + "the program has changed, or one ran in real time."
            ]
        )
    }

    @Test("The same scenario with other data files is refused in pairs; a new name, or an old program's id, is not")
    func otherData() throws {
        func compare(_ change: (inout Scenario) -> Void, isUnpaired: Bool = false, isTraced: Bool = true) throws {
            var scenario = Scenario.smallPoisson
            if isTraced { scenario.rides.trace = Scenario.Trace(file: "rides.csv") }
            var other = scenario
            change(&other)
            try withRun(Self.description, scenario) { first in
                try withRun(Self.description.replacing("abcd", with: "abce"), other) { second in
                    let options = RunComparison.Options(
                        isUnpaired: isUnpaired,
                        responses: [Response(metric: "pushes_per_activity")]
                    )
                    _ = try RunComparison(RecordedRun(directory: first), RecordedRun(directory: second), options)
                }
            }
        }
        #expect(throws: ComparisonError.notComparable([.otherData("abcd", "abce")])) { try compare { _ in } }
        try compare({ _ in }, isUnpaired: true)
        try compare({ _ in }, isTraced: false)
        try compare { $0.name = "another" }
        try compare { $0.content.ttl = .minutes(2) }
    }

    @Test("Replications without a value are left out, and a note says so")
    func partial() throws {
        let values = Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["11", "", "31"])
        let comparison = try compare({ $0.content.ttl = .minutes(2) }, values: values)
        #expect(comparison.metrics[0].counts == .pairs(2))
        #expect(
            comparison.notes.last?.hasSuffix("pushes_per_activity. Those that have a value are no random part of all.")
                == true
        )
    }

    @Test("A directory with a sweep or a search in it is no run, and says what it is", arguments: ["sweep", "tune"])
    func otherResults(kind: String) throws {
        let directory = try TestDirectory()
        _ = try directory.write("{}", to: "\(kind).json")
        let error = #expect(throws: ScenarioError.self) { try RecordedRun(directory: directory.path) }
        let name = kind == "tune" ? "search" : kind
        #expect(
            error?.description
                == "\(directory.path): holds a \(name); metrics are of one run: freshet run --point makes one"
        )
    }

    @Test("Runs with other numbers of replications: the common ones, and a note")
    func otherNumber() throws {
        let description = Self.description.replacing("\"replications\": 3", with: "\"replications\": 2")
        let values = Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["11", "21.5"])
        let comparison = try compare({ _ in }, description: description, values: values)
        #expect(comparison.metrics[0].counts == .pairs(2))
        #expect(comparison.notes == ["The runs have 3 and 2 replications; the first 2 of each are compared."])
    }

    @Test("Other refreshes leave the rides as they were, so the runs are paired; other stages do not")
    func refreshes() throws {
        let options = RunComparison.Options(responses: [Response(metric: "pushes_per_activity")])
        let comparison = try compare({ $0.rides.stages[0].refresh = .uniform(low: 1e6, high: 2e6) }, options: options)
        #expect(comparison.changes.map(\.path) == ["rides.stages.0.refresh"])
        #expect(comparison.metrics[0].counts == .pairs(3))
        #expect(throws: ComparisonError.self) {
            _ = try compare({ $0.rides.stages[0].duration = .uniform(low: 1e6, high: 2e6) }, options: options)
        }
    }

    @Test("What must agree and does not is refused, all of it at once")
    func notComparable() throws {
        func obstacles(unpaired: Bool) throws -> String {
            let error = #expect(throws: ComparisonError.self) {
                try compare(
                    {
                        $0.clock.warmUp = .minutes(5)
                        $0.cells = 4
                        $0.seed = 9
                        $0.rides.scale = 2
                        $0.replications.antithetic = true
                        $0.replications.count = 2
                    },
                    options: .init(isUnpaired: unpaired),
                    description: Self.description.replacing("_version\": 1", with: "_version\": 2")
                )
            }
            return error?.description ?? ""
        }
        #expect(
            try obstacles(unpaired: false) == """
                the runs cannot be compared:
                  run.json must be of one form: schema_version 1 → 2; run the older scenario again
                  pairs need the same seed: seed: 7 → 9; --unpaired compares them as independent
                  pairs need the same replications: replications: 1 → {count: 1, until: off, antithetic: true}; --unpaired \
                compares them as independent
                  they must measure the same stretch of time: clock.warm_up: 0s → 5m
                  pairs need the same rides: rides.scale: 1 → 2; --unpaired compares them as independent
                  they must have the same cells: cells: 8 → 4
                """
        )
        #expect(try obstacles(unpaired: true).split(separator: "\n").count == 4)
    }

    @Test("What a run does not have is refused: a metric, a window")
    func unknown() throws {
        let metric = #expect(throws: ComparisonError.self) {
            try compare({ _ in }, options: .init(responses: [Response(metric: "pushes_per_activty")]))
        }
        #expect(metric?.description.contains(#"did you mean "pushes_per_activity"?"#) == true)
        let window = #expect(throws: ComparisonError.self) {
            let response = Response(metric: "fresh_time_ratio", window: .stretch(.zero ..< .minutes(15)))
            return try compare({ _ in }, options: .init(responses: [response]))
        }
        #expect(window?.description.hasPrefix("--metric fresh_time_ratio@0s..15m must be of the whole run") == true)
    }

    @Test(
        "What is wrong with replications.csv is told with its place",
        .enabled(if: Loop.isFull),
        arguments: [
            ("", ":1:1: the file is empty"),
            ("a,b\n", #"column "replication" is missing"#),
            (header, "there is no row of pushes_per_activity for 3 of 3 replications"),
            (values + "3,all,pushes_per_activity,ratio,1,5\n", #":5:1: must be a replication of run.json, got "3""#),
            (values + "-1,all,pushes_per_activity,ratio,1,5\n", #":5:1: must be a replication of run.json, got "-1""#),
            (values + "0,all,pushes_per_activity,ratio,1,5\n", ":5:7: is there twice for replication 0"),
            (values.replacing("20.5", with: "nan"), #":3:35: must be a number within ±1e19 or empty, got "nan""#),
            (values.replacing("20.5", with: "1e308"), #"must be a number within ±1e19 or empty, got "1e308""#),
            (values.replacing(",1,20.5", with: ",us,20.5"), #"must be the unit of the metric, got "us"; allowed: 1"#),
            (values + "0,all\n", ":5:6: the row has 2 fields, must have 6 as the header has"),
        ] as [(String, String)]
    )
    func hostileValues(text: String, message: String) throws {
        let error = #expect(throws: ComparisonError.self) { try compare({ _ in }, values: text) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test("A missing file is missing, whichever it is")
    func missing() throws {
        let error = #expect(throws: ComparisonError.self) { try compare({ _ in }, values: nil) }
        guard case .unreadable(.missing(let path)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path.hasSuffix("replications.csv"))
        #expect(throws: ScenarioError.missing(path: "/nowhere/run.json")) { try RecordedRun(directory: "/nowhere") }
    }

    @Test(
        "What is wrong with run.json is told with its place",
        arguments: [
            ("{}", ":1:1: schema_version must be a whole number, but is missing; allowed: 1 or more"),
            ("[]", ":1:1: schema_version must be a whole number"),
            ("{", "syntax error"),
            (
                description.replacing(": 3", with: ": 100001"),
                #":1:41: replications must be a whole number, got "100001"; allowed: 1 … 100000"#
            ),
            (description.replacing("\"abcd\"", with: "[1]"), "run_id must be a text, got a list"),
        ]
    )
    func hostileDescription(text: String, message: String) throws {
        let error = #expect(throws: ScenarioError.self) {
            try withRun(text) { directory in _ = try RecordedRun(directory: directory) }
        }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test("checks.csv has a row for each check of the scenario, and no other verdicts")
    func recordedChecks() throws {
        let check = Check(try Comparison(parsing: "pushes_per_activity < 5"))
        let experiment = Experiment(scenario: .smallPoisson, checks: [check])
        let header = "name,response,operator,limit,unit,value,ci_low,ci_high,n,verdict\n"
        func checks(_ csv: String?) throws -> [RecordedCheck] {
            try withRun { directory in
                let folder = URL(fileURLWithPath: directory)
                try Data(ScenarioWriter.resolvedYAML(experiment).utf8)
                    .write(to: folder.appending(path: "scenario.resolved.yaml"))
                if let csv { try Data(csv.utf8).write(to: folder.appending(path: "checks.csv")) }
                return try RecordedRun(directory: directory).checks()
            }
        }
        let row = "p,pushes_per_activity,<,5.000000,1,6.5,,,1,fails\n"
        let expected = RecordedCheck(
            name: "p",
            response: "pushes_per_activity",
            relation: "<",
            limit: "5.000000",
            value: "6.5",
            unit: "1",
            verdict: .fails
        )
        #expect(try checks(header + row) == [expected])
        for wrong in [nil, "", header, header + row + row, header + row.replacing("fails", with: "maybe")] {
            #expect(throws: ScenarioError.self) { try checks(wrong) }
        }
    }
}
