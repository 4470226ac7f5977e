import ArgumentParser
import Reporting
import Testing

/// What a command line asks for, before a parser reads it.
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
        "It is the first word, or the first after help; options alone name none",
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
        "One that the program does not have is told with the nearest that it has, or with all of them",
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
        "A known one is no problem; a program without commands has words of its own",
        arguments: ["run", "--help", "help"]
    )
    func known(line: String) {
        #expect(NamedCommand.problem(in: [line], of: Family.self) == nil)
        #expect(NamedCommand.problem(in: ["scenario.yaml"], of: Run.self) == nil)
    }
}
