internal import Foundation

/// A child process whose output is read while it runs.
///
/// A pipe holds 64 KiB: the process waits if its reader is slower, so neither needs memory for all of the output. Its
/// standard error must fit into another such pipe.
package final class RunningProgram {
    private let process = Process()
    private let output: FileHandle
    private let errors: FileHandle
    private let lifeline: Pipe?

    /// Starts a program by its path; nil if it cannot be started.
    ///
    /// - Parameters:
    ///   - directory: Its working directory; nil for that of this process.
    ///   - hasLifeline: `true` for a standard input without bytes that ends with this process; otherwise there is none.
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

    /// Stops a process whose output is no longer needed.
    deinit {
        try? output.close()
        guard process.isRunning else { return }
        // A child process inherits the blocked signals of the thread that starts it, so a milder signal might never
        // arrive.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Reads some of its output; returns the number of bytes, 0 at its end, and a negative number on an error.
    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        while true {
            let count = Foundation.read(output.fileDescriptor, start, buffer.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Waits for its end, and returns its status and its standard error.
    package func outcome() -> Subprocess.Outcome {
        let text = errors.readDataToEndOfFile()
        process.waitUntilExit()
        return Subprocess.Outcome(status: process.terminationStatus, text: String(decoding: text, as: UTF8.self))
    }
}
