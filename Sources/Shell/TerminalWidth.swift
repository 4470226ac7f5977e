import Foundation

/// The width of the terminal that standard output is.
public enum TerminalWidth {
    /// The number of columns; nil if standard output is no terminal, or does not report them.
    public static var ofStandardOutput: Int? {
        let output = FileHandle.standardOutput.fileDescriptor
        var size = winsize()
        guard isatty(output) == 1, ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
