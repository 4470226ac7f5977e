import Experiments

/// The words of a command line, checked before anything prints one of them.
enum CommandLineWords {
    /// More words than this are refused: ArgumentParser reads them in time that grows with the square of their number.
    static let most = 2000

    /// Refuses words with control characters, as names of files may have them, except for values of `--set`.
    ///
    /// A terminal obeys an escape sequence, and a build system a line that begins with `::`.
    static func check(_ words: [String]) throws(CommandError) {
        guard words.count <= most else {
            throw CommandError("the command line has \(words.count) words; allowed: \(most)")
        }
        for (index, word) in words.enumerated().dropFirst() where OneLine.hasControls(word) {
            guard !word.hasPrefix("--set="), words[index - 1] != "--set" else { continue }
            throw CommandError(
                "\"\(OneLine.excerpt(word))\" has control characters, as of a line end; allowed: words without them"
            )
        }
    }
}
