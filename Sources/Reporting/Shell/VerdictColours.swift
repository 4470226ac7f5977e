import Foundation

/// Verdicts in tables are coloured where a person reads them: red, yellow, green.
///
/// Not where the output is a file or a pipe, nor with `NO_COLOR` (no-color.org), nor on a terminal that knows no colours.
public enum VerdictColours {
    /// Words of verdicts as they begin in their column, with the codes of their colours (ECMA-48); the first that fits counts.
    private static let words: [(word: String, code: Int)] = [
        ("does not hold", 31), ("undefined", 31), ("worse", 31), ("not sure", 33), ("no verdict", 33),
        ("not comparable", 33), ("not measured", 33), ("holds", 32), ("better", 32),
    ]

    private static let areWanted: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(FileHandle.standardOutput.fileDescriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }()

    /// A text for standard output, in colours where these are wanted.
    public static func text(_ text: String) -> String { areWanted ? coloured(text) : text }

    /// A text with the first verdict of each line in its colour: a column begins after two spaces at the least.
    static func coloured(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                for (word, code) in words {
                    guard let place = line.firstRange(of: "  \(word)") else { continue }
                    return line[..<place.lowerBound] + "  \u{1B}[\(code)m\(word)\u{1B}[0m" + line[place.upperBound...]
                }
                return String(line)
            }
            .joined(separator: "\n")
    }
}
