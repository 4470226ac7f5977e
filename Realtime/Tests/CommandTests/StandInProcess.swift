import CommandTestSupport
import Foundation
import LoadGenerator
import TestSupport
import Testing

/// `freshet apns` as a process that runs until the test ends.
enum StandInProcess {
    /// Passes the ready file of a stand-in to an operation once it exists, in the scratch directory of the process.
    static func run(_ arguments: [String] = [], in scratch: Scratch, _ body: (_ ready: String) throws -> Void) throws {
        let program = try start(arguments, in: scratch)
        defer { program.stop() }
        try body(scratch.path("apns.json"))
    }

    /// Passes the ready file of a stand-in to an operation that waits.
    static func run(in scratch: Scratch, _ body: (_ ready: String) async throws -> Void) async throws {
        let program = try start([], in: scratch)
        defer { program.stop() }
        try await body(scratch.path("apns.json"))
    }

    private static func start(_ arguments: [String], in scratch: Scratch) throws -> RunningProgram {
        let line: Command.Line = "--port 0 --ready-file apns.json --lifetime 1h \(arguments)"
        let program = try RunningProgram(line, program: "freshet-apns", in: scratch.url)
        _ = program.waits { FileManager.default.fileExists(atPath: scratch.path("apns.json")) }
        return program
    }
}

extension RunningProgram {
    /// Waits for the program's ready file.
    func ready(_ file: String) async throws -> ReadyFile {
        var ready: ReadyFile?
        _ = await eventually {
            ready = FileManager.default.contents(atPath: file).flatMap { ReadyFile(Array($0)) }
            return ready != nil || !process.isRunning
        }
        return try #require(ready, "\(file) was not written: \(errors)")
    }
}
