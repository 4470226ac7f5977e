public import ArgumentParser
import Foundation
import TextFormats

/// The exit codes of failed commands; scripts rely on the numbers.
public enum Failure {
    /// The command line requests something that does not exist.
    public static let usage = ExitCode(64)
    /// A scenario or data file is wrong.
    public static let badData = ExitCode(FailureKind.badData.rawValue)
    public static let inputMissing = ExitCode(FailureKind.inputMissing.rawValue)
    /// Output cannot be written.
    public static let cannotWrite = ExitCode(FailureKind.cannotWrite.rawValue)
    /// Standard output cannot be written.
    public static let outputLost = ExitCode(74)
    /// A temporary failure: try again later.
    public static let temporary = ExitCode(FailureKind.temporary.rawValue)
    /// Two runs of one history differ.
    public static let notDeterministic = ExitCode(97)
    /// Worse than the baseline.
    public static let regression = ExitCode(98)
    /// A check does not hold or is not measured.
    public static let checkFailed = ExitCode(99)
    /// Ctrl-C.
    public static let interrupted = ExitCode(130)
    /// `kill`.
    public static let terminated = ExitCode(143)

    /// Returns the exit code of an error whose description is complete for users; nil for any other error.
    static func code(of error: any Error) -> ExitCode? {
        switch error {
        case let error as CommandError: error.code
        case let error as any UserError: ExitCode(error.failure.rawValue)
        // The command line could be read, so the command's usage would add nothing.
        case is ValidationError: usage
        default: nil
        }
    }
}

/// The reason why a command ends, with a text for people and an exit code for scripts.
public struct CommandError: Error, CustomStringConvertible {
    /// The problem, and what is allowed.
    public let description: String
    /// The exit code.
    public let code: ExitCode

    /// Creates an error; its default exit code is that of a usage error.
    public init(_ description: String, _ code: ExitCode = Failure.usage) {
        self.description = description
        self.code = code
    }
}

extension AsyncParsableCommand {
    /// Runs the command that the command line names.
    ///
    /// An error with a complete description ends the program with its exit code. So does an answer that cannot be
    /// printed.
    public static func mainOrExit() async {
        StandardOutput.checkAtExit()
        CrashSignals.restore()
        do {
            try CommandLineWords.check(CommandLine.arguments)
            let words = Array(CommandLine.arguments.dropFirst())
            if let problem = NamedCommand.problem(in: words, of: self) { throw problem }
            var command = try await asyncParseAsRoot(CommandLineWords.joiningNegativeNumbers(words))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard let code = Failure.code(of: error) else { exit(withError: error) }
            printError("\(error)")
            exit(withError: code)
        }
    }
}

/// Prints lines for people to standard error; standard output is for results only.
///
/// Escape sequences, which a file name may contain, are left out.
public func printError(_ text: String) {
    // There is no place left to report a failure of this write.
    try? FileHandle.standardError.write(contentsOf: Data((OneLine.lines(text) + "\n").utf8))
}

/// Performs a part of a command; an error with a complete description is printed and ends the command with its exit
/// code.
public func orExit<Value>(_ work: () throws -> Value) throws -> Value {
    do {
        return try work()
    } catch {
        guard let code = Failure.code(of: error) else { throw error }
        printError("\(error)")
        throw code
    }
}
