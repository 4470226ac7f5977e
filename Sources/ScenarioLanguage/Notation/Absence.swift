/// The word for an absent value, which states what the absence means.
///
/// `none` is ambiguous: it may mean zero, no limit or no value of its own. It is accepted where only one meaning makes
/// sense, so that existing files and commands stay valid. Elsewhere it is refused, and the message names the right
/// word. Written files always have the word.
struct Absence {
    /// The word in files.
    let word: String
    /// `true` if `none` and an empty value are accepted too.
    let isNone: Bool
    /// The meaning of the word, for the message that refuses `none`.
    private let meaning: String

    /// The feature is off.
    static let off = Absence(word: "off", isNone: true, meaning: "")
    /// There is no limit, and `none` could mean a limit of zero.
    static let unlimited = Absence(word: "unlimited", isNone: false, meaning: "no limit")
    /// There is no limit, and `none` can mean nothing else, because a limit is a section.
    static let noLimit = Absence(word: "unlimited", isNone: true, meaning: "")
    /// The value of another key applies.
    static let inherit = Absence(word: "inherit", isNone: false, meaning: "the value of another key")
    /// The value is derived from others.
    static let auto = Absence(word: "auto", isNone: false, meaning: "a value that follows from others")

    /// All words for absence.
    private static let words = ["none", "off", "unlimited", "inherit", "auto"]
    /// The words that could be taken for a name, so no name can be one of them.
    static let reservedNames = ["none", "off", "unlimited"]

    /// Returns true if a node has any word for absence.
    static func isWord(_ node: ScenarioNode) -> Bool {
        node.isNothing || node.plainText.map(words.contains) ?? false
    }

    /// Returns true if a node states this absence; nil after refusing another word for absence.
    func isStated(_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Bool? {
        if isNone, node.isNone { return true }
        // YAML 1.1 reads `off` as false, and a file processed by such a tool has `false`.
        if let text = node.plainText, text == word || text == "false" && word == Self.off.word { return true }
        guard Self.isWord(node) else { return false }
        let advice = node.plainText == "none" ? "; write \(word) for \(meaning)" : ""
        reading.refuse(path, at: node.place, "must be a value or \(word), got \(node.excerpt)\(advice)")
        return nil
    }

    /// Returns the schema of a value that may be absent.
    func schema(_ schema: StructuredValue) -> StructuredValue {
        var words: [StructuredValue] = [.text(word)]
        if isNone { words += ["none", .null] }
        if word == Self.off.word { words.append(.boolean(false)) }
        return ["anyOf": [schema, ["enum": .list(words)]]]
    }
}
