import Foundation

/// Colours for verdicts in tables that a person reads: red, yellow, green.
///
/// Text stays plain in a file or a pipe, with `NO_COLOR` (no-color.org), and on a terminal without colours.
public enum VerdictColours {
    /// The words with which verdicts begin, with their colour codes (ECMA-48); the first match counts.
    private static let words: [(word: String, code: Int)] = [
        ("failed", 31), ("undefined", 31), ("worse", 31), ("not sure", 33), ("no verdict", 33),
        ("not comparable", 33), ("not measured", 33), ("passed", 32), ("better", 32),
    ]

    private static let areWanted: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(FileHandle.standardOutput.fileDescriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }()

    /// Returns a text for standard output, in colours if they are enabled.
    public static func text(_ text: String) -> String { areWanted ? coloured(text) : text }

    /// Returns a text with the first verdict of each line in its colour.
    ///
    /// A column begins after at least two spaces.
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
