public import InputFiles
import TextFormats

/// A YAML value with its place: a tree without aliases, tags and duplicate keys.
public struct ScenarioNode: Sendable {
    /// The kind of value.
    public enum Content: Sendable {
        /// A scalar; `isPlain` is false for quoted text and block scalars.
        case scalar(String, isPlain: Bool)
        case list([ScenarioNode])
        /// Keys with their values, in the order of the text.
        case mapping([Entry])
    }

    /// A key with its value.
    public struct Entry: Sendable {
        /// The key's text, without quotes.
        public var key: String
        public var keyPlace: Place
        /// The value of the key.
        public var value: ScenarioNode
    }

    /// The value itself.
    public var content: Content
    /// The place at which the value begins.
    public var place: Place

    /// The text of a scalar; nil for a list, a mapping and a missing value.
    public var scalar: String? {
        guard !isNothing, case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// The values of a list; nil for anything else.
    public var list: [ScenarioNode]? {
        guard case .list(let nodes) = content else { return nil }
        return nodes
    }

    /// The entries of a mapping; nil for anything else.
    public var mapping: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// `true` if the value is missing or null.
    public var isNothing: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null"].contains(text)
    }

    /// `true` if the text is `none`, or the value is missing.
    public var isNone: Bool {
        if case .scalar("none", isPlain: true) = content { return true }
        return isNothing
    }

    /// The text of an unquoted scalar, as in keywords; nil for anything else.
    public var plainText: String? {
        guard case .scalar(let text, isPlain: true) = content else { return nil }
        return text
    }

    /// The value as shown in messages.
    public var excerpt: String {
        switch content {
        case .list: "a list"
        case .mapping: "a section"
        case .scalar where isNothing: "nothing"
        case .scalar(let text, _): Self.quoted(text)
        }
    }

    /// Returns a text in quotes on one line, shortened if it is long.
    public static func quoted(_ text: String) -> String {
        "\"\(OneLine.excerpt(text))\""
    }
}
