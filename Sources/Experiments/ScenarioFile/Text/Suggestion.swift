/// The known word nearest to an unknown one, for "did you mean".
package enum Suggestion {
    /// Longer words are not compared, so that hostile input stays cheap.
    private static let longestWord = 64

    /// The candidate that a typing error or two away could have become `word`; nil when none is near.
    ///
    /// Near is at most one error in three letters. Among equally near candidates the first one wins.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        guard word.count <= longestWord else { return nil }
        var best: (candidate: String, distance: Int)?
        let letters = Array(word)
        for candidate in candidates {
            let others = Array(candidate)
            let farthest = min(letters.count, others.count) / 3
            // The words are at least as far apart as their lengths: most candidates end here.
            guard abs(letters.count - others.count) <= farthest else { continue }
            let distance = distance(letters, others)
            if distance <= farthest, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.candidate
    }

    /// The nearest candidate; where none is near, the first that begins with the word, then the first that has it in it.
    ///
    /// For long names of which a person types the beginning. Shorter words than three letters are part of too many.
    package static func nearestOrLonger(to word: String, among candidates: [String]) -> String? {
        if let nearest = nearest(to: word, among: candidates) { return nearest }
        guard (3...longestWord).contains(word.count) else { return nil }
        return candidates.first { $0.hasPrefix(word) } ?? candidates.first { $0.contains(word) }
    }

    /// The end of a message about an unknown word: the nearest known one, or all of them.
    package static func advice(for word: String, among candidates: [String]) -> String {
        if let nearest = nearest(to: word, among: candidates) {
            "did you mean \"\(nearest)\"?"
        } else {
            "allowed: \(candidates.joined(separator: ", "))"
        }
    }

    /// How many insertions, deletions, substitutions and swaps of neighbours lead from one word to the other.
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
