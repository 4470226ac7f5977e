internal import ArgumentParser

// The system declares its streams as variables; nothing here sets them.
#if canImport(Glibc)
@preconcurrency internal import Glibc
#else
@preconcurrency internal import Darwin
#endif

/// The standard output of a program: its answer to scripts and people.
enum StandardOutput {
    /// Ends the program with an exit code of its own if its answer could not be written, whatever its exit code was.
    ///
    /// The C library buffers output until the program ends and reports a full disk only then. A pipe whose reader has
    /// gone is no failure: `head` closes it once it has read enough.
    static func checkAtExit() {
        atexit {
            let isWritten = fflush(stdout) == 0 && ferror(stdout) == 0
            let reason = errno
            guard !isWritten, !StandardOutput.hasLostItsReader else { return }
            let name = CommandLine.arguments.first?.split(separator: "/").last ?? "freshet"
            let why = reason == 0 ? "" : ": \(String(cString: strerror(reason)))"
            printError("\(name): standard output cannot be written\(why); the printed output is incomplete")
            _exit(Failure.outputLost.rawValue)
        }
    }

    /// `true` if standard output is a pipe or a connection whose reader has gone.
    private static var hasLostItsReader: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR | POLLHUP) != 0
    }
}
