public import Foundation
import TestSupport

/// A shell in a directory of its own, with the built programs on its path; what it has started ends with it.
public final class Shell {
    private let directory: URL
    private let environment: [String: String]
    private var started: [Process] = []

    /// - Parameters:
    ///   - directory: Where commands are typed.
    ///   - programs: A directory of programs that come before the built ones.
    ///   - environment: What its environment has besides `PATH`.
    public init(in directory: URL, programs: String? = nil, environment: [String: String] = [:]) {
        self.directory = directory
        let path = (programs.map { "\($0):" } ?? "") + Command.directory.path + ":/usr/local/bin:/usr/bin:/bin"
        self.environment = ["PATH": path].merging(environment) { $1 }
    }

    deinit {
        for process in started {
            process.terminate()
            process.waitUntilExit()
        }
    }

    /// Runs a command to its end.
    public func run(_ command: String) throws -> Command.Outcome {
        try Command.run(["-c", command], program: "/bin/bash", environment: environment, directory: directory)
    }

    /// Starts a command that runs on, and waits until it is ready: for the file that it names as `--ready-file`, or else for
    /// the first line that it prints.
    ///
    /// - Parameter command: Without an `&` at its end.
    public func start(_ command: String) throws {
        // In place of the shell, so that a signal reaches the program.
        let process = Command.process(["-c", "exec \(command)"], program: "/bin/bash", environment: environment)
        process.currentDirectoryURL = directory
        let printed = directory.appending(path: ".printed-\(started.count)")
        try Data().write(to: printed)
        let output = try FileHandle(forWritingTo: printed)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        started.append(process)
        let ready = command.firstMatch(of: /--ready-file (\S+)/).map { directory.appending(path: String($0.1)) }
        var isReady: Bool {
            get throws {
                guard let ready else { return try Data(contentsOf: printed).contains(UInt8(ascii: "\n")) }
                return FileManager.default.fileExists(atPath: ready.path)
            }
        }
        _ = try waitUntil { try isReady || !process.isRunning }
        guard try isReady else {
            throw Unready(command: command, printed: try String(contentsOf: printed, encoding: .utf8))
        }
    }

    /// A command that ended before it was ready.
    struct Unready: Error {
        let command: String
        let printed: String
    }
}
