import ArgumentParser
import Testing

@testable import LoadCommands

@Suite("Seeds on command lines")
struct SeedOptionTests {
    @Test("A seed follows the rule of scenario files: no leading zero")
    func leadingZero() throws {
        let scenario = try LoadScenarioCommand.parse(["a.yaml", "--seed", "10"])
        #expect(scenario.seed == 10)
        #expect(throws: (any Error).self) { try LoadScenarioCommand.parse(["a.yaml", "--seed", "010"]) }
        #expect(throws: (any Error).self) { try LoadMonitorCommand.parse(["a.yaml", "--seed", "010"]) }
        #expect(throws: (any Error).self) { try LoadSeedOption.parse(["--seed", "010"]) }
        #expect(try LoadSeedOption.parse(["--seed", "0"]).seed == 0)
    }
}
