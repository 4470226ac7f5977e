/// The beginning of a long text, for readers with a limit on its length.
enum Excerpt {
    private static let ending = "\nThe rest is left out because the length of this text is limited.\n"

    /// Returns whole lines up to a length, followed by a note that there were more; the text itself if it fits.
    ///
    /// - Parameter length: Measures the length of a text, in bytes or in characters.
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
