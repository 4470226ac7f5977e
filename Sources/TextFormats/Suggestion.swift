/// The known word most similar to an unknown one, for "did you mean".
public enum Suggestion {
    /// The length above which words are not compared, so that hostile input stays cheap.
    private static let longestWord = 64

    /// Returns the candidate within a typing error or two of `word`; nil if there is none.
    ///
    /// At most one error in three letters is allowed. Among equally similar candidates the first one wins.
    public static func nearest(to word: String, among candidates: [String]) -> String? {
        guard word.count <= longestWord else { return nil }
        var best: (candidate: String, distance: Int)?
        let letters = Array(word)
        for candidate in candidates {
            let others = Array(candidate)
            let farthest = min(letters.count, others.count) / 3
            // The words differ by at least the difference of their lengths; most candidates end here.
            guard abs(letters.count - others.count) <= farthest else { continue }
            let distance = distance(letters, others)
            if distance <= farthest, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.candidate
    }

    /// Returns the most similar candidate, or the first that begins with the word, or the first that contains it.
    ///
    /// It is meant for long names that people abbreviate. Words below three letters occur in too many names.
    public static func nearestOrLonger(to word: String, among candidates: [String]) -> String? {
        if let nearest = nearest(to: word, among: candidates) { return nearest }
        guard (3...longestWord).contains(word.count) else { return nil }
        return candidates.first { $0.hasPrefix(word) } ?? candidates.first { $0.contains(word) }
    }

    /// Returns the end of a message about an unknown word: the most similar known word, or all of them.
    public static func advice(for word: String, among candidates: [String]) -> String {
        if let nearest = nearest(to: word, among: candidates) {
            "did you mean \"\(nearest)\"?"
        } else {
            "allowed: \(candidates.joined(separator: ", "))"
        }
    }

    /// Returns the number of insertions, deletions, substitutions and swaps of neighbours from one word to the other.
    ///
    /// Optimal string alignment, the restricted form of the Damerau-Levenshtein distance: no part of a word is edited
    /// twice.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                let substitution = last[j] + (left[i] == right[j] ? 0 : 1)
                var cost = min(last[j + 1] + 1, row[j] + 1, substitution)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
