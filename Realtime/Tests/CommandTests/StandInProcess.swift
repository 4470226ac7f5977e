import CommandTestSupport
import Foundation
import TestSupport

/// `freshet apns` as a process, for the length of a test.
enum StandInProcess {
    /// Hands over the ready file of a stand-in once it is there, in a scratch directory that is the process's own, too.
    static func run(_ arguments: [String] = [], in scratch: Scratch, _ body: (_ ready: String) throws -> Void) throws {
        let ready = scratch.path("apns.json")
        let process = Command.process(
            ["--port", "0", "--ready-file", "apns.json", "--lifetime", "1h"] + arguments,
            program: "freshet-apns"
        )
        process.currentDirectoryURL = scratch.url
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        _ = waitUntil { FileManager.default.fileExists(atPath: ready) || !process.isRunning }
        try body(ready)
    }
}
