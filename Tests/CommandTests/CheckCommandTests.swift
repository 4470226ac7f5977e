import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import freshet

/// Verdicts as scripts and build systems see them: exit codes, files, annotations for workflows.
@Suite("Checks and comparisons", .enabled(if: Loop.isFull))
struct CheckCommandTests {
    /// A scenario that runs in about a second, to which tests add checks.
    static let scenario = """
        name: small-town
        seed: 7
        cells: 2
        replications: 3
        clock: {duration: 1h, drain: 1h, window: 10m}
        rides:
          arrivals: {process: poisson, rates_per_hour: [60]}
          stages: [{name: ride, duration: {exponential: {mean: 8m}}}]
        content: {ttl: 45s, refresh: {uniform: {low: 10s, high: 30s}}}
        apns: {latency: {lognormal: {median: 0.6s, p95: 2s}}, loss: 5%}
        devices: {end_report: 5s}

        """

    private let scratch = Scratch()

    /// Runs a scenario and writes the results into a directory.
    private func run(_ name: String, checks: String = "", _ arguments: [String] = []) throws -> Command.Outcome {
        let file = try scratch.write(Self.scenario + checks, to: "\(name).yaml")
        return try Command.run("run \(file) --quiet --output \(scratch)/\(name) \(arguments)")
    }

    @Test("A failing check: exit 99; results and JUnit are still written")
    func failingCheck() throws {
        let checks = "checks: [events_count > 1, {name: a <b>, check: events_count < 1}]\n"
        let outcome = try run("one", checks: checks, ["--junit", scratch.path("sub/junit.xml")])
        #expect(outcome.status == 99)
        #expect(outcome.errors.hasPrefix("2 checks: 1 passed, 1 failed\n  a <b>: "))
        let csv = try scratch.text("one/checks.csv")
        #expect(csv.split(separator: "\n").map { $0.split(separator: ",").last } == ["verdict", "holds", "fails"])
        let junit = try scratch.text("sub/junit.xml")
        #expect(junit.contains("<testcase name=\"a &lt;b&gt;\"") && junit.contains("must be &lt; 1: failed"))
        // The resolved scenario contains the checks and gives the same run with the same verdicts.
        let again = try Command.run("run \(scratch)/one/scenario.resolved.yaml --quiet --output \(scratch)/two")
        #expect(again.status == 99)
        #expect(try scratch.contents(of: "two") == scratch.contents(of: "one"))
    }

    @Test("Passing checks: exit 0 and a table; without checks there is no checks.csv")
    func holdingCheck() throws {
        let file = try scratch.write(Self.scenario + "checks: [events_count > 1]\n", to: "town.yaml")
        let outcome = try Command.run("run \(file) --output \(scratch)/one")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\n1 check: passed\n"))
        #expect(try run("one").status == 0)
        #expect(try scratch.contents(of: "one")["checks.csv"] == nil)
    }

