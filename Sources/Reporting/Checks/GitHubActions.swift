/// What GitHub's workflows read from a step: commands on its output, and its summary.
///
/// Form and limits: docs.github.com, "Workflow commands for GitHub Actions".
public enum GitHubActions {
    /// More annotations of one kind than this are not shown for a step.
    public static let mostAnnotations = 10
    /// A step's summary that is longer is refused whole [bytes].
    public static let longestSummary = 1 << 20

    /// The lines that make errors show beside a run: one an error, the tenth for all that are left if there are more.
    ///
    /// - Parameters:
    ///   - errors: Titles with their texts, of any content.
    ///   - file: The file that the errors are about; nil for none.
    public static func annotations(_ errors: [(title: String, text: String)], file: String? = nil) -> String {
        let place = file.map { "file=\(property($0))," } ?? ""
        var lines = errors.prefix(mostAnnotations)
            .map { "::error \(place)title=\(property($0.title))::\(data($0.text))" }
        if errors.count > mostAnnotations {
            let rest = errors.count - mostAnnotations + 1
            lines[mostAnnotations - 1] =
                "::error title=\(rest) more::\(rest) more do not hold, see the summary of the step"
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// As much of a summary as a step may have beside what is there already: whole lines, and a last one that says so.
    ///
    /// - Parameters:
    ///   - markdown: The text.
    ///   - used: What the step's summary holds so far [bytes].
    public static func summary(_ markdown: String, used: Int = 0) -> String {
        Excerpt.lines(of: markdown, within: longestSummary - used) { $0.utf8.count }
    }

    /// The text of a command.
    private static func data(_ text: String) -> String {
        escaped(text, ["%", "\r", "\n"])
    }

    /// The value of a property of a command.
    private static func property(_ text: String) -> String {
        escaped(text, ["%", "\r", "\n", ":", ","])
    }

    /// The text with some of its scalars, all of them in ASCII, as two hexadecimal digits.
    private static func escaped(_ text: String, _ special: Set<Unicode.Scalar>) -> String {
        text.replacingScalars { scalar in
            guard special.contains(scalar) else { return nil }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }
    }
}
