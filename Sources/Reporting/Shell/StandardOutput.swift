internal import ArgumentParser

// The system's streams are variables there; nothing here sets one.
#if canImport(Glibc)
@preconcurrency internal import Glibc
#else
@preconcurrency internal import Darwin
#endif

/// What a program prints for scripts and people: its answer.
enum StandardOutput {
    /// Ends the program by its own exit code where its answer could not be written, however it ends otherwise.
    ///
    /// The system's library keeps what was printed until the program ends, and tells of a full disk only then. A pipe whose
    /// reader has gone is no failure: `head` has what it wanted.
    static func checkAtExit() {
        atexit {
            let isWritten = fflush(stdout) == 0 && ferror(stdout) == 0
            let reason = errno
            guard !isWritten, !StandardOutput.hasLostItsReader else { return }
            let name = CommandLine.arguments.first?.split(separator: "/").last ?? "freshet"
            let why = reason == 0 ? "" : ": \(String(cString: strerror(reason)))"
            printError("\(name): standard output cannot be written\(why); what was printed is not complete")
            _exit(Failure.outputLost.rawValue)
        }
    }

    /// Whether it is a pipe or a connection that is not read any more.
    private static var hasLostItsReader: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR | POLLHUP) != 0
    }
}
