import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Foreign results, scenarios and directories that try to run code, to hang the program, to fill the memory or to forge
/// output.
@Suite("Hostile results and directories", .enabled(if: Loop.isFull))
struct HostileResultsTests {
    private let scratch = Scratch()

    /// The directory of a small run.
    private func results(as name: String = "run") throws -> String {
        let path = scratch.path(name)
        let outcome = try Command.run(
            "run experiments/trace-replay.yaml --quiet --output \(path)",
            directory: Command.root
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        return path
    }

    /// Runs `freshet` with a time limit of some seconds; 124 means that it was still running.
    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Command.Outcome {
        try Command.run(
            "--kill-after=1 20 \(Command.directory.appending(path: "freshet").path) \(arguments)",
            program: "/usr/bin/timeout",
            environment: environment,
            directory: scratch.url
        )
    }

    // MARK: - Code

    private static let python = "/usr/bin/python3"

    @Test(
        "No program imports a module from the working directory, not even while packages are installed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: python)),
        arguments: [true, false]
    )
    func plantedModules(hasOwnPython: Bool) throws {
        let tally = HostileTally("planted Python modules", checks: 3)
        let names = [
            "pyarrow", "vl_convert", "csv", "json", "os", "venv", "ensurepip", "pip", "threading", "sitecustomize",
        ]
        for name in names {
            try scratch.write(
                "open('\(scratch.path("planted"))', 'a').write('\(name) ')\nraise ImportError\n",
                to: "\(name).py"
            )
        }
        _ = try results()
        try scratch.write("PAR1PAR1", to: "trips.parquet")
        try scratch.write(
            "extends: trace-replay\nrides: {trace: {file: trips.parquet}}\n",
            to: "town.yaml"
        )
        var environment = ["XDG_CACHE_HOME": scratch.path("cache"), "PYTHONPATH": "."]
        // No server answers there, so the installation ends early.
        environment["PIP_INDEX_URL"] = "http://127.0.0.1:1"
        environment["FRESHET_PYTHON"] = hasOwnPython ? Self.python : ""
        let commands = [
            ["export", "run", "--format", "parquet", "--output", "parquet"], ["report", "run"],
            ["run", "town.yaml", "--output", "out"],
        ]
        for command in commands {
            _ = try run(command, environment: environment)
            let planted = try? scratch.text("planted")
            #expect(tally.counts(planted == nil), "\(command): \(planted ?? "")")
        }
    }

    // MARK: - Pipes

    @Test(
        "A named pipe instead of a file is rejected without waiting",
        arguments: [
            ("", ["run", "PIPE"]), ("", ["run", "extends.yaml"]),
            ("", ["run", "trace-replay", "--set", "rides.trace.file=pipe"]), ("", ["watch", "PIPE"]),
            ("", ["fit", "PIPE", "--column", "a", "--unit", "s"]), ("", ["fit", "PIPE", "--send-log"]),
            ("", ["run", "plan", "--task", "0"]), ("", ["merge", "plan"]),
            ("run.json", ["compare", "other", "run"]),
            ("replications.csv", ["compare", "other", "run"]), ("scenario.resolved.yaml", ["compare", "other", "run"]),
            ("run.json", ["check", "run", "--baseline", "other"]), ("run.json", ["worst", "run"]),
            ("run.json", ["explain", "run", "--activity", "1"]), ("scenario.resolved.yaml", ["worst", "run"]),
            ("run.json", ["export", "run", "--format", "openmetrics"]),
            ("summary.csv", ["export", "run", "--format", "openmetrics"]),
            ("histograms.csv", ["export", "run", "--format", "openmetrics"]),
            ("summary.csv", ["export", "run", "--format", "parquet"]), ("report.md", ["report", "run"]),
            ("tune.json", ["worst", "run"]),
        ]
    )
    func pipes(file: String, command: [String]) throws {
        let tally = HostileTally("named pipes")
        _ = try results(as: "other")
        let run = try results()
        let pipe = file.isEmpty ? scratch.path("pipe") : "\(run)/\(file)"
        try? FileManager.default.removeItem(atPath: pipe)
        try #require(mkfifo(pipe, 0o600) == 0)
        try scratch.write("extends: pipe\n", to: "extends.yaml")
        if command.contains("plan") {
            try scratch.makeDirectory("plan")
            try #require(mkfifo(scratch.path("plan/plan.json"), 0o600) == 0)
        }
        let outcome = try self.run(
            command.map { $0 == "PIPE" ? "pipe" : $0 },
            environment: ["FRESHET_PYTHON": "/usr/bin/true"]
        )
        #expect(tally.counts(outcome.status == 65), "\(outcome.status): \(outcome.errors)")
        #expect(outcome.errors.contains("named pipe"), "\(outcome.errors)")
    }

    @Test("A scenario can come from a pipe that the caller has opened")
    func processSubstitution() throws {
        let outcome = try Shell(in: scratch.url)
            .run("freshet run <(echo '{name: town, clock: {duration: 1m}}') --quiet --output out")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    // MARK: - Too much

    @Test(
        "A run.json of 3 GB is rejected immediately",
        arguments: [
            ["export", "run", "--format", "openmetrics"], ["worst", "run"], ["explain", "run", "--activity", "1"],
            ["compare", "other", "run"], ["check", "run", "--baseline", "other"],
        ]
    )
    func sparse(command: [String]) throws {
        let tally = HostileTally("sparse files")
        _ = try results(as: "other")
        let run = try results()
        try #require(truncate("\(run)/run.json", 3 << 30) == 0)
        // The limit leaves memory for the programs but not for the file.
        let words = command.joined(separator: " ")
        let outcome = try Shell(in: scratch.url).run("ulimit -v 8000000; timeout 20 freshet \(words)")
        #expect(tally.counts(outcome.status == 65), "\(outcome.status): \(outcome.errors)")
        #expect(outcome.errors.contains("too large; allowed: up to 1048576 bytes"), "\(outcome.errors)")
    }

    @Test("An impossible number of replications is rejected", arguments: ["0", "1000000000", "-1", "1e3"])
    func replications(count: String) throws {
        let run = try results()
        let file = "\(run)/run.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let changed = text.replacing(/"replications": ?\d+/, with: "\"replications\": \(count)")
        try #require(changed != text)
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
        for command in [
            ["worst", "run"], ["explain", "run", "--activity", "1"], ["export", "run", "--format", "openmetrics"],
        ] {
            let outcome = try self.run(command)
            #expect(outcome.status == 65, "\(command): \(outcome.status) \(outcome.errors)")
        }
    }

    @Test("A command line with too many words is rejected")
    func manyWords() throws {
        let settings = (0..<15_000).flatMap { _ in ["--set", "seed=1"] }
        let outcome = try run(["run", "town.yaml"] + settings)
        #expect(outcome.status == 64, "\(outcome.status)")
        #expect(
            outcome.errors.contains("the command line has 30003 arguments; allowed: at most 2000"),
            "\(outcome.errors)"
        )
    }

