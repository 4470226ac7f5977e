package import ArgumentParser
package import Experiments
import Foundation
package import LiveActivityModel

/// How the command ends when it does not end well; the numbers are a contract with scripts.
package enum Failure {
    /// A scenario or data file is wrong.
    package static let badData = ExitCode(65)
    /// An input is not there.
    package static let inputMissing = ExitCode(66)
    /// Output cannot be written.
    package static let cannotWrite = ExitCode(73)
    /// Try again later.
    package static let temporary = ExitCode(75)
    /// Two runs of one history differ.
    package static let notDeterministic = ExitCode(97)
    /// Worse than the baseline.
    package static let regression = ExitCode(98)
    /// A check does not hold.
    package static let checkFailed = ExitCode(99)
    /// Ctrl-C.
    package static let interrupted = ExitCode(130)
    /// `kill`.
    package static let terminated = ExitCode(143)
}

/// Writes lines for people to standard error; results alone go to standard output.
package func printError(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}

/// Reads an input, or tells everything that is wrong with it and ends the command.
package func loadOrExit<Value>(_ load: () throws(ScenarioError) -> Value) throws -> Value {
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
    package static func loadOrExit(file: String, settings: [String], replications: Int? = nil) throws -> World {
        try CommandShell.loadOrExit { () throws(ScenarioError) in
            try load(file: file, settings: settings, replications: replications)
        }
    }
}
