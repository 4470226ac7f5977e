import Testing

/// Help texts: what a newcomer reads.
@Suite("Help")
struct HelpTests {
    @Test(
        "Each command says what it does, with an example",
        arguments: [
            "run", "sweep", "plan", "merge", "compare", "check", "tune", "fit", "report", "export", "explain", "schema",
            "verify",
            "bench",
        ]
    )
    func hasExample(_ command: String) throws {
        let help = try Command.run(command, "--help")
        #expect(help.status == 0)
        #expect(help.output.hasPrefix("OVERVIEW: "))
        #expect(help.output.contains("Example: freshet \(command)"))
    }

    @Test(
        "Each benchmark says what it does, with an example",
        arguments: ["hold", "mm1", "phold", "classify", "model"]
    )
    func benchmarkHasExample(_ benchmark: String) throws {
        let help = try Command.run("bench", benchmark, "--help")
        #expect(help.status == 0)
        #expect(help.output.hasPrefix("OVERVIEW: Measures "))
        #expect(help.output.contains("Example: freshet bench \(benchmark) --"))
    }

    @Test("The schema is JSON that names every section")
    func schema() throws {
        let schema = try Command.run("schema").output
        for section in [
            "clock", "rides", "content", "devices", "apns", "sender", "monitor", "faults", "cells", "seed",
            "replications",
            "measure", "checks",
        ] {
            #expect(schema.contains("\"\(section)\""))
        }
    }
}
