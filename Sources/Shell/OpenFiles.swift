import ArgumentParser
internal import Foundation

/// The number of files that a program may have open.
///
/// With fewer than about twenty, Foundation and the runtime trap before an error can be printed, so the limit is
/// checked first.
public enum OpenFiles {
    /// The smallest limit with which a program can run.
    static let fewest: rlim_t = 32
    /// The limit that is requested if there is less.
    static let wanted: rlim_t = 256

    /// Requests more files if there are too few; ends the program if the system refuses.
    public static func checkOrExit() {
        guard var limit = ProcessLimit.openFiles.value, limit.rlim_cur < fewest else { return }
        limit.rlim_cur = min(limit.rlim_max, wanted)
        ProcessLimit.openFiles.set(limit)
        guard limit.rlim_cur < fewest else { return }
        let name = CommandLine.arguments.first?.split(separator: "/").last ?? "freshet"
        let text = "\(name): may open \(limit.rlim_cur) files; allowed: \(fewest) or more (ulimit -n \(fewest))\n"
        // Foundation is avoided here, since it may need a file of its own for this.
        _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        _exit(Failure.temporary.rawValue)
    }
}
