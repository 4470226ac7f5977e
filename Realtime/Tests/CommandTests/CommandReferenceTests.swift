import CommandTestSupport
import Testing

@Suite("The reference of commands", .serialized)
struct CommandReferenceTests {
    @Test(
        "docs/commands.md has the section of this program; FRESHET_WRITE_COMMANDS=1 writes it",
        arguments: ["freshet-apns", "freshet-load", "freshet-monitor", "freshet-studio"]
    )
    func documentation(_ program: String) throws {
        #expect(try CommandReference.difference(of: program) == nil)
    }
}
