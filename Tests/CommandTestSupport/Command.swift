public import Foundation

/// Runs built programs as a user's shell does.
public enum Command {
    /// What a finished program left behind.
    public struct Outcome {
        /// Its exit code; the number of the signal, if one ended it.
        public let status: Int32
        /// What it wrote to standard output.
        public let output: String
        /// What it wrote to standard error.
        public let errors: String
    }

    /// Where the programs of the package under test were built: beside its tests, or where the environment's
    /// `FRESHET_PROGRAMS` says, which is for figures of optimised ones.
    public static var directory: URL {
        if let path = ProcessInfo.processInfo.environment["FRESHET_PROGRAMS"] { return URL(filePath: path) }
        // On macOS tests are a bundle that a helper loads; elsewhere they are the program that runs.
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }

    /// The repository.
    public static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A program that has not been started yet, without standard input.
    ///
    /// - Parameter program: The name of a program that was built, or the path of any.
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

    /// Runs `freshet` to its end.
    public static func run(
        _ arguments: String...,
        environment: [String: String] = [:],
        directory: URL? = nil
    ) throws -> Outcome {
        try run(arguments, environment: environment, directory: directory)
    }

    /// Runs a program to its end.
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

    /// A file for a stream: unlike a pipe it never fills up.
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
