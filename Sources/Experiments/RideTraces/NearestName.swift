/// Finds the name that was probably meant.
enum NearestName {
    /// Longer names are not compared: the work grows with the product of both lengths.
    private static let longestName = 64

    /// The name with the fewest edits to another, the first of several; nil when none is near.
    ///
    /// Near means at most a third of the letters, so that an unrelated name is not suggested.
    static func nearest(to name: String, among candidates: [String]) -> String? {
        var best: (name: String, edits: Int)?
        for candidate in candidates where candidate.utf8.count <= longestName {
            let edits = editDistance(Array(name.utf8), Array(candidate.utf8))
            if edits <= name.utf8.count / 3, edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        return best?.name
    }

    /// How many bytes must be put in, taken out or changed to make one text of another (Levenshtein).
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (i, leftByte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, rightByte) in right.enumerated() {
                let replaced = diagonal + (leftByte == rightByte ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }
}
