import Foundation

/// A line of progress on standard error: one changing line on a terminal, a plain line now and then elsewhere.
public enum ProgressLine {
    /// `true` if standard error is a terminal.
    public static let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1

    /// Replaces the last line on a terminal; appends a line elsewhere.
    ///
    /// A line that is wider than the terminal is cut, because the next line could not replace its rest.
    public static func show(_ line: String) {
        let shown = isTerminal ? "\r\u{1B}[K\(line.prefix(max(20, terminalWidth - 1)))" : "\(line)\n"
        try? FileHandle.standardError.write(contentsOf: Data(shown.utf8))
    }

    /// The columns of the terminal, or the usual number if it does not report them.
    private static var terminalWidth: Int {
        var size = winsize()
        let isKnown = ioctl(FileHandle.standardError.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0
        return isKnown && size.ws_col > 0 ? Int(size.ws_col) : width
    }

    /// The maximum width of a line of progress [columns].
    public static let width = 80

    /// Clears the line on a terminal.
    public static func clear() {
        if isTerminal { try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8)) }
    }
}
