import Experiments

/// The arguments of a command line, checked before any of them is printed.
enum CommandLineWords {
    /// The largest number of arguments: the time that ArgumentParser takes grows with the square of their number.
    static let most = 2000

    /// Refuses arguments with control characters, which file names may contain, except in values of `--set`.
    ///
    /// A terminal obeys an escape sequence, and a CI system obeys a line that begins with `::`.
    static func check(_ words: [String]) throws(CommandError) {
        guard words.count <= most else {
            throw CommandError("the command line has \(words.count) arguments; allowed: at most \(most)")
        }
        for (index, word) in words.enumerated().dropFirst() where OneLine.hasControls(word) {
            guard !word.hasPrefix("--set="), words[index - 1] != "--set" else { continue }
            throw CommandError(
                "\"\(OneLine.excerpt(word))\" has control characters, such as a line end; "
                    + "allowed: arguments without them"
            )
        }
    }
}
