import Foundation
import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Results
@testable import ScenarioLanguage

/// Handwritten run directories, and how the reader interprets them.
@Suite("Comparing recorded runs")
struct ResultPairTests {
    private let scratch = Scratch()

    static let description = """
        {"fingerprint": "00ff", "replications": 3, "run_id": "abcd", "schema_version": 1, "seed": 7}
        """
    static let header = "replication,scope,metric,stat,unit,value\n"

    static func rows(
        _ metric: String,
        _ stat: String,
        _ unit: String,
        _ values: [String],
        scope: String = "all"
    ) -> String {
        values.enumerated().map { "\($0.offset),\(scope),\(metric),\(stat),\(unit),\($0.element)\n" }.joined()
    }

    static let values = header + rows("pushes_per_activity", "ratio", "1", ["20.250000", "20.5", "20.75"])

    /// Writes a run directory, passes it to an operation and removes it.
    func withRun<Value>(
        _ description: String = description,
        _ scenario: Scenario = .smallPoisson,
        values: String? = values,
        _ body: (String) throws -> Value
    ) throws -> Value {
        let scratch = Scratch()
        try scratch.write(description, to: "run.json")
        try scratch.write(ScenarioWriter.resolvedYAML(scenario), to: "scenario.resolved.yaml")
        if let values { try scratch.write(values, to: "replications.csv") }
        return try body(scratch.path)
    }

    /// The contents of a run directory.
    struct Run {
        var description = ResultPairTests.description
        var scenario = Scenario.smallPoisson
        var values: String? = ResultPairTests.values
    }

    /// Writes two runs and compares them.
    func compare(_ first: Run, _ second: Run, _ options: ResultComparison.Options) throws -> ResultComparison {
        try withRun(first.description, first.scenario, values: first.values) { one in
            try withRun(second.description, second.scenario, values: second.values) { other in
                try ResultComparison(one, other, options)
            }
        }
    }

    /// Returns options to compare some metrics.
    static func options(_ metrics: String..., isUnpaired: Bool = false) -> ResultComparison.Options {
        .init(isUnpaired: isUnpaired, responses: metrics.map { Response(metric: $0) })
    }

    func compare(
        _ change: (inout Scenario) -> Void,
        options: ResultComparison.Options = options("pushes_per_activity"),
        description: String = description,
        values: String? = values
    ) throws -> ResultComparison {
        var other = Scenario.smallPoisson
        change(&other)
        return try compare(Run(), Run(description: description, scenario: other, values: values), options)
    }

