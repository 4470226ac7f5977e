import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import freshet

/// `freshet run` as scripts see it: files, exit codes, streams.
@Suite("freshet run", .enabled(if: Loop.isFull))
struct RunCommandTests {
    /// A scenario with every random feature switched on, so that any difference can show.
    static let scenario = """
        name: small-town
        seed: 7
        cells: 5
        clock: {duration: 2h, drain: 9h, window: 10m}
        rides:
          arrivals: {process: poisson, rates_per_hour: [300, 150]}
          stages:
            - {name: matching, duration: {exponential: {mean: 20s}}}
            - {name: on_trip, duration: {lognormal: {median: 9m, p95: 30m}}, refresh: {gamma: {shape: 2, scale: 15s}}}
          cancellation: {share: 10%, after: {weibull: {shape: 0.8, scale: 90s}}}
        content: {ttl: 45s, refresh: {uniform: {low: 10s, high: 30s}}}
        devices:
          start: {time: {lognormal: {median: 0.8s, p95: 2.5s}}, background: 5%, attempts: 3}
          token: {never: 1%, delay: {exponential: {mean: 1s}}, post: 300ms, post_failure: 2%, post_attempts: 4}
          connectivity: {online: {exponential: {mean: 6m}}, offline: {lognormal: {median: 20s, p95: 3m}}}
          budget: {limit: 40, window: 20m}
          swipe: {share: 5%, after: {exponential: {mean: 5m}}}
        apns: {latency: {lognormal: {median: 0.6s, p95: 2s}}, loss: 2%, expired_token_lag: {exponential: {mean: 5m}}}
        sender: {request_time: {lognormal: {median: 150ms, p95: 400ms}}}
        monitor:
          fresh_limit: 30s
          recovery_window: 1m
          retry: {max_attempts: 3, backoff: {base: 10s, factor: 2, cap: 30s}, jitter: full}
        faults:
          - {kind: apns_silent, at: 40m, duration: 5m}
        """

    private let scratch = Scratch()
    /// The path of the scenario file.
    private let file: String

    init() throws {
        file = try scratch.write(Self.scenario, to: "town.yaml")
    }

    @Test("A precision target that is missed is reported with the reason; a metric without a value stops early")
    func precision() throws {
        let precision = "replications={count: 5, until: {metric: false_kill_count, half_width: 1%, at_most: 200}}"
        let outcome = try Command.run(
            """
            run \(file) --set monitor.enabled=false --set \(precision) --set clock.duration=50m --quiet
            --output \(scratch)/never
            """
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(
                "warning: `replications.until` was not met after 5 replications: false_kill_count has no value in this run "
                    + "because the monitor is off. Use another metric."
            ),
            "\(outcome.errors)"
        )
        #expect(try scratch.contents(of: "never")["report.md"] != nil)
    }

    @Test("The same bytes for any number of jobs, on a processor without FMA, and in a second run")
    func sameBytes() throws {
        let plain = try Command.run("run \(file) --quiet --jobs 1 --output \(scratch)/one")
        #expect(plain.status == 0, "\(plain.errors)")
        let expected = try scratch.contents(of: "one")
        #expect(expected.keys.contains("run.json") && expected.keys.contains("summary.csv"))

        _ = try Command.run("run \(file) --quiet --jobs 2 --output \(scratch)/two")
        #expect(try scratch.contents(of: "two") == expected)

        _ = try Command.run(
            "run \(file) --quiet --jobs 2 --output \(scratch)/three",
            environment: ["GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX512F"]
        )
        #expect(try scratch.contents(of: "three") == expected)

        // The resolved scenario is complete.
        let resolved = scratch.path("one/scenario.resolved.yaml")
        _ = try Command.run("run \(resolved) --quiet --output \(scratch)/four")
        #expect(try scratch.contents(of: "four") == expected)

        // A run over its own results leaves them unchanged.
        _ = try Command.run("run \(file) --quiet --output \(scratch)/one")
        #expect(try scratch.contents(of: "one") == expected)
    }

