/// A YAML value with its place: a tree without aliases, tags and duplicate keys.
package struct ScenarioNode: Sendable {
    /// What the value is.
    package enum Content: Sendable {
        /// A single value; `isPlain` is false between quotes and in block scalars.
        case scalar(String, isPlain: Bool)
        /// A list.
        case list([ScenarioNode])
        /// Keys with their values, in the order of the text.
        case mapping([Entry])
    }

    /// A key with its value.
    package struct Entry: Sendable {
        /// The key's text, without quotes.
        package var key: String
        /// Where the key stands.
        package var keyPlace: Place
        /// What the key is given.
        package var value: ScenarioNode
    }

    /// The value itself.
    package var content: Content
    /// Where the value begins.
    package var place: Place

    /// The text of a single value; nil for a list, a mapping and for nothing.
    package var scalar: String? {
        guard !isNothing, case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// The values of a list; nil for anything else.
    package var list: [ScenarioNode]? {
        guard case .list(let nodes) = content else { return nil }
        return nodes
    }

    /// The entries of a mapping; nil for anything else.
    package var mapping: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// Whether nothing stands here, or YAML's word for it.
    package var isNothing: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null"].contains(text)
    }

    /// Whether the text states that something is absent: `none`, or nothing at all.
    package var isNone: Bool {
        if case .scalar("none", isPlain: true) = content { return true }
        return isNothing
    }

    /// The text of a scalar without quotes, as words of the format are written; nil for anything else.
    package var plainText: String? {
        guard case .scalar(let text, isPlain: true) = content else { return nil }
        return text
    }

    /// What messages say was found.
    package var excerpt: String {
        switch content {
        case .list: "a list"
        case .mapping: "a section"
        case .scalar where isNothing: "nothing"
        case .scalar(let text, _): Self.quoted(text)
        }
    }

    /// A text between quotes on one line, cut off when it is long.
    package static func quoted(_ text: String) -> String {
        "\"\(OneLine.excerpt(text))\""
    }
}
