import ArgumentParser
import CommandTestSupport
import Testing

@testable import LoadCommands

@Suite("Seeds on command lines")
struct SeedOptionTests {
    @Test("A seed has no leading zero, as in scenario files")
    func leadingZero() throws {
        let scenario = try LoadScenarioCommand.parse(["a.yaml", "--seed", "10"])
        #expect(scenario.seed == 10)
        #expect(throws: (any Error).self) { try LoadScenarioCommand.parse(["a.yaml", "--seed", "010"]) }
        #expect(throws: (any Error).self) { try LoadMonitorCommand.parse(["a.yaml", "--seed", "010"]) }
        let load = try #require(
            Parsing.end(of: ["--endpoint", "https://h", "--seed", "010"], as: LoadAPNsCommand.self)
        )
        #expect(load.text.contains("without leading zeros"))
    }
}
