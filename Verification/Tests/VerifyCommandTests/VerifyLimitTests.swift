import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Limits of the system on memory and output, and files that never end.
@Suite("freshet verify at the limits of the system", .enabled(if: Loop.isFull))
struct VerifyLimitTests {
    private let scratch = Scratch()

    /// Runs the program under limits that the shell sets.
    private func run(_ limits: String, _ arguments: [String]) throws -> Command.Outcome {
        let program = try #require(Command.process([], program: "freshet-verify").executableURL).path
        return try Command.run("-c '\(limits); exec \"$@\"' sh \(program) \(arguments)", program: "/bin/sh")
    }

    @Test("A world that does not fit: 75, as in run")
    func memory() throws {
        let tally = HostileTally("memory", checks: 3)
        let world = try scratch.write(
            "name: world\nrides: {arrivals: {process: even, count: 50000000}}\n",
            to: "world.yaml"
        )
        let town = try scratch.write("name: town\n", to: "town.yaml")
        let held = try VerifyProgram.run("--world", world, "--memory", "200MB")
        #expect(tally.counts(held.status == 75), "\(held.status) \(held.errors)")
        #expect(held.errors.hasPrefix("\(world): stopped at "), "\(held.errors)")
        #expect(tally.counts(try VerifyProgram.run("--world", town, "--memory", "0.1kB").status == 75))
        #expect(tally.counts(try VerifyProgram.run("--world", town, "--memory", "any").status == 0))
    }

    @Test("Output that cannot be printed: 74 and a message")
    func lostOutput() throws {
        let town = try scratch.write("name: town\nrides: {arrivals: {process: even, count: 20}}\n", to: "town.yaml")
        let commands = [["--help"], ["--world", town], ["--swarm", "1", "--quiet"]]
        let tally = HostileTally("lost output", checks: commands.count)
        for command in commands {
            let full = try run("exec >/dev/full", command)
            #expect(tally.counts(full.status == 74), "\(command): \(full.status) \(full.errors)")
            #expect(full.errors.contains("standard output cannot be written"))
        }
    }

    @Test("A named pipe instead of a file is rejected without waiting")
    func pipe() throws {
        let tally = HostileTally("named pipes")
        try #require(mkfifo(scratch.path("pipe"), 0o600) == 0)
        #expect(tally.counts(try VerifyProgram.run(scratch.path("pipe")).status == 65))
    }
}
