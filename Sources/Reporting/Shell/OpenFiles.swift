import ArgumentParser
internal import Foundation

/// How many files a program may have open.
///
/// With fewer than some twenty, Foundation and the runtime trap before an error can be printed, so the limit is checked first.
public enum OpenFiles {
    /// The fewest with which a program works.
    static let fewest: rlim_t = 32
    /// How many are asked for where there are fewer.
    static let wanted: rlim_t = 256

    /// Asks the system for more files where there are too few; ends the program where it may not have them.
    public static func checkOrExit() {
        guard var limit = ProcessLimit.openFiles.value, limit.rlim_cur < fewest else { return }
        limit.rlim_cur = min(limit.rlim_max, wanted)
        ProcessLimit.openFiles.set(limit)
        guard limit.rlim_cur < fewest else { return }
        let name = CommandLine.arguments.first?.split(separator: "/").last ?? "freshet"
        let text = "\(name): may open \(limit.rlim_cur) files; allowed: \(fewest) or more (ulimit -n \(fewest))\n"
        // Not by Foundation, which may need a file of its own for it.
        _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        _exit(Failure.temporary.rawValue)
    }
}
