import ArgumentParser
import Experiments
import Foundation
import LiveActivityModel

/// How the command ends when it does not end well; the numbers are a contract with scripts.
enum Failure {
    static let badData = ExitCode(65)
    static let inputMissing = ExitCode(66)
    static let cannotWrite = ExitCode(73)
    static let notDeterministic = ExitCode(97)
    static let regression = ExitCode(98)
    static let checkFailed = ExitCode(99)
    static let interrupted = ExitCode(130)
    static let terminated = ExitCode(143)
}

/// Writes lines for people to standard error; results alone go to standard output.
func printError(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}

/// Reads an input, or tells everything that is wrong with it and ends the command.
func loadOrExit<Value>(_ load: () throws(ScenarioError) -> Value) throws -> Value {
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
    static func loadOrExit(file: String, settings: [String], replications: Int? = nil) throws -> World {
        try freshet.loadOrExit { () throws(ScenarioError) in
            try load(file: file, settings: settings, replications: replications)
        }
    }
}
