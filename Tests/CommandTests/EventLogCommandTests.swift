import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("freshet run --event-log and freshet calibrate")
struct EventLogCommandTests {
    private let scratch = Scratch()

    /// The Python with the packages of notebooks-export that `make notebooks` installs.
    private static let python = Command.root.appending(path: ".venv/bin/python").path
    private static let hasPyarrow =
        FileManager.default.isExecutableFile(atPath: python)
        && (try? Command.run("-c 'import pyarrow'", program: python))?.status == 0

    /// Writes the log of an hour, and returns the scenario that is calibrated to it, without comments.
    private func calibrated(_ name: String) throws -> [Substring] {
        let environment = ["FRESHET_PYTHON": Self.python]
        let log = scratch.path(name)
        let run = try Command.run(
            "run live-outage --quiet --output \(scratch)/results --event-log \(log)",
            environment: environment
        )
        #expect(run.status == 0, "\(run.errors)")
        let calibrated = try Command.run("calibrate \(log) --no-rank", environment: environment)
        #expect(calibrated.status == 0, "\(calibrated.errors)")
        return calibrated.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
    }

    @Test("A log in Parquet gives the same scenario as in CSV, and leaves no CSV behind", .enabled(if: hasPyarrow))
    func parquet() throws {
        let parquet = try calibrated("log.parquet")
        #expect(try parquet == calibrated("log.csv"))
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
        #expect(names == ["log.csv", "log.parquet", "results"])
    }

    private static let town = """
        name: town
        clock: {duration: 10m}
        rides:
          arrivals: {process: poisson, rates_per_hour: [60]}
          stages: [{name: ride, duration: 5m, refresh: 30s}]

        """

    @Test("A log of a scenario with channels is refused; by tokens it is written")
    func channels() throws {
        for (by, status) in [("channel", Int32(64)), ("tokens", 0)] {
            let scenario = scratch.path("\(by).yaml")
            try (Self.town + "groups: {size: 2, by: \(by)}\n")
                .write(toFile: scenario, atomically: true, encoding: .utf8)
            let log = scratch.path("\(by).ndjson")
            let run = try Command.run("run \(scenario) --quiet --output \(scratch)/\(by) --event-log \(log)")
            #expect(run.status == status, "\(run.errors)")
            #expect(run.errors.contains("--event-log cannot be combined with groups.by: channel") == (status != 0))
            #expect(FileManager.default.fileExists(atPath: log) == (status == 0))
        }
    }

    @Test(
        "A log that cannot be written ends the run with exit code 73 and its own path",
        arguments: ["log.ndjson", "log.csv"]
    )
    func unwritable(name: String) throws {
        let scenario = scratch.path("town.yaml")
        try Self.town.write(toFile: scenario, atomically: true, encoding: .utf8)
        // The directory of the log is a file.
        let log = "\(scenario)/\(name)"
        let run = try Command.run("run \(scenario) --quiet --output \(scratch)/out --event-log \(log)")
        #expect(run.status == 73)
        #expect(run.errors.contains("\(log): cannot be written: "), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out/summary.csv")))
    }

