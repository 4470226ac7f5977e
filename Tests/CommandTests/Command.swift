import Foundation

/// Runs the built command as a user's shell does.
enum Command {
    /// What a finished command left behind.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The command stands beside the test bundle, wherever that was built.
    static var executable: URL {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "freshet")
    }

    static func process(_ arguments: [String], environment: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs the command to its end.
    static func run(
        _ arguments: String...,
        environment: [String: String] = [:],
        directory: URL? = nil
    ) throws -> Outcome {
        try run(arguments, environment: environment, directory: directory)
    }

    /// Runs the command to its end.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        directory: URL? = nil
    ) throws -> Outcome {
        let process = process(arguments, environment: environment)
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

/// A directory that is gone after the test.
final class Scratch {
    let url = FileManager.default.temporaryDirectory.appending(path: "freshet-test-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String {
        url.appending(path: name).path
    }

    /// Writes a file and returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }

    /// Every file below a directory by its name, but those that differ in each run.
    func contents(of directory: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        let root = url.appending(path: directory)
        for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) where name != "timing.json" {
            let file = root.appending(path: name)
            if !file.hasDirectoryPath, let data = try? Data(contentsOf: file) {
                contents[name] = data
            }
        }
        return contents
    }
}
