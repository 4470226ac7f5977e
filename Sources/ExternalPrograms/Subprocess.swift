internal import Foundation

/// Another program, run to its end.
package enum Subprocess {
    /// How it ended, and what it printed to either stream.
    package struct Outcome: Hashable, Sendable {
        /// The exit code, or the number of the signal.
        package let status: Int32
        /// In UTF-8.
        package let text: String
    }

    /// Runs a program by its path; nil when it cannot be started.
    ///
    /// It gets no standard input. Both its streams go into one pipe, which is read as it fills; or the output alone.
    package static func run(_ command: [String], withErrors: Bool = true) -> Outcome? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = withErrors ? output : FileHandle.nullDevice as Any
        guard (try? process.run()) != nil else { return nil }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, text: String(decoding: bytes, as: UTF8.self))
    }
}
