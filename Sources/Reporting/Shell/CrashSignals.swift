internal import Foundation

/// The signals of crashes, which end a program as the system does.
///
/// Swift's runtime handles them by printing a backtrace. That holds the program for seconds, prints memory around each
/// register, and lets a program go on after SIGQUIT: a service manager could neither stop nor restart it.
enum CrashSignals {
    private static let all = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP]

    /// Restores the system's own end of each, unless `SWIFT_BACKTRACE` asks for backtraces.
    static func restore() {
        guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
        for number in all { signal(number, SIG_DFL) }
    }
}