    @Test("A scenario without updates gives a warning and still runs")
    func noUpdates() throws {
        let file = try scratch.write("name: x\n", to: "x.yaml")
        let outcome = try Command.run("run \(file) --quiet --output \(scratch)/x")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("warning: \(file):1:1: content.refresh is off, and rides have one stage"))
        let told = try Command.run("run \(file) --set content.refresh=20s --quiet --output \(scratch)/y")
        #expect(told.errors.isEmpty)
    }

    @Test("A changed file gets a result directory of its own; the results of the original file stay unchanged")
    func ownDirectory() throws {
        let file = try scratch.write("name: x\nclock: {duration: 10m}\ncontent: {refresh: 20s}\n", to: "x.yaml")
        let place = URL(filePath: scratch.path("."))
        func run(_ options: String...) throws -> Command.Outcome {
            try Command.run("run \(file) \(options)", directory: place)
        }
        #expect(try run().output.contains("/results/x (read"))
        let plain = try scratch.contents(of: "results/x")
        let told = try run("--set", "content.ttl=1m", "--quiet")
        let path = try #require(told.errors.firstMatch(of: /^results: (results\/x-[0-9a-f]{8})\n/)).1
        #expect(try scratch.contents(of: String(path)).keys.contains("summary.csv"))
        #expect(try run("--set", "content.ttl=1m").output.contains("/\(path) (read"))
        for other in [["--seed", "8"], ["--replications", "2"]] {
            #expect(try Command.run("run \(file) \(other)", directory: place).output.contains("/results/x-"))
        }
        #expect(try scratch.contents(of: "results/x") == plain)
    }

    @Test("Replications stop after the same round for any number of jobs; --replications overrides the scenario")
    func replications() throws {
        let small = Self.scenario.replacing("cells: 5", with: "cells: 2\nmeasure: {age_over: [30s, 2m]}")
        let file = try scratch.write(small + "\nreplications: until half-width < 4%\n", to: "town.yaml")
        for jobs in ["1", "3"] {
            let outcome = try Command.run("run \(file) --quiet --jobs \(jobs) --output \(scratch)/\(jobs)")
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try scratch.contents(of: "3") == scratch.contents(of: "1"))
        func text(_ file: String) throws -> String {
            try scratch.text(file)
        }
        #expect(try text("1/run.json").contains("\"is_met\": true"))
        #expect(try text("1/summary.csv").contains("\nover:30s,age_violation_time_ratio,ratio,1,0."))

        _ = try Command.run("run \(file) --quiet --replications 2 --output \(scratch)/two")
        #expect(try text("two/run.json").contains("\"replications\": 2,"))
        #expect(try !text("two/run.json").contains("is_met"))
        #expect(try text("two/scenario.resolved.yaml").contains("\nreplications: 2\n"))

        let pairs = try Command.run(
            "run \(file) --quiet --set 'replications={count: 2, antithetic: true}' --replications 3"
        )
        #expect(pairs.status == 65)
        #expect(pairs.errors.contains("replications.antithetic needs an even number"))
    }

    @Test("Another seed gives another event history")
    func otherSeed() throws {
        _ = try Command.run("run \(file) --quiet --output \(scratch)/one")
        _ = try Command.run("run \(file) --quiet --seed 8 --output \(scratch)/two")
        #expect(try scratch.contents(of: "one")["summary.csv"] != scratch.contents(of: "two")["summary.csv"])
    }

    @Test("A run without speculation has the same bytes")
    func plainHistory() throws {
        for (place, options) in [("one", []), ("two", ["--no-speculation"])] {
            let outcome = try Command.run("run \(file) --quiet --output \(scratch)/\(place) \(options)")
            #expect(outcome.status == 0)
        }
        let (fast, plain) = try (scratch.contents(of: "one"), scratch.contents(of: "two"))
        #expect(fast == plain && fast.count > 5)
    }

    @Test("The determinism check runs every cell twice, and once with speculation")
    func checksDeterminism() throws {
        let outcome = try Command.run("run \(file) --quiet --check-determinism --output \(scratch)/one")
        #expect(outcome.status == 0)
    }

    @Test("Results go to standard output, everything else to standard error")
    func streams() throws {
        let loud = try Command.run("run \(file) --output \(scratch)/one")
        #expect(loud.output.contains("fresh"))
        #expect(!loud.output.contains("events/s"))
        let quiet = try Command.run("run \(file) --quiet --output \(scratch)/one")
        #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
    }

    @Test("An invalid scenario: exit 65, every error with its place; nothing is written")
    func wrongScenario() throws {
        let file = try scratch.write(
            """
            name: bad
            clock: {duration: -5s}
            monitr: {}
            apns: {loss: 1.5}
            """,
            to: "bad.yaml"
        )
        let outcome = try Command.run("run \(file) --output \(scratch)/none")
        #expect(outcome.status == 65)
        #expect(outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("\(file):2:19: clock.duration"))
        #expect(lines[1].hasPrefix("\(file):3:1: ") && lines[1].contains("monitor"))
        #expect(lines[2].hasPrefix("\(file):4:14: apns.loss"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none")))
    }

    @Test("A missing scenario: exit 66; a directory instead of a file: exit 65")
    func missingScenario() throws {
        #expect(try Command.run("run \(scratch)/none.yaml").status == 66)
        let near = try scratch.write("name: a\n", to: "nyc-day.yaml")
        for name in ["nyc-dya.yaml", "nyc-day"] {
            let outcome = try Command.run("run \(scratch)/\(name)")
            #expect(outcome.status == 66)
            #expect(outcome.errors == "\(scratch.path(name)): there is no such file; did you mean \"\(near)\"?\n")
        }
        #expect(try Command.run("run \(scratch)").status == 65)
        let named = try Command.run("run \(scratch)/experiments/apns-outage.yaml")
        #expect(named.errors.hasSuffix(": there is no such file; did you mean the example \"apns-outage\"?\n"))
        let example = try Command.run("run nyc-lyft-dya")
        #expect(example.status == 66)
        #expect(
            example.errors == "nyc-lyft-dya: there is no such file; did you mean the example \"nyc-lyft-day\"?\n"
        )
    }

    @Test(
        "Wrong usage: exit 64 and the allowed values",
        arguments: [
            ([], "Missing expected argument '<scenario>'"),
            (["x.yaml", "--jobs", "0"], "--jobs must be within 1...1024, got 0"),
            (["x.yaml", "--jobs", "1025"], "--jobs must be within 1...1024, got 1025"),
            (["x.yaml", "--replications", "none"], "The value 'none' is invalid for '--replications"),
            (["x.yaml", "--replications", "0"], "--replications must be within 1...100000, got 0"),
            (["x.yaml", "--workers", "2"], "--workers needs --task"),
            (
                ["plan", "--task", "2", "--workers", "2"],
                "--task must be below the number of workers, got 2; allowed with --workers 2: 0 … 1"
            ),
            (["plan", "--task", "2", "--workers", "0"], "--workers must be within 1...1000000, got 0"),
            (["plan", "--task=-1"], "--task must be a task of the plan, got -1; allowed: 0 or more"),
            (
                ["plan", "--task", "0", "--seed", "3"],
                "--task can be combined only with --workers, --jobs, --memory and --quiet"
            ),
            (
                ["plan", "--task", "0", "--set", "cells=1"],
                "--task can be combined only with --workers, --jobs, --memory and --quiet"
            ),
            (
                ["plan", "--task", "0", "--point", "1"],
                "--task can be combined only with --workers, --jobs, --memory and --quiet"
            ),
        ]
    )
    func wrongUsage(arguments: [String], message: String) throws {
        let end = try #require(Parsing.end(of: ["run"] + arguments, as: Freshet.self))
        #expect(end.status == 64)
        #expect(end.text.contains("Error: \(message)"), "\(end.text)")
    }

    @Test("An output directory that cannot be written: exit 73; existing files stay")
    func cannotWrite() throws {
        let occupied = try scratch.write("mine", to: "occupied")
        let outcome = try Command.run("run \(file) --quiet --output \(occupied)")
        #expect(outcome.status == 73)
        #expect(outcome.errors.contains(occupied))
        #expect(try String(contentsOfFile: occupied, encoding: .utf8) == "mine")
    }

    @Test("A signal: exit 130 or 143; earlier results stay; no partial file", arguments: [SIGINT, SIGTERM])
    func interrupted(_ number: Int32) throws {
        // Long enough for the signal to arrive during the run.
        let process = Command.process("run \(file) --set rides.scale=1000 --output \(scratch)/one")
        // On a terminal a run prints its progress. The first line appears after a quarter of a second.
        let terminal = try Terminal()
        process.standardError = terminal.stream
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        #expect(terminal.shows("M events/s"))
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(terminal.shows("stopped; nothing was written; earlier results are unchanged"))
        #expect(process.terminationStatus == 128 + number)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["town.yaml"])
    }
}
