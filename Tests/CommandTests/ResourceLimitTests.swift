import ArgumentParser
import CommandTestSupport
import Foundation
import Reporting
import TestSupport
import Testing

@testable import freshet

/// Limits of the system on memory, files and disk space.
///
/// Each case ends with a message and an exit code, never with a signal.
@Suite("Limits of the system", .enabled(if: Loop.isFull))
struct ResourceLimitTests {
    private let scratch = Scratch()

    private static let town = """
        name: town
        rides: {arrivals: {process: even, count: 20}}
        content: {refresh: 20s}
        """

    /// Runs freshet under limits that the shell sets.
    private func run(_ limits: String, _ arguments: [String]) throws -> Command.Outcome {
        let program = try #require(Command.process([]).executableURL).path
        return try Command.run("-c '\(limits); exec \"$@\"' sh \(program) \(arguments)", program: "/bin/sh")
    }

    @Test("More activities than fit into memory: 75, and nothing is written; --memory sets the limit")
    func memory() throws {
        let tally = HostileTally("memory", checks: 6)
        let file = try scratch.write(Self.town, to: "town.yaml")
        func told(_ options: String..., limits: String = ":") throws -> Command.Outcome {
            try run(limits, ["run", file, "--quiet", "--output", scratch.path("out")] + options)
        }
        let large = try told("--set", "rides.arrivals.count=50000000", "--memory", "200MB")
        #expect(tally.counts(large.status == 75), "\(large.status): \(large.errors)")
        #expect(large.errors.hasPrefix("\(file): stopped at "), "\(large.errors)")
        #expect(
            large.errors.hasSuffix(
                " of memory; allowed: 200 MB, by --memory; nothing was written; earlier results are unchanged. "
                    + "Use fewer --jobs, more cells or a smaller rides.scale, or raise the limit with --memory\n"
            )
        )
        #expect(tally.counts(!FileManager.default.fileExists(atPath: scratch.path("out/run.json"))))
        let system = try told("--set", "rides.arrivals.count=50000000", limits: "ulimit -v 1572864")
        #expect(tally.counts(system.status == 75), "\(system.status): \(system.errors)")
        #expect(system.errors.contains("B, four fifths of what this machine allows; nothing was written"))
        #expect(tally.counts(try told("--memory", "0.1kB").status == 75))
        #expect(tally.counts(try told().status == 0 && told("--memory", "any").status == 0))
        let results = scratch.path("out")
        let worst = try Command.run("worst \(results) --memory 1kB")
        let story = try Command.run("explain \(results) --activity 0 --memory 1kB")
        #expect(tally.counts(worst.status == 75 && story.status == 75), "\(worst.errors)\(story.errors)")
    }

    @Test("A sweep that reaches the memory limit: 75; finished tasks are kept, and a larger limit gives the same files")
    func memoryOfSweep() throws {
        let tally = HostileTally("memory", checks: 3)
        let file = try scratch.write(
            """
            name: town
            rides: {arrivals: {process: even, count: 20}}
            content: {refresh: 10m}
            factors: {vary: {rides.arrivals.count: [20, 30, 500000]}}

            """,
            to: "town.yaml"
        )
        func sweep(_ name: String, _ memory: String) throws -> Command.Outcome {
            try Command.run("run \(file) --jobs 1 --memory \(memory) --output \(scratch)/\(name)")
        }
        let stopped = try sweep("limited", "120MB")
        #expect(tally.counts(stopped.status == 75), "\(stopped.status): \(stopped.errors)")
        #expect(stopped.errors.contains("120 MB, by --memory; finished tasks are kept; the same command continues"))
        let resumed = try sweep("limited", "10GB")
        #expect(tally.counts(resumed.status == 0), "\(resumed.status): \(resumed.errors)")
        #expect(resumed.errors.contains("continuing: 2 of 3 tasks already have results"), "\(resumed.errors)")
        #expect(try sweep("plain", "any").status == 0)
        #expect(tally.counts(try scratch.contents(of: "limited") == scratch.contents(of: "plain")))
    }

    @Test(
        "A size is a number with a unit, or the word any",
        arguments: ["", "8", "GB", "-1GB", "8gb", "8 GB", "1e9GB", "8GiB", "anything"]
    )
    func wrongSize(_ text: String) throws {
        #expect(throws: ValidationError.self) { try MemoryLimit(parsing: text) }
        #expect(try MemoryLimit(parsing: "2.5GB") == .bytes(2.5e9))
    }

    @Test("Too few file descriptors: 75 and a message for every limit")
    func fewFiles() throws {
        let counts = Loop.isHostile ? Array(4...31) : [4, 8, 12, 18, 31]
        let tally = HostileTally("few descriptors", checks: counts.count + 1)
        for count in counts {
            let outcome = try run("ulimit -n \(count)", ["--version"])
            #expect(tally.counts(outcome.status == 75), "\(count): \(outcome.status) \(outcome.errors)")
            #expect(outcome.errors == "freshet: may open \(count) files; allowed: 32 or more (ulimit -n 32)\n")
        }
        // It raises the soft limit on its own.
        #expect(tally.counts(try run("ulimit -Sn 12", ["--version"]).status == 0))
    }

    @Test("A full disk: 73, no partial file, earlier results stay, and the next run works")
    func fullDisk() throws {
        let tally = HostileTally("full disk", checks: 5)
        let file = try scratch.write(Self.town, to: "town.yaml")
        let results = ["run", file, "--quiet", "--output", scratch.path("out")]
        // No file may grow beyond a kilobyte or two, so writing fails as on a full disk.
        let full = "trap '' XFSZ; ulimit -f 2"
        let first = try run(full, results)
        #expect(tally.counts(first.status == 73), "\(first.status): \(first.errors)")
        #expect(tally.counts(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["town.yaml"]))
        #expect(try Command.run(results).status == 0)
        let before = try scratch.contents(of: "out")
        let second = try run(full, results + ["--seed", "9"])
        #expect(tally.counts(second.status == 73), "\(second.status): \(second.errors)")
        #expect(tally.counts(try scratch.contents(of: "out") == before))
        #expect(tally.counts(try Command.run("\(results) --seed 9").status == 0))
    }

    @Test(
        "A full disk during a sweep: 73; finished tasks are kept, and the next run gives the undisturbed files"
    )
    func fullTaskStore() throws {
        let tally = HostileTally("full disk: tasks of a sweep", checks: 6)
        let file = try scratch.write(
            SweepCommandTests.base + """
                factors:
                  vary: {content.ttl: [30s, 60s], content.refresh: [30s, 60s]}
                  responses: [pushes_sent_count]

                """,
            to: "town.yaml"
        )
        func sweep(_ name: String) -> [String] {
            ["run", file, "--quiet", "--jobs", "1", "--output", scratch.path(name)]
        }
        #expect(tally.counts(try Command.run(sweep("plain")).status == 0))
        let none = try run("trap '' XFSZ; ulimit -f 1", sweep("full"))
        #expect(tally.counts(none.status == 73), "\(none.status): \(none.errors)")
        #expect(tally.counts(!FileManager.default.fileExists(atPath: scratch.path("full"))))
        // A partial file is never taken for a result.
        let names = try? FileManager.default.contentsOfDirectory(atPath: scratch.path(".full.tasks"))
        #expect(tally.counts((names ?? []).allSatisfy { !$0.hasSuffix(".task") }), "\(names ?? [])")
        #expect(tally.counts(try Command.run(sweep("full")).status == 0))
        #expect(tally.counts(try scratch.contents(of: "full") == scratch.contents(of: "plain")))
    }

    @Test("Output that cannot be printed: 74 and a message, from every command that prints some")
    func lostOutput() throws {
        let file = try scratch.write(Self.town, to: "town.yaml")
        let results = scratch.path("out")
        #expect(try Command.run("run \(file) --quiet --output \(results)").status == 0)
        let commands = [
            ["--help"], ["--version"], ["help", "run"], ["metrics"], ["metrics", "fresh", "--format", "json"],
            ["schema"],
            ["plan", file, "--output", scratch.path("plan")], ["compare", results, results],
            ["check", results, "--baseline", results],
            ["explain", results, "--activity", "0"], ["worst", results],
            ["export", results, "--format", "openmetrics"],
            ["run", file, "--output", scratch.path("again")],
        ]
        let tally = HostileTally("lost output", checks: 2 * commands.count + 2)
        for command in commands {
            let full = try run("exec >/dev/full", command)
            #expect(tally.counts(full.status == 74), "\(command): \(full.status) \(full.errors)")
            #expect(full.errors.contains("freshet: standard output cannot be written"))
            let whole = try Command.run(command)
            #expect(tally.counts(whole.status != 74), "\(command): \(whole.errors)")
        }
        // The error message cannot be printed either.
        #expect(tally.counts(try run("exec >/dev/full 2>/dev/full", ["metrics"]).status == 74))
        #expect(tally.counts(try run("exec 2>/dev/full", ["metrics", "nothing"]).status == 65))
    }

    @Test("A reader of the output that closes its pipe: no message, if SIGPIPE is ignored or not")
    func goneReader() throws {
        let tally = HostileTally("lost output", checks: 2)
        let program = try #require(Command.process([]).executableURL).path
        for setting in ["", "trap '' PIPE;"] {
            let script = "\(setting) { \"$0\" schema; echo $? >&2; } | head -1 >/dev/null"
            let outcome = try Command.run("-c \(script) \(program)", program: "/bin/sh")
            #expect(tally.counts(["0\n", "141\n"].contains(outcome.errors)), "\(setting) \(outcome.errors)")
        }
    }
}
