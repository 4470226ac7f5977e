import ArgumentParser
import CommandTestSupport
import Testing

@testable import freshet

/// The help texts.
@Suite("Help")
struct HelpTests {
    /// The names of all commands in the help.
    private static let commands = Freshet.configuration.subcommands.map { $0.configuration.commandName ?? "unnamed" }

    /// Commands of other programs, which answer `--help` themselves.
    private static let companions: Set = [
        BenchCompanion.name, LoadCompanion.name, APNsCompanion.name, MonitorCompanion.name, StudioCompanion.name,
        VerifyCompanion.name,
    ]

    @Test("Each command has a description with an example", arguments: commands)
    func hasExample(_ command: String) throws {
        let help = try #require(Parsing.end(of: ["help", command], as: Freshet.self))
        #expect(help.status == 0)
        #expect(help.text.hasPrefix("OVERVIEW: "))
        #expect(help.text.contains("Example: freshet \(command)"))
        #expect(help.text.contains("USAGE: freshet \(command)"))
    }

    @Test("--help prints the same text; companion programs answer it themselves", arguments: commands)
    func option(_ command: String) {
        let help = Parsing.end(of: [command, "--help"], as: Freshet.self)
        let expected = Self.companions.contains(command) ? nil : Parsing.end(of: ["help", command], as: Freshet.self)
        #expect(help == expected)
    }

    @Test("The program's help lists every command once")
    func overview() throws {
        let help = try #require(Parsing.end(of: ["--help"], as: Freshet.self))
        #expect(help.status == 0)
        let lines = help.text.split(separator: "\n")
        let names = lines.compactMap { $0.prefixMatch(of: #/ {2}([a-z]+) +[A-Z]/#).map { String($0.1) } }
        #expect(names == Self.commands)
        #expect(Set(names).count == names.count)
    }

    @Test("Help goes to standard output, errors with the usage to standard error: exit 0 and 64")
    func streams() throws {
        let help = try Command.run("run --help")
        #expect(help.status == 0 && help.errors.isEmpty)
        #expect(help.output.hasPrefix("OVERVIEW: ") && help.output.contains("Example: freshet run"))
        let refused = try Command.run("run x.yaml --jobs 0")
        #expect(refused.status == 64 && refused.output.isEmpty)
        #expect(refused.errors.hasPrefix("Error: --jobs must be within 1...1024, got 0\n"))
        #expect(refused.errors.contains("\nUsage: freshet run "))
    }

    @Test("The schema is JSON that contains every section")
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
