public import Foundation

/// Runs built programs as a user's shell does.
public enum Command {
    /// The result of a finished program.
    public struct Outcome {
        /// The exit code, or the number of the signal that ended the program.
        public let status: Int32
        /// The text on standard output.
        public let output: String
        /// The text on standard error.
        public let errors: String
    }

    /// The directory of the built programs: the one that holds the tests, or `FRESHET_PROGRAMS` from the environment,
    /// which selects optimised programs for measurements.
    public static var directory: URL {
        if let path = ProcessInfo.processInfo.environment["FRESHET_PROGRAMS"] { return URL(filePath: path) }
        // On macOS the tests are a bundle that a separate program loads; elsewhere they are the program that runs.
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }

    /// An environment without a usable Python.
    public static let withoutPython = ["FRESHET_PYTHON": "/nonexistent/python"]

    /// The root of the repository.
    public static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns a process that has not been started, without standard input.
    ///
    /// - Parameter program: The name of a built program, or the path of any program.
    public static func process(
        _ arguments: [String],
        program: String = "freshet",
        environment: [String: String] = [:]
    ) -> Process {
        let process = Process()
        process.executableURL = program.hasPrefix("/") ? URL(filePath: program) : directory.appending(path: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Returns a process that has not been started, from a command line.
    public static func process(
        _ line: Line,
        program: String = "freshet",
        environment: [String: String] = [:]
    ) -> Process {
        process(line.words, program: program, environment: environment)
    }

    /// Runs a command line until it ends.
    public static func run(
        _ line: Line,
        program: String = "freshet",
        environment: [String: String] = [:],
        directory: URL? = nil
    ) throws -> Outcome {
        try run(line.words, program: program, environment: environment, directory: directory)
    }

    /// Runs `freshet-load` until it ends, without Python.
    public static func load(_ line: Line, environment: [String: String] = [:], directory: URL? = nil) throws -> Outcome
    {
        let environment = withoutPython.merging(environment) { $1 }
        return try run(line, program: "freshet-load", environment: environment, directory: directory)
    }

    /// Runs a program until it ends.
    public static func run(
        _ arguments: [String],
        program: String = "freshet",
        environment: [String: String] = [:],
        directory: URL? = nil
    ) throws -> Outcome {
        let process = process(arguments, program: program, environment: environment)
        process.currentDirectoryURL = directory
        let output = try Capture()
        let errors = try Capture()
        process.standardOutput = output.handle
        process.standardError = errors.handle
        try process.run()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: try output.text(), errors: try errors.text())
    }

    /// A file that captures a stream.
    ///
    /// Unlike a pipe it never fills up.
    private struct Capture {
        let url = FileManager.default.temporaryDirectory.appending(path: "freshet-stream-\(UUID().uuidString)")
        let handle: FileHandle

        init() throws {
            try Data().write(to: url)
            handle = try FileHandle(forWritingTo: url)
        }

        func text() throws -> String {
            try handle.close()
            defer { try? FileManager.default.removeItem(at: url) }
            return String(decoding: try Data(contentsOf: url), as: UTF8.self)
        }
    }
}
