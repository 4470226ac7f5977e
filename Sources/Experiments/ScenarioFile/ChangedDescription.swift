/// A description that is followed by what settings have changed since it was written.
enum ChangedDescription {
    private static let opening = " (The file's description; changed: "
    private static let closing = ".)"

    /// A description with its mark; of many changes the first twenty.
    static func text(_ description: String, changes: [String]) -> String {
        // No setting is so long that the description would be refused for it.
        let shown = changes.prefix(20).map { OneLine.excerpt($0, longest: 100) }.joined(separator: ", ")
        let rest = changes.count > 20 ? " and \(changes.count - 20) more" : ""
        return description + opening + shown + rest + closing
    }

    /// A description without the mark: as the file has it.
    static func original(of text: String) -> String {
        guard text.hasSuffix(closing), let mark = text.ranges(of: opening).last else { return text }
        return String(text[..<mark.lowerBound])
    }
}
