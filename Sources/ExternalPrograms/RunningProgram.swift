internal import Foundation

/// Another program whose output is read while it writes.
///
/// A pipe holds 64 KiB: the program waits when its reader is slower, so neither needs memory for all of its output. What
/// it says on standard error must fit into another such pipe.
package final class RunningProgram {
    private let process = Process()
    private let output: FileHandle
    private let errors: FileHandle
    private let lifeline: Pipe?

    /// Starts a program by its path; nil when it cannot be started.
    ///
    /// - Parameters:
    ///   - directory: Its working directory; nil for that of this process.
    ///   - hasLifeline: `true` for a standard input without bytes, which ends with this process; else there is none.
    package init?(_ command: [String], in directory: String? = nil, hasLifeline: Bool = false) {
        let (output, errors) = (Pipe(), Pipe())
        self.output = output.fileHandleForReading
        self.errors = errors.fileHandleForReading
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        lifeline = process.setInput(hasLifeline: hasLifeline)
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        process.standardOutput = output
        process.standardError = errors
        guard (try? process.run()) != nil else { return nil }
    }

    /// A program whose output is wanted no more is stopped.
    deinit {
        try? output.close()
        guard process.isRunning else { return }
        // A child inherits the signals that the thread that has started it blocks, so that a milder one may never come.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Reads some of its output: how many bytes came, 0 at its end, less where the system refuses.
    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        while true {
            let count = Foundation.read(output.fileDescriptor, start, buffer.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// How it ended, with what it said on standard error; waits for it.
    package func outcome() -> Subprocess.Outcome {
        let text = errors.readDataToEndOfFile()
        process.waitUntilExit()
        return Subprocess.Outcome(status: process.terminationStatus, text: String(decoding: text, as: UTF8.self))
    }
}
