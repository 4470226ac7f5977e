internal import Foundation

/// A child process that runs to its end.
package enum Subprocess {
    /// The status and the output of a child process.
    package struct Outcome: Hashable, Sendable {
        /// The exit code, or the number of the signal.
        package let status: Int32
        /// The output in UTF-8.
        package let text: String
    }

    /// Runs a program by its path; nil if it cannot be started.
    ///
    /// Both its output streams go into one pipe, which is read as it fills; or only the standard output.
    ///
    /// - Parameters:
    ///   - directory: Its working directory; nil for that of this process.
    ///   - hasLifeline: `true` for a standard input without bytes that ends with this process; otherwise there is none.
    package static func run(
        _ command: [String],
        in directory: String? = nil,
        hasLifeline: Bool = false,
        withErrors: Bool = true
    ) -> Outcome? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        let lifeline = process.setInput(hasLifeline: hasLifeline)
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        defer { withExtendedLifetime(lifeline) {} }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = withErrors ? output : FileHandle.nullDevice as Any
        guard (try? process.run()) != nil else { return nil }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, text: String(decoding: bytes, as: UTF8.self))
    }
}

extension Process {
    /// Sets the standard input: none, or a pipe that stays open while the result is alive.
    func setInput(hasLifeline: Bool) -> Pipe? {
        let lifeline = hasLifeline ? Pipe() : nil
        standardInput = lifeline ?? FileHandle.nullDevice as Any
        return lifeline
    }
}
