import TextFormats

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

    /// The words with each negative number joined to the option before it: `--rate -3/s` becomes `--rate=-3/s`.
    ///
    /// ArgumentParser takes a word that begins with a hyphen for an option and reports that the value is missing. Joined, the
    /// value reaches the option, which says what it allows. No option of ours is named by a digit.
    static func joiningNegativeNumbers(_ words: [String]) -> [String] {
        var joined: [String] = []
        for (index, word) in words.enumerated() {
            if word == "--" { return joined + words[index...] }
            if let option = joined.last, option.hasPrefix("--"), !option.contains("="), isNegativeNumber(word) {
                joined[joined.count - 1] = "\(option)=\(word)"
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    private static func isNegativeNumber(_ word: String) -> Bool {
        let start = word.dropFirst().drop { $0 == "." }
        return word.hasPrefix("-") && start.first.map { "0"..."9" ~= $0 } == true
    }
}