    @Test("Two runs of one world: the changes, and each metric replication by replication")
    func compares() throws {
        let values = Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["21.25", "21.4375", "21.8125"])
        let comparison = try compare(
            { $0.content.ttl = .minutes(2) },
            description: Self.description.replacing("abcd", with: "abce"),
            values: values
        )
        #expect(comparison.changes.map(\.path) == ["content.ttl"])
        #expect(comparison.metrics.map(\.difference) == [1])
        // The differences are 1, 0.9375 and 1.0625.
        #expect(comparison.metrics[0].interval == StudentInterval([1, 0.9375, 1.0625])?.range)
        #expect(comparison.metrics[0].verdict == .worse)
        #expect(comparison.verdict == .worse)
        #expect(comparison.notes.isEmpty)
    }

    @Test("Runs of two program versions get a note, also if one states no version")
    func versions() throws {
        func version(_ number: String) -> String {
            Self.description.replacing("}", with: ", \"freshet_version\": \"\(number)\"}")
        }
        func note(_ first: String, _ second: String, _ names: ResultComparison.Names = .letters) throws -> String {
            var options = Self.options("pushes_per_activity")
            options.names = names
            return try compare(Run(description: first), Run(description: second), options).noteOnVersions
        }
        let (old, new) = (version("0.1.0"), version("0.2.0"))
        #expect(
            try note(old, new)
                == "A was made by freshet 0.1.0, B by freshet 0.2.0: differences may come from the program."
        )
        #expect(try note(new, new).isEmpty)
        #expect(
            try note(Self.description, new, .ofChange)
                == "The baseline was made by an unknown version of freshet, this change by freshet 0.2.0: differences may come "
                + "from the program."
        )
    }

    @Test("A run is equal to itself")
    func same() throws {
        let comparison = try compare { _ in }
        #expect(comparison.changes.isEmpty && comparison.verdict == .noDifference)
        #expect(comparison.metrics.map(\.verdict) == [.same])
        #expect(comparison.notes == ["Both are the same run: the same scenario, seed and history."])
    }

    @Test("A scenario with another event history comes from another program")
    func otherProgram() throws {
        let comparison = try compare({ _ in }, description: Self.description.replacing("00ff", with: "00fe"))
        #expect(
            comparison.notes == [
                "Scenario and seed are the same, but not the histories: "
                    + "the program has changed, or one is a live run."
            ]
        )
    }

    @Test("A scenario with other data files is rejected in pairs; a new name or an old program's id is accepted")
    func otherData() throws {
        func compare(_ change: (inout Scenario) -> Void, isUnpaired: Bool = false, isTraced: Bool = true) throws {
            var scenario = Scenario.smallPoisson
            if isTraced { scenario.rides.trace = Scenario.Trace(file: "rides.csv") }
            var other = scenario
            change(&other)
            _ = try self.compare(
                Run(scenario: scenario),
                Run(description: Self.description.replacing("abcd", with: "abce"), scenario: other),
                Self.options("pushes_per_activity", isUnpaired: isUnpaired)
            )
        }
        #expect(throws: ComparisonError.notComparable([.otherData("abcd", "abce")])) { try compare { _ in } }
        try compare({ _ in }, isUnpaired: true)
        try compare({ _ in }, isTraced: false)
        try compare { $0.name = "another" }
        try compare { $0.content.ttl = .minutes(2) }
    }

    @Test("Replications without a value are left out and reported in a note")
    func partial() throws {
        let values = Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["21.25", "", "21.8125"])
        let comparison = try compare({ $0.content.ttl = .minutes(2) }, values: values)
        #expect(comparison.metrics[0].counts == .pairs(2))
        #expect(
            comparison.notes.last?
                .hasSuffix("pushes_per_activity. The replications with a value are not a random sample.")
                == true
        )
    }

    @Test("A directory of a sweep or a search holds no run, which is said with its kind", arguments: ["sweep", "tune"])
    func otherResults(kind: String) throws {
        try scratch.write("{}", to: "\(kind).json")
        let words = "holds a \(kind == "tune" ? "search" : kind), but metrics need a run; freshet run --point makes one"
        #expect(Provenance.otherResults(in: scratch.path) == words)
        let error = #expect(throws: ScenarioError.self) { try RecordedResults(directory: scratch.path) }
        if kind == "tune" { #expect(error?.description == "\(scratch.path): \(words)") }
    }

    @Test("Runs with different numbers of replications: the common ones and a note")
    func otherNumber() throws {
        let description = Self.description.replacing("\"replications\": 3", with: "\"replications\": 2")
        let values = Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["21.25", "21.4375"])
        let comparison = try compare({ _ in }, description: description, values: values)
        #expect(comparison.metrics[0].counts == .pairs(2))
        #expect(comparison.notes == ["The runs have 3 and 2 replications; only the first 2 of each are compared."])
    }

    @Test("Half an antithetic pair is no value, and its metrics are undefined")
    func halfPair() throws {
        var scenario = Scenario.smallPoisson
        scenario.replications.antithetic = true
        scenario.replications.count = 2
        let description = Self.description.replacing("\"replications\": 3", with: "\"replications\": 1")
        let values = Self.header + Self.rows("pushes_per_activity", "ratio", "1", ["21.25"])
        let run = Run(description: description, scenario: scenario, values: values)
        let metrics = try compare(run, run, Self.options("pushes_per_activity")).metrics
        #expect(metrics.map(\.verdict) == [.undefined])
    }

    @Test("Other refreshes leave the rides unchanged, so the runs are paired; other stages do not")
    func refreshes() throws {
        let comparison = try compare { $0.rides.stages[0].refresh = .uniform(low: 1e6, high: 2e6) }
        #expect(comparison.changes.map(\.path) == ["rides.stages.0.refresh"])
        #expect(comparison.metrics[0].counts == .pairs(3))
        #expect(throws: ComparisonError.self) {
            try compare { $0.rides.stages[0].duration = .uniform(low: 1e6, high: 2e6) }
        }
    }

    @Test("All mismatches are rejected at once")
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
                    options: .init(isUnpaired: unpaired)
                )
            }
            return error?.description ?? ""
        }
        #expect(
            try obstacles(unpaired: false) == """
                the runs cannot be compared:
                  a paired comparison needs the same seed: seed: 7 → 9; --unpaired compares the runs as independent
                  a paired comparison needs the same replications: replications: 1 → {count: 1, until: off, antithetic: true}; \
                --unpaired compares the runs as independent
                  both must measure the same interval: clock.warm_up: 0s → 5m
                  a paired comparison needs the same rides: rides.scale: 1 → 2; --unpaired compares the runs as independent
                  both must have the same cells: cells: 8 → 4
                """
        )
        #expect(try obstacles(unpaired: true).split(separator: "\n").count == 3)
    }

    @Test("A missing metric or window is rejected")
    func unknown() throws {
        let metric = #expect(throws: ComparisonError.self) {
            try compare({ _ in }, options: Self.options("pushes_per_activty"))
        }
        #expect(metric?.description.contains(#"did you mean "pushes_per_activity"?"#) == true)
        let window = #expect(throws: ComparisonError.self) {
            let response = Response(metric: "fresh_time_ratio", window: .stretch(.zero ..< .minutes(15)))
            return try compare({ _ in }, options: .init(responses: [response]))
        }
        #expect(window?.description.hasPrefix("--metric fresh_time_ratio@0s..15m must cover the whole run") == true)
    }

    @Test(
        "Errors in replications.csv are reported with their place",
        .enabled(if: Loop.isFull),
        arguments: [
            ("", ":1:1: the file is empty"),
            ("a,b\n", #"column "replication" is missing"#),
            (header, "there is no row of pushes_per_activity for 3 of 3 replications"),
            (values + "3,all,pushes_per_activity,ratio,1,5\n", #":5:1: must be a replication of run.json, got "3""#),
            (values + "-1,all,pushes_per_activity,ratio,1,5\n", #":5:1: must be a replication of run.json, got "-1""#),
            (
                values + "0,all,pushes_per_activity,ratio,1,5\n",
                ":5:7: must be there once per replication, got two rows for replication 0"
            ),
            (values.replacing("20.5", with: "nan"), #":3:35: must be a number within ±1e19 or empty, got "nan""#),
            (values.replacing("20.5", with: "1e308"), #"must be a number within ±1e19 or empty, got "1e308""#),
            (values.replacing(",1,20.5", with: ",us,20.5"), #"must be the unit of the metric, got "us"; allowed: 1"#),
            (values + "0,all\n", ":5:6: the row has 2 fields, must have 6 like the header"),
        ] as [(String, String)]
    )
    func hostileValues(text: String, message: String) throws {
        let error = #expect(throws: ComparisonError.self) { try compare({ _ in }, values: text) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test("Any missing file is reported")
    func missing() throws {
        let error = #expect(throws: ComparisonError.self) { try compare({ _ in }, values: nil) }
        guard case .unreadable(.missing(let path)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path.hasSuffix("replications.csv"))
        #expect(throws: ScenarioError.missing(path: "/nowhere/run.json")) { try RecordedResults(directory: "/nowhere") }
    }

    @Test(
        "Errors in run.json are reported with their place",
        arguments: [
            ("{}", ":1:1: schema_version must be a whole number, but is missing; allowed: 1 or more"),
            ("[]", ":1:1: schema_version must be a whole number"),
            ("{", "syntax error"),
            (
                description.replacing(": 3", with: ": 100001"),
                #":1:41: replications must be a whole number, got "100001"; allowed: 1 … 100000"#
            ),
            (description.replacing("\"abcd\"", with: "[1]"), "run_id must be a text, got a list"),
            (#"{"schema_version": 1}"#, "run_id is missing; another version of freshet wrote these results"),
            (
                description.replacing("_version\": 1", with: "_version\": 2"),
                #"schema_version must be 1, got "2"; another version of freshet wrote these results"#
            ),
        ]
    )
    func hostileDescription(text: String, message: String) throws {
        let error = #expect(throws: ScenarioError.self) {
            try withRun(text) { directory in _ = try RecordedResults(directory: directory) }
        }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test("checks.csv has one row for each check of the scenario and only valid verdicts")
    func recordedChecks() throws {
        let check = Check(try Comparison(parsing: "pushes_per_activity < 5"))
        let experiment = Experiment(scenario: .smallPoisson, checks: [check])
        let header = "name,response,operator,limit,unit,value,ci_low,ci_high,n,verdict\n"
        func checks(_ csv: String?) throws -> [CheckOutcome] {
            let scratch = Scratch()
            try scratch.write(Self.description, to: "run.json")
            try scratch.write(ScenarioWriter.resolvedYAML(experiment), to: "scenario.resolved.yaml")
            if let csv { try scratch.write(csv, to: "checks.csv") }
            return try RecordedResults(directory: scratch.path).checks()
        }
        let row = "p,pushes_per_activity,<,5.000000,1,6.5,,,1,fails\n"
        let outcome = try #require(try checks(header + row).first)
        #expect(outcome.check == check && outcome.limit == 5 && outcome.value == .decimal(6.5))
        #expect(outcome.verdict == .fails && outcome.unit == "1" && outcome.replications == 3)
        for wrong in [nil, "", header, header + row + row, header + row.replacing("fails", with: "maybe")] {
            #expect(throws: ScenarioError.self) { try checks(wrong) }
        }
    }
}
