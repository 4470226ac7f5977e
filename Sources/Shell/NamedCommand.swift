public import ArgumentParser
import TextFormats

/// The command that a command line names.
public struct NamedCommand: Hashable, Sendable {
    /// The first word, or the first after `help`.
    public let name: String
    /// The words after it.
    public let rest: [String]

    /// Reads a command line without its program's name; returns nil if it names no command.
    public init?(in arguments: [String]) {
        let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
        guard let name = words.first, !name.hasPrefix("-"), name != "help" else { return nil }
        self.name = name
        rest = Array(words.dropFirst())
    }

    /// Returns an error if the command line names none of the program's commands, with the nearest name.
    ///
    /// Returns nil if the name is right or the program has no commands.
    ///
    /// The parser alone would report only an unexpected word.
    public static func problem(in arguments: [String], of program: any ParsableCommand.Type) -> CommandError? {
        let known = names(of: program.configuration.subcommands)
        guard !known.isEmpty, let name = Self(in: arguments)?.name, !known.contains(name) else { return nil }
        let advice = Suggestion.advice(for: name, among: known)
        return CommandError(
            "\(program.configuration.commandName ?? ""): there is no command \"\(OneLine.excerpt(name))\"; \(advice)"
        )
    }

    /// The names of commands.
    public static func names(of commands: [any ParsableCommand.Type]) -> [String] {
        commands.compactMap { $0.configuration.commandName }
    }
}
