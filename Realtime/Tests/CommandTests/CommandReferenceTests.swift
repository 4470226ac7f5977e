import CommandTestSupport
import Testing

@Suite("The reference of commands", .serialized)
struct CommandReferenceTests {
    @Test(
        "docs/commands.md is up to date for this program; FRESHET_WRITE_COMMANDS=1 updates it",
        arguments: ["freshet-apns", "freshet-load", "freshet-monitor", "freshet-studio"]
    )
    func documentation(_ program: String) throws {
        #expect(try CommandReference.difference(of: program) == nil)
    }
}
