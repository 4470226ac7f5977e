import CommandTestSupport
import Testing

@testable import freshet

/// A swarm as a user runs it.
@Suite("verify --swarm")
struct VerifySwarmTests {
    @Test("A swarm that finds nothing says so; each seed is named before it is run")
    func finds() throws {
        let swarm = try Command.run("verify", "--swarm", "3", "--swarm-seed", "5", "--jobs", "1")
        #expect(swarm.status == 0)
        #expect(swarm.output == "3 scenarios from seed 5 on, nothing found\n")
        #expect(swarm.errors == "seed 5\nseed 6\nseed 7\n")
    }

    @Test("--quiet names no seeds")
    func quiet() throws {
        let swarm = try Command.run("verify", "--swarm", "1", "--quiet")
        #expect(swarm.status == 0)
        #expect(swarm.errors.isEmpty)
    }

    @Test(
        "Without cases there must be a swarm, and numbers in range: exit 64",
        arguments: [
            ([], "name a file of cases, or --swarm, or --coverage, or several of them"),
            (["--swarm", "0"], "--swarm must be within 1...1000000000, got 0"),
            (
                ["--swarm", "2", "--swarm-seed", "18446744073709551615"],
                "--swarm-seed must leave room for 2 seeds, got 18446744073709551615"
            ),
            (["--swarm", "1", "--show-scenario", "a"], "--show-scenario needs a file of cases"),
            (["cases.json", "--seeds", "1"], "--seeds must be within 2...10000, got 1"),
            (["cases.json", "--jobs", "1025"], "--jobs must be within 1...1024, got 1025"),
        ]
    )
    func usage(arguments: [String], message: String) throws {
        let end = try #require(Parsing.end(of: ["verify"] + arguments, as: Freshet.self))
        #expect(end.status == 64)
        #expect(end.text.hasPrefix("Error: \(message)\n"), "\(end.text)")
    }
}
