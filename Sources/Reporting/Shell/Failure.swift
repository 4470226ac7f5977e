public import ArgumentParser
public import Experiments
import Foundation
public import LiveActivityModel

/// How the command ends when it does not end well; the numbers are a contract with scripts.
public enum Failure {
    /// A scenario or data file is wrong.
    public static let badData = ExitCode(65)
    /// An input is not there.
    public static let inputMissing = ExitCode(66)
    /// Output cannot be written.
    public static let cannotWrite = ExitCode(73)
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
}

/// Writes lines for people to standard error; results alone go to standard output.
public func printError(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}

/// Reads an input, or tells everything that is wrong with it and ends the command.
public func loadOrExit<Value>(_ load: () throws(ScenarioError) -> Value) throws -> Value {
    do {
        return try load()
    } catch {
        printError("\(error)")
        switch error {
        case .missing: throw Failure.inputMissing
        case .unreadable, .invalid: throw Failure.badData
        }
    }
}

extension ScenarioLoader {
    /// Loads a scenario, or tells everything that is wrong with it and ends the command.
    public static func loadOrExit(file: String, settings: [String], replications: Int? = nil) throws -> World {
        try Reporting.loadOrExit { () throws(ScenarioError) in
            try load(file: file, settings: settings, replications: replications)
        }
    }
}