    @Test("A check of an unknown metric: exit 65 with its place; nothing is run")
    func unknownMetric() throws {
        let outcome = try run("one", checks: "checks:\n  - event_count > 1\n")
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains("one.yaml:13:5: checks.0 must name a metric, got \"event_count\"; did you mean")
        )
        #expect(!FileManager.default.fileExists(atPath: scratch.path("one")))
    }

    @Test("A check over a part of the run is evaluated; a design skips it with a note; a plan of one run rejects it")
    func partOfRun() throws {
        let check = "checks: [\"age_of_information_us.p95@12m..31m30s < 8h\"]\n"
        #expect(try run("one", checks: check).status == 0)
        let csv = try scratch.text("one/checks.csv")
        #expect(csv.contains("age_of_information_us.p95@12m..31m30s,<,28800000000,us,"))
        let factors = "factors: {vary: {apns.loss: [1%, 5%]}}\n"
        let whole = "checks: [\"age_of_information_us.p95@12m..31m30s < 8h\", events_count > 1]\n"
        let design = try run("two", checks: factors + whole)
        #expect(design.status == 0, "\(design.errors)")
        #expect(
            design.errors == """
                note: 1 of 2 checks is skipped, because a sweep has only the whole windows of timeseries.csv: \
                age_of_information_us.p95@12m..31m30s < 8h

                """
        )
        let report = try scratch.text("two/report.md")
        #expect(report.contains("\n\n? 1 of 2 checks is skipped, because a sweep has only the whole windows of "))
        let points = try scratch.text("two/checks.csv")
        #expect(points.contains("events_count") && !points.contains("age_of_information_us"))
        let file = try scratch.write(Self.scenario + check, to: "one.yaml")
        let refused = try Command.run("plan \(file) --output \(scratch)/plan")
        #expect(refused.status == 65, "\(refused.errors)")
        #expect(refused.errors.contains("one.yaml:12:10: checks.0 must cover the whole run, or whole windows"))
    }

    @Test("In a GitHub workflow failures become annotations and a summary; elsewhere they do not")
    func workflow() throws {
        let file = try scratch.write(Self.scenario + "checks: [events_count < 1]\n", to: "town.yaml")
        let environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": scratch.path("summary.md")]
        let outcome = try Command.run("run \(file) --quiet --output \(scratch)/one", environment: environment)
        #expect(outcome.status == 99)
        #expect(outcome.output.hasPrefix("::error file=") && outcome.output.contains(",title=events_count < 1::"))
        let summary = try scratch.text("summary.md")
        #expect(summary.hasPrefix("## Checks of small-town\n\n| check "))
        let outside = try Command.run(
            "run \(file) --quiet --output \(scratch)/one",
            environment: ["GITHUB_ACTIONS": "false", "GITHUB_STEP_SUMMARY": scratch.path("none.md")]
        )
        #expect(outside.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none.md")))
    }

    @Test("A regression: exit 98, JUnit and report; an improvement or no change: exit 0")
    func regression() throws {
        // With this seed neither run lets more cards outlive their rides. Otherwise the time on screen would differ,
        // and no metric would count as better.
        let seed = ["--set", "seed=2"]
        #expect(try run("base", seed).status == 0)
        #expect(try run("worse", seed + ["--set", "apns.loss=30%"]).status == 0)
        let worse = try Command.run([
            "check", scratch.path("worse"), "--baseline", scratch.path("base"), "--metric",
            "displayed_fresh_time_ratio",
            "--junit", scratch.path("junit.xml"), "--markdown", scratch.path("pull.md"),
        ])
        #expect(worse.status == 98, "\(worse.output)\(worse.errors)")
        #expect(worse.output.hasSuffix("Regression: worse than the baseline in displayed_fresh_time_ratio.\n"))
        let junit = try scratch.text("junit.xml")
        #expect(junit.contains("failures=\"1\"") && junit.contains("displayed_fresh_time_ratio went from "))
        #expect(try scratch.text("pull.md").contains("apns.loss: 0.05 → 0.3"))
        let better = try Command.run(
            "check \(scratch)/base --baseline \(scratch)/worse --metric displayed_fresh_time_ratio"
        )
        #expect(better.status == 0 && better.output.contains(#/\ndisplayed_fresh_time_ratio +better /#))
        #expect(
            try Command.run("check \(scratch)/base --baseline \(scratch)/base --quiet").output
                == "No regression beyond the noise.\n"
        )
        // A wide noise band hides the regression.
        let noise = try Command.run(
            "check \(scratch)/worse --baseline \(scratch)/base --metric displayed_fresh_time_ratio --noise 100%"
        )
        #expect(noise.status == 0)
    }

    @Test("Different versions of the program are said first, in the report, the verdict and the comment")
    func versions() throws {
        for name in ["base", "same"] { #expect(try run(name).status == 0) }
        let file = scratch.path("base/run.json")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing(/"freshet_version": "[^"]+"/, with: "\"freshet_version\": \"0.0.9\"")
            .write(toFile: file, atomically: true, encoding: .utf8)
        let arguments = ["check", scratch.path("same"), "--baseline", scratch.path("base")]
        let outcome = try Command.run("\(arguments) --markdown \(scratch)/pull.md")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("The baseline was made by freshet 0.0.9, this change by freshet "))
        let comment = try scratch.text("pull.md").split(separator: "\n")
        #expect(comment[0].hasPrefix("### ✅ Freshness: none of "))
        #expect(comment[1].hasPrefix("⚠️ **The baseline was made by freshet 0.0.9, this change by freshet "))
        #expect(!comment.contains { $0.hasPrefix("Both were made by") })
        #expect(try Command.run("\(arguments) --quiet").output.hasPrefix("The baseline was made by freshet 0.0.9, "))
        for format in ["text", "markdown"] {
            let compared = try Command.run("compare \(scratch)/base \(scratch)/same --format \(format)")
            #expect(compared.output.hasPrefix("A was made by freshet 0.0.9, B by freshet "), "\(compared.output)")
        }
    }

    @Test("No activity: exit 98; no stale episode: exit 0; a sweep instead of a run: exit 65")
    func nothingToMeasure() throws {
        #expect(try run("base").status == 0)
        #expect(try run("dead", ["--set", "devices.activities_enabled=0%"]).status == 0)
        let dead = try Command.run("check \(scratch)/dead --baseline \(scratch)/base")
        #expect(dead.status == 98, "\(dead.output)\(dead.errors)")
        #expect(
            dead.output.contains("worse than the baseline in ride_fresh_coverage_ratio, ride_stage_coverage_ratio; ")
        )
        #expect(dead.output.contains("no data: age_of_information_us{during_ride}"))
        // Only with an outage is there anything to recover from.
        let outage = "faults=[{kind: apns_unavailable, at: 20m, duration: 3m}]"
        #expect(try run("outage", ["--set", outage, "--set", "monitor.recovery_window=30m"]).status == 0)
        #expect(try run("calm", ["--set", "monitor.recovery_window=30m"]).status == 0)
        for metric in ["recovered_ratio", "recovery_time_us.p95"] {
            let outcome = try Command.run([
                "check", scratch.path("calm"), "--baseline", scratch.path("outage"), "--metric", metric,
                "--metric", "ride_stage_coverage_ratio",
            ])
            #expect(outcome.status == 0 && outcome.output.contains("undefined: no data"), "\(outcome.output)")
            #expect(outcome.output.contains(metric == "recovered_ratio" ? /[ ]% +–/ : /[ ]s +–/), "\(outcome.output)")
        }
        try scratch.write("{}", to: "sweep.json")
        let sweep = try Command.run("compare \(scratch)/. \(scratch)/base")
        #expect(sweep.status == 65 && sweep.errors.contains(" holds a sweep, "))
    }

    @Test("A run whose own checks fail: exit 99 without a regression, 98 with one")
    func ownChecks() throws {
        let checks = "checks: [events_count < 1]\n"
        #expect(try run("base", checks: checks).status == 99)
        #expect(try run("worse", checks: checks, ["--set", "apns.loss=30%"]).status == 99)
        #expect(try Command.run("check \(scratch)/base --baseline \(scratch)/base").status == 99)
        #expect(try Command.run("check \(scratch)/worse --baseline \(scratch)/base").status == 98)
    }

    @Test("Runs that are not comparable: exit 65 and the reason; a missing run: exit 66")
    func refusals() throws {
        _ = try run("one")
        _ = try run("two", ["--seed", "8"])
        let refused = try Command.run("compare \(scratch)/one \(scratch)/two")
        #expect(refused.status == 65)
        #expect(
            refused.errors == """
                the runs cannot be compared:
                  a paired comparison needs the same seed: seed: 7 → 8; --unpaired compares the runs as independent

                """
        )
        let unpaired = try Command.run("compare \(scratch)/one \(scratch)/two --unpaired")
        #expect(unpaired.status == 0 && unpaired.output.contains("Welch"))
        #expect(try Command.run("compare \(scratch)/one \(scratch)/nothing").status == 66)
        let unknown = try Command.run("compare \(scratch)/one \(scratch)/one --metric blah")
        #expect(unknown.status == 65)
    }

    @Test(
        "Results of another version: exit 65 and one line, in every command that reads them",
        arguments: [
            ["compare", "new", "old"], ["check", "new", "--baseline", "old"], ["explain", "old", "--activity", "0"],
            ["worst", "old", "--by", "stale_time"],
        ]
    )
    func otherVersion(arguments: [String]) throws {
        for name in ["new", "old"] { _ = try run(name) }
        let file = scratch.path("old/scenario.resolved.yaml")
        let resolved = try String(contentsOfFile: file, encoding: .utf8)
        let changed = resolved.replacing("\ncontent:\n", with: "\ncontent:\n  ripeness: 3s\n  colour: red\n")
        #expect(changed != resolved)
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try Command.run(arguments.map { ["new", "old"].contains($0) ? scratch.path($0) : $0 })
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                ": content.ripeness is not a known key; another version of freshet wrote these results"
            )
        )
        #expect(outcome.errors.hasSuffix("freshet run SCENARIO --output \(scratch.path("old"))\n"))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test(
        "Wrong usage: exit 64 and the allowed values",
        arguments: [
            (["--noise", "x"], "--noise must be a share, got x; allowed: 0% to 100%, such as 0.5% or 0.005"),
            (["--noise=-1%"], "--noise must be a share, got -1%; allowed: 0% to 100%"),
            (["--noise", "101%"], "--noise must be a share, got 101%; allowed: 0% to 100%"),
            (["--metric", "a b"], "--metric must name a response, got \"a b\""),
            (["--format", "xml"], "The value 'xml' is invalid for '--format"),
        ]
    )
    func usage(options: [String], message: String) throws {
        let end = try #require(Parsing.end(of: ["compare", "one", "two"] + options, as: Freshet.self))
        #expect(end.status == 64)
        #expect(end.text.contains("Error: \(message)"), "\(end.text)")
    }
}
