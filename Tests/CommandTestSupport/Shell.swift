public import Foundation
import TestSupport

/// A shell in a directory of its own, with the built programs on its path.
///
/// Processes that it started end with it.
public final class Shell {
    private let directory: URL
    private let environment: [String: String]
    private var started: [Process] = []

    /// - Parameters:
    /// - directory: The working directory.
    /// - environment: Variables of the environment besides `PATH`.
    public init(in directory: URL, environment: [String: String] = [:]) {
        self.directory = directory
        let path = Command.directory.path + ":/usr/local/bin:/usr/bin:/bin"
        self.environment = ["PATH": path].merging(environment) { $1 }
    }

    deinit {
        for process in started {
            process.terminate()
            process.waitUntilExit()
        }
    }

    /// Runs a command until it ends.
    public func run(_ command: String) throws -> Command.Outcome {
        try Command.run(["-c", command], program: "/bin/bash", environment: environment, directory: directory)
    }

    /// Starts a background command and waits until it is ready: until the file of its `--ready-file` option exists, or
    /// else until it prints its first line.
    ///
    /// - Parameter command: The command without a final `&`.
    public func start(_ command: String) throws {
        // `exec` replaces the shell, so that a signal reaches the program.
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

    /// The error for a command that ended before it was ready.
    struct Unready: Error {
        let command: String
        let printed: String
    }
}
