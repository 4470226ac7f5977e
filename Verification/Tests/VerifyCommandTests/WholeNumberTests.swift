import CommandTestSupport
import Testing

@testable import freshet_verify

/// Whole numbers on command lines, which follow the rule of scenario files.
@Suite("Whole numbers of options")
struct WholeNumberTests {
    @Test(
        "A leading zero is rejected with the allowed values",
        arguments: [
            ["--swarm=01"], ["--swarm", "1", "--swarm-seed=01"], ["--swarm", "1", "--swarm-events=01000"],
            ["c", "--seeds=020"], ["c", "--jobs=01"],
        ]
    )
    func refused(_ arguments: [String]) throws {
        let end = try #require(Parsing.end(of: arguments, as: VerifyCommand.self))
        #expect(end.status == 64 && end.text.contains("without leading zeros"), "\(end.text)")
    }
}
