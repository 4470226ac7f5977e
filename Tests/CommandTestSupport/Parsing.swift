public import ArgumentParser

/// Parses a command line in this process as the program does.
///
/// Covers help and everything that is rejected before a command runs.
public enum Parsing {
    /// The result of a command line that is not accepted.
    public struct End: Equatable {
        /// The exit code.
        public let status: Int32
        /// The printed text: help and versions go to standard output, errors to standard error.
        public let text: String
    }

    /// Parses a command line; returns the help or the error that it results in, or nil if it is accepted.
    public static func end<Root: ParsableCommand>(of arguments: [String], as root: Root.Type) -> End? {
        do {
            var command = try root.parseAsRoot(arguments)
            // The parser handles a request for help with a command of its own, which only throws the help.
            if type(of: command).configuration.commandName == "help" { try command.run() }
            return nil
        } catch {
            return End(status: root.exitCode(for: error).rawValue, text: root.fullMessage(for: error))
        }
    }

    /// Reads the value of an option; returns the message if it is refused, or nil if it is accepted.
    public static func refusal<Value>(_ read: () throws -> Value) throws -> String? {
        do {
            _ = try read()
            return nil
        } catch let error as ValidationError {
            return error.message
        }
    }
}
