/// The word for a value that is absent, which says what its absence means.
///
/// `none` does not: it may be read as zero, as no limit or as no value of one's own. It is taken where only one of these
/// makes sense, so that files and commands that say so keep their meaning; elsewhere it is refused, and the message names
/// the word. What is written is always the word.
struct Absence {
    /// The word as it stands in files.
    let word: String
    /// Whether `none`, and nothing at all, are taken for it.
    let isNone: Bool
    /// What the word means, for the message that refuses `none`.
    private let meaning: String

    /// The feature is not there.
    static let off = Absence(word: "off", isNone: true, meaning: "")
    /// There is no limit, where `none` might be read as a limit of zero.
    static let unlimited = Absence(word: "unlimited", isNone: false, meaning: "no limit")
    /// There is no limit, and no other way to read `none`: a limit is a section of its own.
    static let noLimit = Absence(word: "unlimited", isNone: true, meaning: "")
    /// The value of another key holds.
    static let inherit = Absence(word: "inherit", isNone: false, meaning: "the value of another key")
    /// The value follows from others.
    static let auto = Absence(word: "auto", isNone: false, meaning: "a value that follows from others")

    /// All words for absence.
    private static let words = ["none", "off", "unlimited", "inherit", "auto"]
    /// Those that stand where a name might: no name can be one of them.
    static let reservedNames = ["none", "off", "unlimited"]

    /// Whether a node states an absence, whichever it is.
    static func isWord(_ node: ScenarioNode) -> Bool {
        node.isNothing || node.plainText.map(words.contains) ?? false
    }

    /// Whether a node states the absence; nil after refusing the node for another word of absence.
    func isStated(_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Bool? {
        if isNone, node.isNone { return true }
        // YAML 1.1 takes `off` for false; a file that went through such a tool says so.
        if let text = node.plainText, text == word || text == "false" && word == Self.off.word { return true }
        guard Self.isWord(node) else { return false }
        let advice = node.plainText == "none" ? "; write \(word) for \(meaning)" : ""
        reading.refuse(path, at: node.place, "must be a value or \(word), got \(node.excerpt)\(advice)")
        return nil
    }

    /// The schema of something that may be absent.
    func schema(_ schema: StructuredValue) -> StructuredValue {
        var words: [StructuredValue] = [.text(word)]
        if isNone { words += ["none", .null] }
        if word == Self.off.word { words.append(.boolean(false)) }
        return ["anyOf": [schema, ["enum": .list(words)]]]
    }
}
