import CommandTestSupport
import Testing

@Suite("The reference of commands")
struct CommandReferenceTests {
    @Test("docs/commands.md is up to date for this program; FRESHET_WRITE_COMMANDS=1 updates it")
    func documentation() throws {
        let companions: Set = ["apns", "load", "monitor", "studio", "verify"]
        #expect(try CommandReference.difference(of: "freshet", without: companions) == nil)
    }
}
