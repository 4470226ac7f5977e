/// The commands and the summary that GitHub's workflows read from a step.
///
/// Form and limits: docs.github.com, "Workflow commands for GitHub Actions".
public enum GitHubActions {
    /// The largest number of annotations of one kind that are shown for a step.
    public static let mostAnnotations = 10
    /// The largest size of a step's summary; larger ones are rejected [bytes].
    public static let longestSummary = 1 << 20

    /// Returns one annotation per error.
    ///
    /// If there are more than ten, the tenth stands for all that are left.
    ///
    /// - Parameters:
    ///   - errors: Titles with their texts, of any content.
    ///   - file: The file with the errors; nil for none.
    public static func annotations(_ errors: [(title: String, text: String)], file: String? = nil) -> String {
        let place = file.map { "file=\(property($0))," } ?? ""
        var lines = errors.prefix(mostAnnotations)
            .map { "::error \(place)title=\(property($0.title))::\(data($0.text))" }
        if errors.count > mostAnnotations {
            let rest = errors.count - mostAnnotations + 1
            lines[mostAnnotations - 1] =
                "::error title=\(rest) more::\(rest) more failed; see the step's summary"
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns as much of a summary as the step has room for: whole lines, and a last line about the cut.
    ///
    /// - Parameters:
    ///   - markdown: The text.
    ///   - used: The size of the step's summary so far [bytes].
    public static func summary(_ markdown: String, used: Int = 0) -> String {
        Excerpt.lines(of: markdown, within: longestSummary - used) { $0.utf8.count }
    }

    /// Escapes the text of a command.
    private static func data(_ text: String) -> String {
        escaped(text, ["%", "\r", "\n"])
    }

    /// Escapes the value of a property of a command.
    private static func property(_ text: String) -> String {
        escaped(text, ["%", "\r", "\n", ":", ","])
    }

    /// Replaces some scalars, all of them in ASCII, by two hexadecimal digits.
    private static func escaped(_ text: String, _ special: Set<Unicode.Scalar>) -> String {
        text.replacingScalars { scalar in
            guard special.contains(scalar) else { return nil }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }
    }
}
