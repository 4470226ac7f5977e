import CommandTestSupport
import Testing

@Suite("The reference of commands")
struct CommandReferenceTests {
    @Test("docs/commands.md has the section of this program; FRESHET_WRITE_COMMANDS=1 writes it")
    func documentation() throws {
        #expect(try CommandReference.difference(of: "freshet", without: ["apns", "load", "monitor", "studio"]) == nil)
    }
}
