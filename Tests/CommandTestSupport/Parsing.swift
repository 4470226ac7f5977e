public import ArgumentParser

/// Reads a command line in this process, as the program would: its help, and what it refuses before it does anything.
public enum Parsing {
    /// How a command line ended that was not accepted.
    public struct End: Equatable {
        /// The exit code.
        public let status: Int32
        /// What was printed: help and versions to standard output, refusals to standard error.
        public let text: String
    }

    /// What comes of a command line that is a request for help, or is refused; nil where it is accepted.
    public static func end<Root: ParsableCommand>(of arguments: [String], as root: Root.Type) -> End? {
        do {
            var command = try root.parseAsRoot(arguments)
            // A request for help is a command of the parser's own, which has nothing but the help to throw.
            if type(of: command).configuration.commandName == "help" { try command.run() }
            return nil
        } catch {
            return End(status: root.exitCode(for: error).rawValue, text: root.fullMessage(for: error))
        }
    }
}
