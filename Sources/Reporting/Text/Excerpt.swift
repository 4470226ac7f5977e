/// The beginning of a long text, for readers that take no more.
enum Excerpt {
    private static let ending = "\nThe rest is left out because the length of this text is limited.\n"

    /// Whole lines up to a length, and a last one that says that there were more; the text itself when it fits.
    ///
    /// - Parameter length: How long a text is: in bytes, in characters.
    static func lines(of text: String, within limit: Int, length: (String) -> Int) -> String {
        guard length(text) > limit else { return text }
        var room = limit - length(ending)
        guard room >= 0 else { return "" }
        var kept: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            room -= length(String(line)) + 1
            guard room >= 0 else { break }
            kept.append(line)
        }
        return kept.map { $0 + "\n" }.joined() + ending
    }
}
