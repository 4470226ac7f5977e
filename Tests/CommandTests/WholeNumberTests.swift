import CommandTestSupport
import Testing

@testable import freshet

/// Whole numbers on command lines, which follow the rule of scenario files.
@Suite("Whole numbers of options")
struct WholeNumberTests {
    @Test(
        "A leading zero, a sign or other text is rejected with the allowed values",
        arguments: ["010", "00", "-01", "+5", "5.0", "0x10", "1_000", " 7", "99999999999999999999", "seven"]
    )
    func refused(_ text: String) throws {
        for option in ["--seed", "--jobs", "--replications", "--point"] {
            let end = try #require(Parsing.end(of: ["run", "a.yaml", "\(option)=\(text)"], as: Freshet.self))
            #expect(end.status == 64, "\(option) \(text)")
            #expect(end.text.contains("allowed: a whole number without leading zeros"), "\(end.text)")
        }
    }

    @Test("Digits are accepted, including a single zero", arguments: ["0", "7", "10", "18446744073709551615"])
    func taken(_ text: String) {
        #expect(Parsing.end(of: ["run", "a.yaml", "--seed", text], as: Freshet.self) == nil)
    }

    @Test("Every option with a whole number follows the rule")
    func everyOption() throws {
        let wrong = [
            ["explain", "d", "--activity=01"], ["explain", "d", "--activity", "1", "--replication=01"],
            ["explain", "d", "--activity", "1", "--point=01"],
            ["plan", "a", "--seed=01"], ["plan", "a", "--replications=01"], ["run", "a", "--task=01"],
            ["run", "a", "--task", "0", "--workers=01"], ["sweep", "a", "--points=01"], ["sweep", "a", "--seed=01"],
            ["sweep", "a", "--replications=01"], ["sweep", "a", "--jobs=01"], ["tune", "a", "--budget=01"],
            ["tune", "a", "--seed=01"], ["tune", "a", "--jobs=01"], ["worst", "d", "--top=01"],
            ["worst", "d", "--point=01"],
            ["worst", "d", "--jobs=01"],
        ]
        for arguments in wrong {
            let end = try #require(Parsing.end(of: arguments, as: Freshet.self), "\(arguments)")
            #expect(end.status == 64 && end.text.contains("without leading zeros"), "\(arguments): \(end.text)")
        }
    }
}
