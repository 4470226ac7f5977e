/// A pattern for names: with `*` for any text, otherwise a substring.
package struct WildcardPattern {
    private let pieces: [Substring]

    package init(_ text: String) {
        let pieces = text.split(separator: "*", omittingEmptySubsequences: false)
        self.pieces = pieces.count > 1 ? pieces : ["", pieces[0], ""]
    }

    package func matches(_ name: String) -> Bool {
        guard let first = pieces.first, let last = pieces.last, name.hasPrefix(first) else { return false }
        var rest = name.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let range = rest.firstRange(of: piece) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
