public import ArgumentParser
import Experiments
import Foundation

/// How the command ends when it does not end well; the numbers are a contract with scripts.
public enum Failure {
    /// The command line asks for something that there is not.
    public static let usage = ExitCode(64)
    /// A scenario or data file is wrong.
    public static let badData = ExitCode(65)
    /// An input is not there.
    public static let inputMissing = ExitCode(66)
    /// Output cannot be written.
    public static let cannotWrite = ExitCode(73)
    /// Standard output cannot be written.
    public static let outputLost = ExitCode(74)
    /// Try again later.
    public static let temporary = ExitCode(75)
    /// Two runs of one history differ.
    public static let notDeterministic = ExitCode(97)
    /// Worse than the baseline.
    public static let regression = ExitCode(98)
    /// A check does not hold.
    public static let checkFailed = ExitCode(99)
    /// Ctrl-C.
    public static let interrupted = ExitCode(130)
    /// `kill`.
    public static let terminated = ExitCode(143)

    /// The exit code of an error whose description says all that a user has to know; nil for any other.
    static func code(of error: any Error) -> ExitCode? {
        switch error {
        case let error as CommandError: error.code
        // Of a command line that could be read: the command's usage has no more to say.
        case is ValidationError: usage
        case ExportError.unavailable, ScenarioError.unavailable, DataFileError.unavailable: temporary
        case ScenarioError.missing, DataFileError.missing, ComparisonError.unreadable(.missing), ExportError.missing,
            PlanDirectory.Failure.missing, RunDirectoryError.missing, is SweepResult.MissingTasks:
            inputMissing
        case is ScenarioError, is DataFileError, is ComparisonError, is Tuning.UndefinedResponse, ExportError.invalid,
            PlanDirectory.Failure.invalid, RunDirectoryError.unreadable:
            badData
        case is RunDirectoryError, is TaskStore.WriteError, ExportError.cannotWrite, PlanDirectory.Failure.notWritable:
            cannotWrite
        default: nil
        }
    }
}

/// Why a command ends, for people, and the exit code that tells scripts.
public struct CommandError: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String
    /// How the command ends.
    public let code: ExitCode

    /// An error; without another code one of usage.
    public init(_ description: String, _ code: ExitCode = Failure.usage) {
        self.description = description
        self.code = code
    }
}

extension AsyncParsableCommand {
    /// Does what the command line says.
    ///
    /// An error that says by itself what is wrong ends the program by its exit code, and so does an answer that cannot be
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

/// Writes lines for people to standard error; results alone go to standard output.
///
/// Escape sequences that a name has brought along are left out.
public func printError(_ text: String) {
    // There is nowhere to report that it cannot be written.
    try? FileHandle.standardError.write(contentsOf: Data((OneLine.lines(text) + "\n").utf8))
}

/// Does a part of a command; an error that says by itself what is wrong is told and ends it by its exit code.
public func orExit<Value>(_ work: () throws -> Value) throws -> Value {
    do {
        return try work()
    } catch {
        guard let code = Failure.code(of: error) else { throw error }
        printError("\(error)")
        throw code
    }
}
