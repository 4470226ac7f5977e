import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import freshet_verify

/// `verify --swarm` as users run it.
@Suite("verify --swarm")
struct VerifySwarmTests {
    private let scratch = Scratch()

    @Test("A swarm without findings reports its range of seeds")
    func finds() throws {
        let swarm = try VerifyProgram.run("--swarm", "3", "--swarm-seed", "5", "--quiet")
        #expect(swarm.status == 0, "\(swarm.errors)")
        #expect(swarm.output.hasPrefix("3 scenarios of seeds 5...7, "), "\(swarm.output)")
        #expect(swarm.output.hasSuffix(" M events, nothing found\n"), "\(swarm.output)")
    }

    @Test("Every second seed is a mutant of the given scenarios, in turn; an invalid file is reported first")
    func mutants() throws {
        let town = try scratch.write("name: town\nrides: {arrivals: {process: even, count: 2}}\n", to: "town.yaml")
        let wrong = try scratch.write("name: wrong\nseed: -1\n", to: "wrong.yaml")
        let swarm = try VerifyProgram.run("--swarm", "4", "--swarm-from", town, "--quiet")
        #expect(swarm.status == 0, "\(swarm.output)\(swarm.errors)")
        #expect(swarm.output.hasPrefix("4 scenarios of seeds 0...3, "), "\(swarm.output)")
        #expect(try VerifyProgram.run("--swarm", "4", "--swarm-from", wrong).status == 65)
        #expect(try VerifyProgram.run("--world", town, "--swarm-from", town).status == 64)
    }

    @Test("A faulty scenario is reported: exit 99")
    func world() throws {
        let sound = try scratch.write("name: sound\n", to: "sound.yaml")
        let endless = try scratch.write("name: endless\nreplications: 0\n", to: "endless.yaml")
        let one = try VerifyProgram.run("--world", sound)
        #expect(one.status == 0 && one.output.hasPrefix("\(sound): "), "\(one.output)")
        #expect(one.output.hasSuffix(" events, nothing found\n"), "\(one.output)")
        let two = try VerifyProgram.run("--world", sound, "--world", endless)
        #expect(two.status == 99 && two.output.contains("replications"), "\(two.output)")
    }

    @Test("Each world is announced before it runs, with the seed that repeats it")
    func announced() throws {
        let swarm = try VerifyProgram.run("--swarm", "3", "--swarm-seed", "5")
        let seeds = swarm.errors.split(separator: "\n").map { $0.prefix { $0 != "," } }
        #expect(seeds == ["world 5", "world 6", "world 7"], "\(swarm.errors)")
    }

    @Test("--quiet prints no seeds")
    func quiet() throws {
        let swarm = try VerifyProgram.run("--swarm", "1", "--quiet")
        #expect(swarm.status == 0)
        #expect(swarm.errors.isEmpty)
    }

    @Test(
        "Without cases a swarm is required, with numbers in range: exit 64",
        arguments: [
            ([], "name a file of cases, or --swarm, or --world, or several of them"),
            (["--swarm", "0"], "--swarm must be within 1...1000000000, got 0"),
            (
                ["--swarm", "2", "--swarm-seed", "18446744073709551615"],
                "--swarm-seed must leave room for 2 seeds, got 18446744073709551615"
            ),
            (["--swarm-events", "10"], "--swarm-events must be within 1000...100000000, got 10"),
            (["--swarm-keep", "a"], "--swarm-keep needs --swarm"),
            (["--swarm", "1", "--show-scenario", "a"], "--show-scenario needs a file of cases"),
            (["cases.json", "--seeds", "1"], "--seeds must be within 2...10000, got 1"),
            (["cases.json", "--jobs", "1025"], "--jobs must be within 1...1024, got 1025"),
        ]
    )
    func usage(arguments: [String], message: String) throws {
        let end = try #require(Parsing.end(of: arguments, as: VerifyCommand.self))
        #expect(end.status == 64)
        #expect(end.text.hasPrefix("Error: \(message)\n"), "\(end.text)")
    }

    // MARK: - The script

    /// Runs `scripts/verify swarm` with a program instead of `freshet`, one of whose worlds may crash, hang or fail.
    private func search(_ world: String, _ arguments: String...) throws -> Command.Outcome {
        try search(world, arguments)
    }

    private func search(_ world: String, _ arguments: [String]) throws -> Command.Outcome {
        let scratch = Scratch()
        let program = try scratch.write(
            """
            #!/bin/bash
            for ((seed = $5; seed < $5 + $3; seed++)); do
                echo "world $seed, after 0.0 M events" >&2
                \(world)
            done
            echo "$3 scenarios of seeds $5...$(($5 + $3 - 1)), 0.5 M events, nothing found"
            """,
            to: "freshet"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let script = Command.root.appending(path: "scripts/verify").path
        var process = [script, "swarm"] + arguments
        process.insert("FRESHET=\(program)", at: 0)
        return try Command.run(process, program: "/usr/bin/env")
    }

    @Test("The script checks all worlds in ranges, and adds up their totals")
    func ranges() throws {
        let outcome = try search(":", "--worlds", "50", "--seed", "5")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "50 scenarios of seeds 5...54, 1.5 M events\nnothing found\n")
    }

    @Test("The script names the world that ended its process, with its message: exit 99")
    func crash() throws {
        let outcome = try search(
            "[ $seed = 27 ] && { echo 'A.swift:1: Fatal error: out of range' >&2; kill -ILL $$; }",
            "--worlds",
            "60",
            "--swarm-events",
            "5000"
        )
        #expect(outcome.status == 99)
        #expect(
            outcome.output.hasPrefix(
                """
                seed 27:
                  the process ended with exit code 132
                  A.swift:1: Fatal error: out of range
                  again: freshet verify --swarm 1 --swarm-seed 27 --swarm-events 5000

                """
            ),
            "\(outcome.output)"
        )
    }

    @Test("The script ends with the report of the world that breaks a rule, or when the time is over")
    func ends() throws {
        let outcome = try search("[ $seed = 3 ] && { echo 'seed 3:'; echo '  sums differ'; exit 99; }", "--worlds", "9")
        #expect(outcome.status == 99 && outcome.output.hasPrefix("seed 3:\n  sums differ\n"), "\(outcome.output)")
        // The first range is checked even if the time is over before it begins.
        let timed = try search(":", "--for", "0s")
        #expect(timed.status == 0 && timed.output.hasPrefix("20 scenarios of seeds 0...19, "), "\(timed.output)")
        #expect(try search("exit 130", "--worlds", "9").status == 130)
        for wrong in [["--for", "soon"], ["--for", "1x"], ["--worlds", "many"], ["--worlds", "0"], ["--seed"]] {
            #expect(try search(":", wrong).status == 64)
        }
    }
}
