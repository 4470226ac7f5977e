import InputFiles

/// A value given in addition to the file: `key.path=value`, with indices for lists.
///
/// A key that contains dots is in square brackets: `factors.vary.[content.ttl]=[1m, 2m]`.
struct Setting {
    /// The keys of the path, outermost first.
    let keys: [String]
    /// The value; all of it has the setting's place.
    let value: ScenarioNode
    private let keyPlace: Place

    /// Parses a setting; its value is YAML.
    init(_ text: String, index: Int) throws(SourceError) {
        try self.init(text, place: .setting(index), keyPlace: .setting(index))
    }

    /// Parses a setting from another place, such as the level of a factor.
    init(_ text: String, place: Place, keyPlace: Place) throws(SourceError) {
        self.keyPlace = keyPlace
        guard let equals = text.firstIndex(of: "=") else {
            throw SourceError(place: place, message: "a setting must be of the form key.path=value")
        }
        keys = Self.keys(text[..<equals])
        guard keys.count <= YAMLText.deepest else {
            throw SourceError(place: place, message: "the key has \(keys.count) parts; allowed: \(YAMLText.deepest)")
        }
        guard keys.allSatisfy({ !$0.isEmpty }) else {
            throw SourceError(place: place, message: "a setting must be of the form key.path=value")
        }
        let valueText = String(text[text.index(after: equals)...])
        guard !valueText.allSatisfy(\.isWhitespace) else {
            throw SourceError(place: place, message: "a setting must have a value after the equals sign")
        }
        if valueText.isPlainScalar {
            value = ScenarioNode(content: .scalar(valueText, isPlain: true), place: place)
            return
        }
        let (root, errors) = YAMLText(valueText).compose()
        if let error = errors.first {
            throw SourceError(place: place, message: error.message)
        }
        guard let root else {
            throw SourceError(place: place, message: "a setting must have a value after the equals sign")
        }
        value = root.placed { _ in place }
    }

    /// Returns the parts of a path, split at dots outside of square brackets.
    static func keys(_ path: Substring) -> [String] {
        var keys = [""]
        var isBracketed = false
        for character in path {
            switch character {
            case "[" where !isBracketed && keys.last == "": isBracketed = true
            case "]" where isBracketed: isBracketed = false
            case "." where !isBracketed: keys.append("")
            default: keys[keys.count - 1].append(character)
            }
        }
        // An unclosed bracket leaves no key.
        return isBracketed ? [""] : keys
    }

    /// Puts the value into a tree, replacing the existing value.
    func apply(to root: inout ScenarioNode) throws(SourceError) {
        try apply(to: &root, keys[...], path: "")
    }

    private func apply(to node: inout ScenarioNode, _ keys: ArraySlice<String>, path: String) throws(SourceError) {
        guard let key = keys.first else {
            node = value
            return
        }
        switch node.content {
        case .mapping(var entries):
            let (key, rest) = Self.next(keys, in: entries)
            let innerPath = Reading.path(path, key)
            if let index = entries.firstIndex(where: { $0.key == key }) {
                try apply(to: &entries[index].value, rest, path: innerPath)
            } else {
                var inner = emptyNode(for: rest)
                try apply(to: &inner, rest, path: innerPath)
                entries.append(.init(key: key, keyPlace: keyPlace, value: inner))
            }
            node.content = .mapping(entries)
        case .list(var nodes):
            guard let index = Int(key), index >= 0, index <= nodes.count else {
                throw sourceError(path, "is a list of length \(nodes.count), got the index \(ScenarioNode.quoted(key))")
            }
            if index == nodes.count { nodes.append(emptyNode(for: keys.dropFirst())) }
            try apply(to: &nodes[index], keys.dropFirst(), path: Reading.path(path, key))
            node.content = .list(nodes)
        case .scalar where Absence.isWord(node):
            node = emptyNode(for: keys)
            try apply(to: &node, keys, path: path)
        case .scalar:
            throw sourceError(path, "is the value \(node.excerpt) and has no key \(ScenarioNode.quoted(key))")
        }
    }

    /// Returns the next key; it consists of several parts of the path if a key of the file contains dots, such as the
    /// quantile `p99.9`.
    private static func next(
        _ keys: ArraySlice<String>,
        in entries: [ScenarioNode.Entry]
    ) -> (key: String, rest: ArraySlice<String>) {
        for length in stride(from: min(keys.count, 2), through: 1, by: -1) {
            let key = keys.prefix(length).joined(separator: ".")
            if entries.contains(where: { $0.key == key }) { return (key, keys.dropFirst(length)) }
        }
        return (keys.first ?? "", keys.dropFirst())
    }

    /// Returns the node to create for missing keys: a list if the next key is an index, else a section.
    private func emptyNode(for keys: ArraySlice<String>) -> ScenarioNode {
        let isList = keys.first?.allSatisfy(\.isNumber) ?? false
        return ScenarioNode(content: isList ? .list([]) : .mapping([]), place: value.place)
    }

    private func sourceError(_ path: String, _ message: String) -> SourceError {
        SourceError(place: keyPlace, path: path, message: message)
    }
}

extension String {
    /// `true` if YAML can read the text only as a plain scalar.
    ///
    /// Most levels of factors are such texts, and a design has thousands of them.
    fileprivate var isPlainScalar: Bool { isPlain(1...100, also: ".%") && first != "." && first != "%" }
}
