import Testing

/// Help texts: what a newcomer reads.
@Suite("Help")
struct HelpTests {
    @Test("Each command says what it does, with an example", arguments: ["run", "explain", "schema", "verify"])
    func hasExample(_ command: String) throws {
        let help = try Command.run(command, "--help")
        #expect(help.status == 0)
        #expect(help.output.hasPrefix("OVERVIEW: "))
        #expect(help.output.contains("Example: freshet \(command)"))
    }

    @Test("The schema is JSON that names every section")
    func schema() throws {
        let schema = try Command.run("schema").output
        for section in [
            "clock", "rides", "content", "devices", "apns", "sender", "monitor", "faults", "cells", "seed",
            "replications",
            "measure",
        ] {
            #expect(schema.contains("\"\(section)\""))
        }
    }
}
