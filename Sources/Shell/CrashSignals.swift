internal import Foundation

/// The signals of crashes, with the system's default handling.
///
/// Swift's runtime handles them by printing a backtrace. That holds the program for seconds, prints memory around each
/// register, and lets a program continue after SIGQUIT, so a service manager could neither stop nor restart it.
enum CrashSignals {
    private static let all = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP]

    /// Restores the system's default handling of each signal, unless `SWIFT_BACKTRACE` requests backtraces.
    static func restore() {
        guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
        for number in all { signal(number, SIG_DFL) }
    }
}
