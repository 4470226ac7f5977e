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

    /// Returns the mapping without the entries of some keys; the node itself if it is no mapping.
    func without(_ keys: [String]) -> ScenarioNode {
        guard let mapping else { return self }
        return ScenarioNode(content: .mapping(mapping.filter { !keys.contains($0.key) }), place: place)
    }

    /// `true` if the value is missing or null.
    public var isNothing: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null"].contains(text)
    }

    /// `true` if the text is `none`, or the value is missing.
    var isNone: Bool {
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

/// The merging of a scenario file with the file that it extends.
extension ScenarioNode {
    /// Returns this tree with the entries of another tree that it lacks.
    ///
    /// Sections are merged key by key. Lists, scalars and distributions are replaced as a whole. Factors and checks of
    /// the other file are not used, because they belong to its experiment.
    ///
    /// - Parameter step: The number of steps of the other file beyond the nearest.
    func extending(_ base: [Entry], step: Int) -> ScenarioNode {
        let taken = base.filter { $0.key != "factors" && $0.key != "checks" }
        return ScenarioNode(content: .mapping(taken), place: place).placed { $0.inExtended(step: step) }
            .overlaid(by: self)
    }

    /// The name of the extended file, with its place; nil if there is none.
    var extended: (name: String, place: Place)? {
        guard let value = mapping?.first(where: { $0.key == "extends" })?.value, let name = value.scalar else {
            return nil
        }
        return (name, value.place)
    }

    private func overlaid(by other: ScenarioNode) -> ScenarioNode {
        guard var entries = mapping, let others = other.mapping, !isDistribution, !other.isDistribution else {
            return other
        }
        for entry in others {
            if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                entries[index].keyPlace = entry.keyPlace
                entries[index].value = entries[index].value.overlaid(by: entry.value)
            } else {
                entries.append(entry)
            }
        }
        return ScenarioNode(content: .mapping(entries), place: other.place)
    }

    /// `true` if the value is a distribution, whose parameters belong together.
    var isDistribution: Bool {
        guard let entries = mapping, entries.count == 1 else { return false }
        return DistributionNotation.familyKeys.contains(entries[0].key)
    }

    /// Returns the tree with all its places converted.
    func placed(_ move: (Place) -> Place) -> ScenarioNode {
        let moved: Content =
            switch content {
            case .scalar: content
            case .list(let nodes): .list(nodes.map { $0.placed(move) })
            case .mapping(let entries):
                .mapping(
                    entries.map { Entry(key: $0.key, keyPlace: move($0.keyPlace), value: $0.value.placed(move)) }
                )
            }
        return ScenarioNode(content: moved, place: move(place))
    }
}

extension Place {
    /// Returns the same line and column in an extended file.
    func inExtended(step: Int) -> Place {
        guard case .file(let line, let column) = self else { return self }
        return .extended(step: step, line: line, column: column)
    }
}

extension ScenarioNode {
    /// The value as YAML on one line.
    var yamlFlow: String {
        switch content {
        case .scalar(let text, let isPlain):
            // On one line, a plain text of a block may be read as structure.
            isPlain && !text.contains(where: { ",[]{}#:".contains($0) }) ? text : QuotedText.doubleQuoted(text)
        case .list(let nodes): "[\(nodes.map(\.yamlFlow).joined(separator: ", "))]"
        case .mapping(let entries): "{\(entries.map { "\($0.key): \($0.value.yamlFlow)" }.joined(separator: ", "))}"
        }
    }
}
