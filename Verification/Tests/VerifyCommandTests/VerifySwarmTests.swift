import CommandTestSupport
import Foundation
import Quantities
import Testing
import Verification

@testable import freshet_verify

/// `verify --swarm` as users run it.
@Suite("verify --swarm")
struct VerifySwarmTests {
    @Test("A swarm without findings reports its range of seeds")
    func finds() throws {
        let swarm = try VerifyProgram.run("--swarm", "3", "--swarm-seed", "5", "--jobs", "2")
        #expect(swarm.status == 0, "\(swarm.errors)")
        #expect(swarm.output.hasPrefix("3 scenarios of seeds 5...7, "), "\(swarm.output)")
        #expect(swarm.output.hasSuffix(" M events, nothing found\n"), "\(swarm.output)")
    }

    @Test("A swarm ends after its time limit")
    func time() throws {
        let swarm = try VerifyProgram.run("--swarm-for", "300ms", "--swarm-seed", "5", "--jobs", "1", "--quiet")
        #expect(swarm.status == 0, "\(swarm.errors)")
        #expect(swarm.output.contains(" of seeds 5..."), "\(swarm.output)")
    }

    @Test("Every second seed is a mutant of the given scenarios, in turn; an invalid file is reported first")
    func mutants() throws {
        let scratch = try Scratch()
        let town = try scratch.file("town.yaml", "name: town\nrides: {arrivals: {process: even, count: 2}}\n")
        let wrong = try scratch.file("wrong.yaml", "name: wrong\nseed: -1\n")
        let swarm = try VerifyProgram.run("--swarm", "4", "--swarm-from", town, "--jobs", "1", "--quiet")
        #expect(swarm.status == 0, "\(swarm.output)\(swarm.errors)")
        #expect(swarm.output.hasPrefix("4 scenarios of seeds 0...3, "), "\(swarm.output)")
        #expect(try VerifyProgram.run("--swarm", "4", "--swarm-from", wrong).status == 65)
        #expect(try VerifyProgram.run("--world", town, "--swarm-from", town).status == 64)
    }

    @Test("A faulty scenario is reported: exit 99")
    func world() throws {
        let scratch = try Scratch()
        let sound = try scratch.file("sound.yaml", "name: sound\n")
        let endless = try scratch.file("endless.yaml", "name: endless\nreplications: 0\n")
        let one = try VerifyProgram.run("--world", sound)
        #expect(one.status == 0 && one.output.hasPrefix("\(sound): "), "\(one.output)")
        #expect(one.output.hasSuffix(" events, nothing found\n"), "\(one.output)")
        let two = try VerifyProgram.run("--world", sound, "--world", endless)
        #expect(two.status == 99 && two.output.contains("replications"), "\(two.output)")
    }

    // MARK: - Ends of a world's process

    /// Runs a swarm with a program instead of the worker; each line requests a world.
    private static func search(
        _ script: String,
        seeds: Range<UInt64> = 3..<6,
        patience: TimeSpan = .minutes(1)
    ) async throws -> SwarmCourse {
        let settings = Swarm.Settings(
            seeds: seeds,
            jobs: 2,
            patience: patience,
            worker: ["/bin/sh", "-c", "while read what seed; do \(script); echo done 7; done"],
            finder: "freshet 0"
        )
        let course = SwarmCourse()
        try await Swarm(settings).run(course)
        return course
    }

    @Test("A trap in a world is reported with its seed and message, and the swarm continues")
    func trap() async throws {
        let course = try await Self.search(
            "[ $seed = 4 ] && { printf 'A.swift:1: Fatal error: out of range\\nCurrent stack trace:\\n0 0x1f\\n' >&2; kill -ILL $$; }"
        )
        #expect(course.current.worlds == 3 && course.current.events == 14)
        #expect(course.finds.map(\.seed) == [4])
        #expect(
            course.finds.first?.violations == [
                "the process ended by signal SIGILL: A.swift:1: Fatal error: out of range"
            ]
        )
    }

    /// No world ends here, so the time limit can be short on any machine.
    @Test("A world that does not end is reported with its seed")
    func hang() async throws {
        let course = try await Self.search("exec sleep 600", seeds: 4..<5, patience: .milliseconds(100))
        #expect(course.current.worlds == 1)
        #expect(course.finds.map(\.seed) == [4])
        #expect(course.finds.first?.violations == ["no answer within the time limit"])
    }

    @Test("Only the user can read the scratch directories of a swarm")
    func privateScratch() async throws {
        let scratch = try Scratch()
        let modes = scratch.path("modes")
        _ = try await Self.search("ls -ld \"$0\" \"$0/..\" >> '\(modes)'")
        let lines = try String(contentsOfFile: modes, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 6 && lines.allSatisfy { $0.hasPrefix("drwx------") }, "\(lines)")
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
            ([], "name a file of cases, or --swarm, or --coverage, or several of them"),
            (["--swarm", "0"], "--swarm must be within 1...1000000000, got 0"),
            (
                ["--swarm", "2", "--swarm-seed", "18446744073709551615"],
                "--swarm-seed must leave room for 2 seeds, got 18446744073709551615"
            ),
            (["--swarm-events", "10"], "--swarm-events must be within 1000...100000000, got 10"),
            (["--swarm-keep", "a"], "--swarm-keep needs --swarm or --swarm-for"),
            (
                ["--swarm-for", "1"],
                "--swarm-for must be a duration above 0s such as 90s, 1h or 8h, got \"1\""
            ),
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
}