    @Test("A log in the place of the scenario, also by a link, is refused with both names, and the scenario stays")
    func ownScenario() throws {
        let scenario = scratch.path("town.yaml")
        try Self.town.write(toFile: scenario, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link.ndjson"), withDestinationPath: scenario)
        for log in [scenario, scratch.path("link.ndjson"), scratch.path("./town.yaml")] {
            let run = try Command.run("run \(scenario) --quiet --output \(scratch)/out --event-log \(log)")
            #expect(run.status == 64 && run.errors.contains("--event-log and the scenario must be two files"))
            #expect(run.errors.contains(log) && run.errors.contains(scenario))
            #expect(try String(contentsOfFile: scenario, encoding: .utf8) == Self.town)
        }
    }

    @Test("calibrate names the scenario by the letters of its file, and does not overwrite its log")
    func output() throws {
        let scenario = scratch.path("town.yaml")
        try Self.town.write(toFile: scenario, atomically: true, encoding: .utf8)
        let log = scratch.path("my_day.v2.ndjson")
        let run = try Command.run("run \(scenario) --quiet --output \(scratch)/out --event-log \(log)")
        #expect(run.status == 0, "\(run.errors)")
        let rows = try Data(contentsOf: URL(fileURLWithPath: log))
        let over = try Command.run("calibrate \(log) --no-rank --output \(log)")
        #expect(over.status == 64 && over.errors.contains("--output and the log are the same file"), "\(over.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == rows)
        let named = try Command.run("calibrate \(log) --no-rank --output \(scratch)/my_day.v2.yaml")
        #expect(named.status == 0, "\(named.errors)")
        let text = try scratch.text("my_day.v2.yaml")
        #expect(text.contains("name: \"my-day-v2\"\n"))
    }

    @Test("A scenario that the language refuses is written beside the output, and the output stays as it is")
    func refusedScenario() throws {
        let log = scratch.path("log.ndjson")
        // The name of the stage is too long.
        let rows = [
            #"{"at_us":1,"event":"ride_requested","ride":"a"}"#,
            #"{"at_us":1,"event":"stage","ride":"a","stage":"\#(String(repeating: "x", count: 65))"}"#,
            #"{"at_us":2,"event":"push","ride":"a","push":"p"}"#,
            #"{"at_us":3,"event":"answer","ride":"a","push":"p","status":200}"#,
        ]
        try (rows.joined(separator: "\n") + "\n").write(toFile: log, atomically: true, encoding: .utf8)
        let run = try Command.run("calibrate \(log) --no-rank --output \(scratch)/day.yaml")
        #expect(run.status == 65 && run.errors.contains("the log's values are outside of what a scenario allows"))
        #expect(run.errors.contains("the refused scenario is in \(scratch.path("day.yaml")).refused"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("day.yaml")))
        let text = try String(contentsOfFile: scratch.path("day.yaml.refused"), encoding: .utf8)
        #expect(text.contains("rides:\n"))
    }

    @Test("A backtest writes its chart and the tested scenario, but never over its own scenario")
    func backtestOutput() throws {
        let scenario = scratch.path("town.yaml")
        try Self.town.write(toFile: scenario, atomically: true, encoding: .utf8)
        let log = scratch.path("log.ndjson")
        let run = try Command.run("run \(scenario) --quiet --output \(scratch)/out --event-log \(log)")
        #expect(run.status == 0, "\(run.errors)")
        let environment = ["FRESHET_PYTHON": "/nowhere/python"]
        for (tested, hasOwn) in [(scenario, false), (scratch.path("back/scenario.yaml"), true)] {
            if hasOwn { try Self.town.write(toFile: tested, atomically: true, encoding: .utf8) }
            let back = try Command.run(
                "backtest \(log) --scenario \(tested) --replications 2 --quiet --output \(scratch)/back",
                environment: environment
            )
            #expect(back.status == 0 && back.errors.contains("report.html: charts are missing"), "\(back.errors)")
            #expect(try (scratch.text("back/scenario.yaml") == Self.town) == hasOwn)
            #expect(try scratch.text("back/scenario.yaml").contains("town"))
            #expect(try scratch.text("back/report.md").contains("(charts/backtest.vl.json)"))
            #expect(
                try scratch.text("back/charts/backtest.vl.json")
                    .contains("Believed fresh, of watched time during rides")
            )
            #expect(try scratch.text("back/report.html").contains("Charts are missing from this page"))
        }
    }

    @Test("A log without accepted answers is refused by calibrate as by backtest")
    func unanswered() throws {
        let log = scratch.path("log.ndjson")
        let rows = [
            #"{"at_us":1,"event":"ride_requested","ride":"a"}"#, #"{"at_us":2,"event":"push","ride":"a","push":"p"}"#,
            #"{"at_us":3,"event":"answer","ride":"a","push":"p","status":0}"#,
        ]
        try (rows.joined(separator: "\n") + "\n").write(toFile: log, atomically: true, encoding: .utf8)
        for command in ["calibrate", "backtest"] {
            let run = try Command.run("\(command) \(log)")
            #expect(run.status == 65 && run.output.isEmpty)
            #expect(run.errors.contains("the log has no push that APNs accepted"), "\(run.errors)")
        }
    }
}
