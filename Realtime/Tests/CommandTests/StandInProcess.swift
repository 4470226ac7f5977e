import CommandTestSupport
import Foundation
import TestSupport

/// `freshet apns` as a process that runs until the test ends.
enum StandInProcess {
    /// Passes the ready file of a stand-in to an operation once it exists, in the scratch directory of the process.
    static func run(_ arguments: [String] = [], in scratch: Scratch, _ body: (_ ready: String) throws -> Void) throws {
        let process = try start(arguments, in: scratch)
        defer { stop(process) }
        try body(scratch.path("apns.json"))
    }

    /// Passes the ready file of a stand-in to an operation that waits.
    static func run(in scratch: Scratch, _ body: (_ ready: String) async throws -> Void) async throws {
        let process = try start([], in: scratch)
        defer { stop(process) }
        try await body(scratch.path("apns.json"))
    }

    private static func start(_ arguments: [String], in scratch: Scratch) throws -> Process {
        let ready = scratch.path("apns.json")
        let process = Command.process(
            "--port 0 --ready-file apns.json --lifetime 1h \(arguments)",
            program: "freshet-apns"
        )
        process.currentDirectoryURL = scratch.url
        process.standardError = FileHandle.nullDevice
        try process.run()
        _ = waitUntil { FileManager.default.fileExists(atPath: ready) || !process.isRunning }
        return process
    }

    private static func stop(_ process: Process) {
        process.terminate()
        process.waitUntilExit()
    }
}
