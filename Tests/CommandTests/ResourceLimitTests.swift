import ArgumentParser
import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import freshet

/// What the system does not give: memory, files, space.
///
/// Each ends with a sentence and an exit code, never by a signal.
@Suite("Limits of the system", .enabled(if: Loop.isFull))
struct ResourceLimitTests {
    private static let town = """
        name: town
        rides: {arrivals: {process: even, count: 20}}
        content: {refresh: 20s}
        """

    /// Runs freshet under limits of the shell.
    private func run(_ limits: String, _ arguments: [String]) throws -> Command.Outcome {
        let program = try #require(Command.process([]).executableURL).path
        return try Command.run(["-c", "\(limits); exec \"$@\"", "sh", program] + arguments, program: "/bin/sh")
    }

    @Test("More activities than there is memory for: 75 before anything is run, and --memory overrules")
    func memory() throws {
        let tally = HostileTally("memory", checks: 4)
        let scratch = try Scratch()
        let file = try scratch.file("town.yaml", Self.town)
        func told(_ options: String..., limits: String = "ulimit -v 4194304") throws -> Command.Outcome {
            try run(limits, ["run", file, "--quiet", "--output", scratch.path("out")] + options)
        }
        let large = try told("--set", "rides.arrivals.count=50000000")
        #expect(tally.counts(large.status == 75), "\(large.status): \(large.errors)")
        #expect(
            large.errors.hasPrefix(
                "\(file): would need about 27 GB of memory, for 50,000,000 rides with 50,000,000 activities live at once"
            )
        )
        #expect(large.errors.contains("--memory 27GB or --memory any"))
        let limited = try told("--set", "rides.arrivals.count=1000000", "--memory", "100MB")
        #expect(tally.counts(limited.status == 75 && limited.errors.contains("--memory allows 100 MB")))
        #expect(tally.counts(try told().status == 0))
        #expect(tally.counts(try told("--memory", "0.1kB").status == 75 && told("--memory", "any").status == 0))
    }

    @Test(
        "A size is a number with a unit, or any",
        arguments: ["", "8", "GB", "-1GB", "8gb", "8 GB", "1e9GB", "8GiB", "anything"]
    )
    func wrongSize(_ text: String) throws {
        #expect(throws: ValidationError.self) { try MemoryOption.Limit(parsing: text) }
        #expect(try MemoryOption.Limit(parsing: "2.5GB") == .bytes(2.5e9))
    }

    @Test("Few files: 75 and a sentence, whatever their number")
    func fewFiles() throws {
        let counts = Loop.isHostile ? Array(4...31) : [4, 8, 12, 18, 31]
        let tally = HostileTally("few descriptors", checks: counts.count + 1)
        for count in counts {
            let outcome = try run("ulimit -n \(count)", ["--version"])
            #expect(tally.counts(outcome.status == 75), "\(count): \(outcome.status) \(outcome.errors)")
            #expect(outcome.errors == "freshet: may open \(count) files; allowed: 32 or more (ulimit -n 32)\n")
        }
        // What it may raise by itself it raises.
        #expect(tally.counts(try run("ulimit -Sn 12", ["--version"]).status == 0))
    }

    @Test("A full disk: 73, nothing half-written, earlier results stay, the next run goes on")
    func fullDisk() throws {
        let tally = HostileTally("full disk", checks: 5)
        let scratch = try Scratch()
        let file = try scratch.file("town.yaml", Self.town)
        let results = ["run", file, "--quiet", "--output", scratch.path("out")]
        // No file may grow past a kilobyte or two: writing fails as on a full disk.
        let full = "trap '' XFSZ; ulimit -f 2"
        let first = try run(full, results)
        #expect(tally.counts(first.status == 73), "\(first.status): \(first.errors)")
        #expect(tally.counts(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["town.yaml"]))
        #expect(try Command.run(results).status == 0)
        let before = try scratch.contents(of: "out")
        let second = try run(full, results + ["--seed", "9"])
        #expect(tally.counts(second.status == 73), "\(second.status): \(second.errors)")
        #expect(tally.counts(try scratch.contents(of: "out") == before))
        #expect(tally.counts(try Command.run(results + ["--seed", "9"]).status == 0))
    }

    @Test("A reader of the output that goes away, and a full device in its place: no crash")
    func lostOutput() throws {
        let tally = HostileTally("lost output", checks: 1)
        let full = try run("exec >/dev/full", ["metrics"])
        #expect(tally.counts(full.status != SIGABRT && full.status != SIGILL), "\(full.status)")
    }
}
