import CommandTestSupport
import Testing

@Suite("The reference of commands")
struct CommandReferenceTests {
    @Test("docs/commands.md is up to date for this program; FRESHET_WRITE_COMMANDS=1 updates it")
    func documentation() throws {
        #expect(try CommandReference.difference(of: "freshet-verify") == nil)
    }
}
