import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Reports and exports of a run.
@Suite("Report and export", .enabled(if: Loop.isFull))
struct ReportCommandTests {
    private let scratch = Scratch()

    /// The directory of a small run.
    private func run() throws -> String {
        let path = scratch.path("run")
        let outcome = try Command.run(
            "run experiments/trace-replay.yaml --quiet --output \(path)",
            directory: Command.root
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        return path
    }

    @Test("Without Python the report has its tables and names the missing parts")
    func withoutPython() throws {
        let run = try run()
        let outcome = try Command.run("report \(run)", environment: Command.withoutPython)
        #expect(outcome.status == 0)
        #expect(outcome.output == "Report: \(run)/report.html\n")
        #expect(outcome.errors.contains("charts are missing: FRESHET_PYTHON names /nonexistent/python"))
        let html = try String(contentsOfFile: run + "/report.html", encoding: .utf8)
        #expect(html.contains("Charts are missing from this page"))
        #expect(html.contains("<h2 id=\"section-1\">Freshness</h2>"))
        #expect(html.contains("href=\"charts/freshness.vl.json\""))
        #expect(!html.contains("<svg"))
    }

    @Test("Results without their charts, as in a fresh clone, have a report with tables, and a line says so")
    func withoutCharts() throws {
        let run = try run()
        try FileManager.default.removeItem(atPath: run + "/charts")
        let outcome = try Command.run("report \(run)", environment: Command.withoutPython)
        #expect(outcome.status == 0)
        #expect(outcome.output == "Report: \(run)/report.html\n")
        #expect(outcome.errors.hasPrefix("\(run)/report.html: charts are missing: \(run)/charts lacks "))
        #expect(outcome.errors.hasSuffix("; repeat the command that wrote the results, such as `freshet run`\n"))
    }

    @Test("A new run removes the old report, and renders a new one on request")
    func runWithReport() throws {
        let run = try run()
        try "old".write(toFile: run + "/report.html", atomically: true, encoding: .utf8)
        let arguments = ["run", "experiments/trace-replay.yaml", "--quiet", "--output", run]
        var outcome = try Command.run(arguments, directory: Command.root)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: run + "/report.html"))
        outcome = try Command.run("\(arguments) --report", environment: Command.withoutPython, directory: Command.root)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(FileManager.default.fileExists(atPath: run + "/report.html"))
    }

    @Test("A comparison page: verdict, tiles, both time series, differences first; it replaces no foreign file")
    func comparison() throws {
        let run = try run()
        let page = scratch.path("page")
        let arguments = ["compare", run, run, "--report", page]
        var outcome = try Command.run(arguments, environment: Command.withoutPython)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("\nReport: \(page)/report.html\n"))
        let html = try String(contentsOfFile: page + "/report.html", encoding: .utf8)
        #expect(html.contains("<strong>No difference.</strong>"))
        #expect(html.contains("fresh card, of ride time") && html.contains("the same"))
        let chart = try String(contentsOfFile: page + "/charts/overlay.vl.json", encoding: .utf8)
        #expect(chart.contains("\"series\": \"A\"") && chart.contains("\"series\": \"B\""))
        #expect(
            try String(contentsOfFile: page + "/report.md", encoding: .utf8).hasPrefix("# Comparison of trace-replay")
        )
        // Writing over it again works; writing over results of another kind does not.
        #expect(try Command.run("\(arguments) --quiet", environment: Command.withoutPython).status == 0)
        outcome = try Command.run("compare \(run) \(run) --report \(run)", environment: Command.withoutPython)
        #expect(outcome.status == 73)
        #expect(outcome.errors.contains("holds files but no comparison.json"))
    }

    @Test(
        "A directory without results is rejected with the reason",
        arguments: [
            ["report", "/nonexistent"], ["export", "/nonexistent", "--format", "openmetrics"],
            ["export", "/nonexistent", "--format", "parquet"],
        ]
    )
    func missing(_ arguments: [String]) throws {
        let outcome = try Command.run(arguments)
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("/nonexistent/"))
        #expect(outcome.errors.contains("is missing"))
    }

    @Test("Parquet export without Python ends with a temporary failure")
    func parquetWithoutPython() throws {
        let outcome = try Command.run(
            "export \(run()) --format parquet --output \(scratch)/parquet",
            environment: Command.withoutPython
        )
        #expect(outcome.status == 75)
        #expect(outcome.errors.contains("pyarrow"))
    }

    @Test("OpenMetrics: each family once, with its type, and the end mark")
    func openMetrics() throws {
        let file = scratch.path("run.prom")
        let arguments = ["export", try run(), "--format", "openmetrics"]
        let written = try Command.run("\(arguments) --output \(file)")
        #expect(written.status == 0 && written.output.isEmpty, "\(written.errors)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(try Command.run(arguments).output == text)
        #expect(text.hasSuffix("\n# EOF\n"))

        // The grammar of OpenMetrics 1.0: descriptors, followed only by samples of that family.
        let name = /[a-zA-Z_][a-zA-Z0-9_]*/
        let sample = /([a-zA-Z_][a-zA-Z0-9_]*)\{((?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*)\} (-?[0-9]+(?:\.[0-9]+)?)/
        var families: [String: String] = [:]
        var family = ""
        var series: Set<String> = []
        for line in text.split(separator: "\n").dropLast() {
            if line.hasPrefix("# ") {
                let words = line.split(separator: " ", maxSplits: 3)
                try #require(words.count == 4)
                #expect(String(words[2]).wholeMatch(of: name) != nil, "\(line)")
                if words[1] == "TYPE" {
                    family = String(words[2])
                    #expect(families.updateValue(String(words[3]), forKey: family) == nil, "\(family) is there twice")
                }
                if words[1] == "UNIT" { #expect(family.hasSuffix("_\(words[3])"), "\(line)") }
                #expect(words[2] == family)
            } else {
                let match = try #require(line.wholeMatch(of: sample), "\(line)")
                let suffixes =
                    switch families[family] {
                    case "counter": ["_total"]
                    case "histogram": ["_bucket", "_count", "_sum"]
                    case "info": ["_info"]
                    default: [""]
                    }
                #expect(suffixes.contains { match.1 == family + $0 }, "\(line)")
                #expect(series.insert("\(match.1){\(match.2)}").inserted, "\(line) is there twice")
            }
        }
        #expect(families.count > 100)
    }

    /// The Python with the packages of notebooks-export that `make notebooks` installs.
    private static let python = Command.root.appending(path: ".venv/bin/python").path

    private static func has(_ module: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-c", "import \(module)"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test("Prometheus's own parser reads the export", .enabled(if: has("prometheus_client")))
    func prometheusReadsIt() throws {
        let text = try Command.run("export \(run()) --format openmetrics")
        let file = try scratch.write(text.output, to: "run.prom")
        let parser = Process()
        parser.executableURL = URL(filePath: Self.python)
        parser.arguments = [
            "-c",
            "import sys; from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse; "
                + "sys.exit(len(list(parse(open(sys.argv[1]).read()))) < 100)",
            file,
        ]
        try parser.run()
        parser.waitUntilExit()
        #expect(parser.terminationStatus == 0)
    }

    @Test("Charts are drawn into the report with the same bytes each time", .enabled(if: has("vl_convert")))
    func drawsCharts() throws {
        let run = try run()
        let environment = ["FRESHET_PYTHON": Self.python]
        #expect(try Command.run("report \(run)", environment: environment).status == 0)
        let first = try Data(contentsOf: URL(filePath: run + "/report.html"))
        #expect(String(decoding: first, as: UTF8.self).ranges(of: "<svg role=\"img\"").count == 6)
        #expect(try Command.run("report \(run)", environment: environment).status == 0)
        #expect(try Data(contentsOf: URL(filePath: run + "/report.html")) == first)
    }

    @Test("Parquet is written for each CSV with the same bytes each time", .enabled(if: has("pyarrow")))
    func parquet() throws {
        let run = try run()
        let environment = ["FRESHET_PYTHON": Self.python]
        for name in ["one", "two"] {
            let outcome = try Command.run(
                "export \(run) --format parquet --output \(scratch)/\(name)",
                environment: environment
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let one = try scratch.contents(of: "one")
        #expect(
            one.keys.sorted() == [
                "histograms.parquet", "replications.parquet", "summary.parquet", "timeseries.parquet",
            ]
        )
        #expect(try scratch.contents(of: "two") == one)
    }
}
