import Testing

/// `freshet load`, `freshet apns` and `freshet monitor`, which another program does.
@Suite("Commands passed on to freshet-load")
struct PassedOnCommandTests {
    @Test("The program's own help is what the user sees, with an example", arguments: ["load"])
    func help(_ command: String) throws {
        let help = try Command.run(command, "--help")
        #expect(help.status == 0)
        #expect(help.output.hasPrefix("OVERVIEW: "))
        #expect(help.output.contains("Example: freshet \(command)"))
        #expect(help.output.contains("USAGE: freshet \(command)"))
    }

    @Test("Where the program is missing, it is said how to get it")
    func missing() throws {
        let outcome = try Command.run("load", "core", environment: ["FRESHET_LOAD": "/nowhere/freshet-load"])
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("`make load` builds it"))
    }

    @Test("What the program thinks of its arguments is the exit code")
    func usage() throws {
        #expect(try Command.run("load", "--nonsense").status == 64)
    }
}
