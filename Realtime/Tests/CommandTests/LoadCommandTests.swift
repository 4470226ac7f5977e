import CommandTestSupport
import Foundation
import LoadCommands
import TestSupport
import Testing

/// `freshet load` as scripts see it: files, charts and thresholds, with small loads and without timing.
@Suite("freshet load")
struct LoadCommandTests {
    private let scratch = Scratch()

    /// Runs a load of 50 pushes on a stand-in, without Python for charts.
    private func load(_ ready: String, _ arguments: [String]) throws -> Command.Outcome {
        try Command.load(
            "apns --ready-file \(ready) --rate 50/s --duration 1s --warm-up 0s --timeout 5m \(arguments)"
        )
    }

    @Test("The results have the files of a run, with charts, and with --report a page")
    func files() throws {
        try StandInProcess.run(in: scratch) { ready in
            let outcome = try load(ready, ["--quiet", "--output", scratch.path("out"), "--report"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
            let files = [
                "charts/latency.vl.json", "charts/outcomes.vl.json", "charts/rate.vl.json", "histograms.csv",
                "report.html", "report.md", "run.json", "summary.csv", "timeseries.csv",
            ]
            #expect(try scratch.contents(of: "out").keys.sorted() == files)
            let html = try scratch.text("out/report.html")
            #expect(html.contains("<h1>load apns</h1>"))
            for chart in ["rate", "latency", "outcomes"] { #expect(html.contains("href=\"charts/\(chart).vl.json\"")) }
            // Other results replace them, and a page about the old ones would be wrong.
            #expect(try load(ready, ["--quiet", "--output", scratch.path("out")]).status == 0)
            #expect(try scratch.contents(of: "out").keys.sorted() == files.filter { $0 != "report.html" })
        }
    }

    @Test("With --format json standard output is one object, regardless of other output", arguments: [false, true])
    func json(isQuiet: Bool) throws {
        try StandInProcess.run(in: scratch) { ready in
            let outcome = try load(
                ready,
                (isQuiet ? ["--quiet"] : []) + ["--output", scratch.path("out"), "--report", "--format", "json"]
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            #expect(json?["requests_asked_per_second.mean"] as? Double == 50)
        }
    }

    @Test("A failing threshold: exit 99; thresholds that cannot be evaluated: exit 65, all of them, before the load")
    func thresholds() throws {
        try StandInProcess.run(in: scratch) { ready in
            let accepted = "apns_response_count{status:200}"
            let failed = try load(
                ready,
                [
                    "--quiet", "--output", scratch.path("out"), "--threshold", "\(accepted) == 0",
                    "--threshold", "\(accepted) > 0",
                ]
            )
            #expect(failed.status == 99)
            #expect(failed.errors.contains("== 0  50  failed\n"), "\(failed.errors)")
            let checks = String(decoding: try scratch.contents(of: "out")["checks.csv"] ?? Data(), as: UTF8.self)
            #expect(checks.contains("\(accepted) == 0,\(accepted),==,"))
            #expect(
                checks.split(separator: "\n").map { $0.split(separator: ",").last } == ["verdict", "fails", "holds"]
            )
            let unknown = try load(
                ready,
                [
                    "--output", scratch.path("none"), "--threshold", "scans == 0",
                    "--threshold", "\(accepted) > 0 with 95%",
                ]
            )
            #expect(unknown.status == 65)
            #expect(unknown.errors.contains("--threshold must name a metric of this load, got \"scans\""))
            #expect(unknown.errors.contains("--threshold must not require a confidence"))
            #expect(!FileManager.default.fileExists(atPath: scratch.path("none")))
        }
    }

    @Test("An unknown command: exit 64, with the nearest command or all", arguments: [false, true])
    func unknownCommand(asksForHelp: Bool) throws {
        func load(_ word: String) throws -> Command.Outcome {
            try Command.load("\(asksForHelp ? ["help"] : []) \(word)")
        }
        let near = try load("apsn")
        #expect(near.status == 64 && near.output.isEmpty)
        #expect(near.errors == "freshet load: there is no command \"apsn\"; did you mean \"apns\"?\n")
        let far = try load("everything")
        let all = "apns, scenario, monitor, merge"
        #expect(far.errors == "freshet load: there is no command \"everything\"; allowed: \(all)\n")
    }

    @Test(
        "Invalid options: exit 64, with the given and the allowed values",
        arguments: [
            (["apns", "--report"], "--report needs a directory"),
            (["apns", "--abort-on-break"], "--abort-on-break needs --threshold"),
            (["apns", "--abort-after", "3s"], "--abort-after needs --abort-on-break"),
            (
                ["apns", "--abort-on-break", "--threshold", "errors_ratio < 1%", "--find-limit"],
                "--abort-on-break and --find-limit are mutually exclusive"
            ),
            (["apns", "--tokens", "3", "--tokens-file", "f"], "--tokens and --tokens-file are mutually exclusive"),
            (["apns", "--rate", "30/d"], "such as 200/s, 30/m or 90/h, got 30/d"),
            (["apns", "--threshold", "a => 3"], "--threshold must compare a response with a number"),
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
