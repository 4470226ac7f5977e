import ArgumentParser
import Shell
import Testing

/// The command in a command line, found before the parser runs.
@Suite("The command that a command line names")
struct NamedCommandTests {
    private struct Family: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "freshet family",
            subcommands: [Run.self, Sweep.self]
        )
    }

    private struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "run")
    }

    private struct Sweep: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "sweep")
    }

    @Test(
        "The first word is the command, or the first word after help; options alone name none",
        arguments: [
            ("run a --quiet", "run", ["a", "--quiet"]), ("help run a", "run", ["a"]), ("", nil, []), ("help", nil, []),
            ("--version run", nil, []), ("help --version", nil, []), ("help help", nil, []),
        ] as [(String, String?, [String])]
    )
    func reading(line: String, name: String?, rest: [String]) {
        let command = NamedCommand(in: line.split(separator: " ").map(String.init))
        #expect(command?.name == name)
        #expect(command?.rest ?? [] == rest)
    }

    @Test(
        "An unknown command is reported with the nearest one or with all commands",
        arguments: [
            ("rnu", "did you mean \"run\"?"), ("help swep", "did you mean \"sweep\"?"), ("tune", "allowed: run, sweep"),
        ]
    )
    func unknown(line: String, advice: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let problem = try #require(NamedCommand.problem(in: words, of: Family.self))
        let name = try #require(words.last)
        #expect(problem.description == "freshet family: there is no command \"\(name)\"; \(advice)")
        #expect(problem.code == Failure.usage)
    }

    @Test(
        "A known command is no error; a program without commands accepts any word",
        arguments: ["run", "--help", "help"]
    )
    func known(line: String) {
        #expect(NamedCommand.problem(in: [line], of: Family.self) == nil)
        #expect(NamedCommand.problem(in: ["scenario.yaml"], of: Run.self) == nil)
    }
}
