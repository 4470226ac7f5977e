import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// A small sweep as scripts see it: files, exit codes, streams.
@Suite("freshet run on factors", .enabled(if: Loop.isFull))
struct SweepCommandTests {
    static let base = SmallTown.scenario(cells: 2) + "replications: 3\n"

    static let factors = """
        factors:
          vary:
            monitor.fresh_limit: [1m, 2m, 4m]
            monitor.retry:
              none: {max_attempts: 1}
              thrice: {max_attempts: 3, backoff: {base: 10s, factor: 2, cap: 30s}}
          where: ["monitor.fresh_limit != 4m"]
          responses: [fresh_time_ratio, pushes_sent_count, age_of_information_us.p95]

        """

    private let scratch = Scratch()
    /// The path of the scenario with these factors.
    private let file: String

    init() throws {
        file = try scratch.write(Self.base + Self.factors, to: "town.yaml")
    }

    @Test("The same bytes for any number of jobs and from the resolved scenario; no task files remain")
    func sameBytes() throws {
        for jobs in ["1", "2", "5"] {
            let outcome = try Command.run("run \(file) --quiet --jobs \(jobs) --output \(scratch)/\(jobs)")
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        }
        let expected = try scratch.contents(of: "1")
        let files: Set = ["points.csv", "report.md", "results.csv", "scenario.resolved.yaml", "sweep.json"]
        #expect(files.isSubset(of: expected.keys))
        #expect(try scratch.contents(of: "2") == expected)
        #expect(try scratch.contents(of: "5") == expected)
        _ = try Command.run("run \(scratch)/1/scenario.resolved.yaml --quiet --output \(scratch)/6")
        #expect(try scratch.contents(of: "6") == expected)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
                == ["1", "2", "5", "6", "town.yaml"]
        )
        let points = try scratch.rows("1/points.csv")
        #expect(points[0].prefix(4) == ["point", "monitor.fresh_limit", "monitor.retry", "replications"])
        #expect(
            points.dropFirst().map { Array($0.prefix(4)) } == [
                ["0", "1m", "none", "3"], ["1", "1m", "thrice", "3"], ["2", "2m", "none", "3"],
                ["3", "2m", "thrice", "3"],
            ]
        )
        #expect(try scratch.rows("1/results.csv").count == 1 + 4 * 3 * 3)
    }

    @Test("A design point is an ordinary run: --point and --set give the numbers in points.csv and results.csv")
    func pointsAreRuns() throws {
        let plain = try scratch.write(Self.base, to: "plain.yaml")
        _ = try Command.run("run \(file) --quiet --output \(scratch)/sweep")
        _ = try Command.run("run \(file) --quiet --point 3 --output \(scratch)/point")
        _ = try Command.run([
            "run", plain, "--quiet", "--set", "monitor.fresh_limit=2m", "--set",
            "monitor.retry={max_attempts: 3, backoff: {base: 10s, factor: 2, cap: 30s}}", "--output",
            scratch.path("set"),
        ])
        #expect(try scratch.contents(of: "set") == scratch.contents(of: "point"))
        let points = try scratch.rows("sweep/points.csv")
        let summary = try scratch.rows("point/summary.csv")
        for (index, response) in [
            (4, ["all", "fresh_time_ratio", "ratio"]), (7, ["all", "pushes_sent_count", "total"]),
            (10, ["all", "age_of_information_us", "p95"]),
        ] {
            let row = try #require(summary.first { Array($0.prefix(3)) == response }, "\(response)")
            #expect(points[4][index] == row[4])
            // A quantile has no interval in a single run, but the interval over the replications in a sweep.
            if !row[5].isEmpty { #expect(points[4][(index + 1)...(index + 2)] == row[5...6]) }
        }
        let replications = try scratch.rows("point/replications.csv")
        let results = try scratch.rows("sweep/results.csv")
        for replication in ["0", "1", "2"] {
            let value = try #require(results.first { Array($0.prefix(3)) == ["3", replication, "fresh_time_ratio"] })
            #expect(
                replications.contains {
                    $0.first == replication && $0.contains("fresh_time_ratio") && $0.contains(value[4])
                }
            )
        }
    }

    @Test("--only runs a part; its points keep their numbers and values")
    func only() throws {
        _ = try Command.run("run \(file) --quiet --output \(scratch)/all")
        let outcome = try Command.run([
            "run", file, "--quiet", "--only", "monitor.retry == thrice", "--only", "monitor.fresh_limit > 1m",
            "--output", scratch.path("part"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let all = try scratch.rows("all/points.csv")
        #expect(try scratch.rows("part/points.csv") == [all[0], all[4]])
    }

    @Test("Checks that fail at some point: exit 99; results are written, and the points are named")
    func checks() throws {
        let checks = "checks: [\"events_count > 0\", \"fresh_time_ratio > 100%\"]\n"
        let file = try scratch.write(Self.base + Self.factors + checks, to: "town.yaml")
        let outcome = try Command.run("run \(file) --quiet --output \(scratch)/one")
        #expect(outcome.status == 99)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.first == "design point 0: failed: fresh_time_ratio > 100%")
        #expect(lines.last == "checks failed at 4 of 4 design points")
        #expect(try scratch.rows("one/points.csv").count == 5)
        #expect(!FileManager.default.fileExists(atPath: scratch.path(".one.tasks")))
    }

    @Test("A requested page is written even if checks fail; a search renders one, too")
    func page() throws {
        let checks = "checks: [\"fresh_time_ratio > 100%\"]\n"
        let file = try scratch.write(Self.base + Self.factors + checks, to: "town.yaml")
        let python = Command.withoutPython
        let swept = try Command.run(
            "run \(file) --quiet --report --static --output \(scratch)/one",
            environment: python
        )
        #expect(swept.status == 99, "\(swept.errors)")
        let page = try scratch.text("one/report.html")
        #expect(page.contains("<p class=\"verdict bad\">✗ <strong>Failed checks</strong>"))
        let goal = [
            "--maximise", "displayed_fresh_time_ratio", "--subject-to", "pushes_per_activity <= 0.5",
        ]
        let tuned = try Command.run(
            "tune \(file) --quiet --report --output \(scratch)/two \(goal)",
            environment: python
        )
        #expect(tuned.status == 99, "\(tuned.errors)")
        let answer = try scratch.text("two/report.html")
        #expect(answer.contains("<p class=\"verdict bad\">✗ "))
        let alone = try Command.run("run \(file) --static --output \(scratch)/three")
        #expect(alone.status == 64)
        #expect(alone.errors.contains("--static applies to --report only: give both"))
    }

    @Test("A second process on the same results: exit 75; nothing is touched")
    func twoProcesses() throws {
        try scratch.makeDirectory(".one.tasks")
        let lock = open(scratch.path(".one.tasks/lock"), O_RDWR | O_CREAT, 0o644)
        #expect(flock(lock, LOCK_EX) == 0)
        let refused = try Command.run("run \(file) --quiet --output \(scratch)/one")
        #expect(refused.status == 75)
        #expect(refused.errors.contains("another process is running this sweep"))
        close(lock)
        #expect(try Command.run("run \(file) --quiet --output \(scratch)/one").status == 0)
    }

    @Test("Results that cannot be stored: exit 73 before anything is run")
    func cannotWrite() throws {
        try scratch.write("in the way", to: ".one.tasks")
        let outcome = try Command.run("run \(file) --quiet --output \(scratch)/one")
        #expect(outcome.status == 73)
        #expect(outcome.errors.contains(".one.tasks: "))
    }

    @Test(
        "Options that do not fit this file: exit 64; nothing is written",
        arguments: [
            (["--only", "monitor.fresh_limit"], "--only must compare a value of the scenario"),
            (["--point", "5"], "--point must be a design point, got 5; allowed: 0 … 3, for today 4"),
            (["--check-determinism"], "--check-determinism, --junit and --event-log are for single runs"),
            (["--junit", "x.xml"], "--check-determinism, --junit and --event-log are for single runs"),
        ]
    )
    func wrongUsage(arguments: [String], message: String) throws {
        let outcome = try Command.run("run \(file) \(arguments)", directory: scratch.url)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix(message), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["town.yaml"])
    }

    @Test("A borrowed scenario name gives a warning if results are named after it; so does an unused goal")
    func nameAndGoal() throws {
        let goal = "factors: {vary: {content.ttl: [1m, 2m]}, goal: {maximise: fresh_time_ratio}}\n"
        let above = try scratch.write("extends: town.yaml\n" + goal, to: "above.yaml")
        let plain = try Command.run("run \(above)", directory: scratch.url)
        #expect(plain.status == 0 && plain.errors.contains("above.yaml:1:10: extends takes the name from"))
        #expect(plain.output.contains("a goal, which a sweep ignores; use `freshet tune`."))
        let elsewhere = try Command.run("run \(above) --output \(scratch)/own", directory: scratch.url)
        #expect(elsewhere.status == 0 && !elsewhere.errors.contains("takes the name"))
        let changed = try Command.run("run \(above) --seed 3 --quiet", directory: scratch.url)
        #expect(changed.status == 0 && !changed.errors.contains("takes the name"))
    }

    @Test("A part without points, and a level that gives an invalid scenario: exit 65")
    func badData() throws {
        let outcome = try Command.run("run \(file) --only 'monitor.fresh_limit > 1h'", directory: scratch.url)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("leaves none of the"))
        let wrong = try Command.run("run \(file) --only 'monitor.fresh_limt > 1h'", directory: scratch.url)
        #expect(wrong.status == 65)
        #expect(
            wrong.errors.contains("--only monitor.fresh_limt > 1h: names monitor.fresh_limt, which does not exist")
        )
        let level = try Command.run("run \(file) --only 'monitor.fresh_limit == shrt'", directory: scratch.url)
        #expect(level.status == 65)
        #expect(level.errors.contains("--only monitor.fresh_limit == shrt: names \"shrt\", which is not a level of"))
    }
}
