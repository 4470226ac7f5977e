import Testing

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
        "Without cases there must be a swarm, and its numbers in range",
        arguments: [
            [], ["--swarm", "0"], ["--swarm", "2", "--swarm-seed", "18446744073709551615"],
            ["--swarm", "1", "--show-scenario", "a"],
        ]
    )
    func usage(_ arguments: [String]) throws {
        let outcome = try Command.run(["verify"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("Error: "))
    }
}
