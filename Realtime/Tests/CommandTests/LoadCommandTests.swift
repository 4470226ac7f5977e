import CommandTestSupport
import Foundation
import LoadCommands
import Testing

/// `freshet load core` as scripts see it: files, charts and thresholds, with small loads and without timing.
@Suite("freshet load core")
struct LoadCommandTests {
    private static let small = [
        "core", "--instances", "1000", "--updates", "2000/s", "--duration", "2s", "--ramp", "1s", "--quiet",
    ]

    /// Runs `freshet load` without Python for charts.
    private func load(_ arguments: [String]) throws -> Command.Outcome {
        try Command.run(
            arguments,
            program: "freshet-load",
            environment: ["FRESHET_PYTHON": "/nonexistent/python"]
        )
    }

    @Test("The results have the files of a run, with charts, and with --report a page")
    func files() throws {
        let scratch = try Scratch()
        let outcome = try load(Self.small + ["--output", scratch.path("core"), "--report"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        let files = [
            "charts/latency.vl.json", "charts/outcomes.vl.json", "charts/rate.vl.json", "histograms.csv", "report.html",
            "report.md", "run.json", "summary.csv", "timeseries.csv",
        ]
        #expect(try scratch.contents(of: "core").keys.sorted() == files)
        let html = try String(contentsOfFile: scratch.path("core/report.html"), encoding: .utf8)
        #expect(html.contains("<h1>load core</h1>"))
        for chart in ["rate", "latency", "outcomes"] { #expect(html.contains("href=\"charts/\(chart).vl.json\"")) }
        // Other results replace them, and a page about the old ones would be wrong.
        let again = try load(Self.small + ["--output", scratch.path("core")])
        #expect(again.status == 0)
        #expect(try scratch.contents(of: "core").keys.sorted() == files.filter { $0 != "report.html" })
    }

    @Test("With --format json standard output is one object, regardless of other output", arguments: [false, true])
    func json(isQuiet: Bool) throws {
        let scratch = try Scratch()
        let arguments = Self.small.filter { isQuiet || $0 != "--quiet" }
        let outcome = try load(arguments + ["--output", scratch.path("core"), "--report", "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        // From 200/s to 2,000/s within a second, followed by a second at that rate; the ramp is not measured.
        #expect((json?["updates_count.total"] as? Int ?? 0) > 0)
        #expect(json?["updates_asked_per_second.value"] as? Double == 2000)
    }

    @Test("A failing threshold: exit 99; thresholds that cannot be evaluated: exit 65, all of them, before the load")
    func thresholds() throws {
        let scratch = try Scratch()
        let output = ["--output", scratch.path("core")]
        let failed = try load(
            Self.small + output + ["--threshold", "scans_count == 0", "--threshold", "updates_count > 0"]
        )
        #expect(failed.status == 99)
        #expect(failed.errors.contains("does not hold"))
        let checks = String(decoding: try scratch.contents(of: "core")["checks.csv"] ?? Data(), as: UTF8.self)
        #expect(checks.contains("scans_count == 0,scans_count,==,"))
        #expect(checks.split(separator: "\n").map { $0.split(separator: ",").last } == ["verdict", "fails", "holds"])

        let unknown = try load(
            Self.small + ["--output", scratch.path("none"), "--threshold", "scans == 0"] + [
                "--threshold", "scans_count > 0 with 95%",
            ]
        )
        #expect(unknown.status == 65)
        #expect(unknown.errors.contains("--threshold: there is no metric `scans`"))
        #expect(unknown.errors.contains("--threshold: a threshold is judged by the value"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none")))
    }

    @Test("An unknown command: exit 64, with the nearest command or all", arguments: [false, true])
    func unknownCommand(asksForHelp: Bool) throws {
        func load(_ word: String) throws -> Command.Outcome {
            try Command.run((asksForHelp ? ["help"] : []) + [word], program: "freshet-load")
        }
        let near = try load("apsn")
        #expect(near.status == 64 && near.output.isEmpty)
        #expect(near.errors == "freshet load: there is no command \"apsn\"; did you mean \"apns\"?\n")
        let far = try load("everything")
        let all = "core, apns, scenario, monitor, merge"
        #expect(far.errors == "freshet load: there is no command \"everything\"; allowed: \(all)\n")
    }

    @Test(
        "Invalid options: exit 64, with the given and the allowed values",
        arguments: [
            (["core", "--report"], "--report needs a directory"),
            (["core", "--abort-on-break"], "--abort-on-break needs --threshold"),
            (["core", "--abort-after", "3s"], "--abort-after needs --abort-on-break"),
            (
                ["core", "--abort-on-break", "--threshold", "scans_count > 0", "--find-limit"],
                "--abort-on-break and --find-limit are mutually exclusive"
            ),
            (["apns", "--tokens", "3", "--tokens-file", "f"], "--tokens and --tokens-file are mutually exclusive"),
            (["apns", "--rate", "30/d"], "such as 200/s, 30/m or 90/h, got 30/d"),
            (["core", "--threshold", "a => 3"], "--threshold: a threshold is"),
            (["apns", "--threshold", "a => 3"], "--threshold: a threshold is"),
            (["apns", "--arrivals", "poisson", "--max-rate"], "--max-rate and --arrivals poisson"),
            (["apns", "--rate", "5/s", "--max-rate"], "--rate, --ramp, --profile and --max-rate are ways"),
            (["apns", "--profile", "0s 1/s, 2s 1/s", "--duration", "3s"], "cannot be combined with --profile"),
            (["apns", "--retry-budget", "capacity=3"], "it needs --retries above 0"),
            (["apns", "--retries", "1", "--retry-budget", "size=3"], "must be of capacity, per_second, per_push"),
            (
                ["apns", "--retries", "1", "--retry-budget", "capacity=0"],
                "capacity must be a number within 1...1000000000"
            ),
            (
                ["apns", "--retries", "1", "--retry-budget", "capacity=1,capacity=2"], "each at most once"
            ),
        ]
    )
    func usage(_ arguments: [String], words: String) throws {
        let endpoint = arguments[0] == "apns" ? ["--endpoint", "https://localhost:1"] : []
        let end = try #require(Parsing.end(of: arguments + endpoint, as: LoadCommand.self))
        #expect(end.status == 64)
        #expect(end.text.contains(words), "\(end.text)")
    }
}