    // MARK: - Forged output

    @Test(
        "No name reaches the output as a control sequence for a terminal or a build system",
        arguments: [
            ["run", "a\n::error::x\n.yaml"], ["run", "\u{1B}[2J"], ["run", "town.yaml", "--output", "o\n::error::x"],
            ["check", "a\n::error::x", "--baseline", "b"], ["compare", "\u{1B}[2J", "b"], ["\u{1B}[2J"],
            ["run", "--\u{1B}[2J"],
            ["run", "check.yaml"], ["run", "trace.yaml"], ["run", "value.yaml"],
        ]
    )
    func forged(command: [String]) throws {
        let tally = HostileTally("forged output")
        try scratch.write("{name: town, clock: {duration: 1m}}", to: "town.yaml")
        try scratch.write(
            #"{name: town, clock: {duration: 1m}, checks: [{name: "x\n::error::y\e[2J", check: pushes_sent_count > 9}]}"#,
            to: "check.yaml"
        )
        try scratch.write(###"name: "##[set-output name=a]b""###, to: "value.yaml")
        try scratch.write("a,b\n1,2\n", to: "trips\n::error::x.csv")
        try scratch.write(
            #"{extends: trace-replay, rides: {trace: {file: "trips\n::error::x.csv"}}}"#,
            to: "trace.yaml"
        )
        let outcome = try run(command, environment: ["GITHUB_ACTIONS": "true"])
        let isRefused = outcome.status == 64 || outcome.status == 65
        let lines = (outcome.output + outcome.errors).split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
        let isForged = lines.contains { $0.hasPrefix("::") || $0.contains("##[") || $0.contains("\u{1B}") }
        #expect(tally.counts(isRefused && !isForged), "\(outcome.status): \(outcome.output)\(outcome.errors)")
    }

    // MARK: - Signals

    @Test("A crash signal ends a run as the system does by default", arguments: [SIGQUIT, SIGABRT])
    func signals(number: Int32) throws {
        let file = try scratch.write(
            "{name: town, replications: 1000, clock: {duration: 10d}, rides: {arrivals: {process: poisson, rates_per_hour: [60]}}}",
            to: "town.yaml"
        )
        let process = Command.process("run \(file) --quiet --output \(scratch)/out")
        try process.run()
        Thread.sleep(forTimeInterval: 1)
        try #require(process.isRunning)
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out")))
    }

    @Test("The task directory of a plan cannot be a link to another place")
    func linkedTasks() throws {
        try scratch.write(
            "{name: town, clock: {duration: 1m}, factors: {vary: {content.ttl: [60s, 90s]}, responses: [fresh_time_ratio]}}",
            to: "town.yaml"
        )
        #expect(try run(["plan", "town.yaml", "--output", "plan"]).status == 0)
        try scratch.makeDirectory("elsewhere")
        try? FileManager.default.removeItem(atPath: scratch.path("plan/tasks"))
        try #require(symlink(scratch.path("elsewhere"), scratch.path("plan/tasks")) == 0)
        let outcome = try run(["run", "plan", "--task", "0"])
        #expect(outcome.status == 73, "\(outcome.errors)")
        #expect(outcome.errors.contains("tasks: is a symbolic link, must be a directory"), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("elsewhere")) == [])
    }
}
