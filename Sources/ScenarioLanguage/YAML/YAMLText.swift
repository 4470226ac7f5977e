import InputFiles
internal import Yams

/// A YAML text of one document, parsed into a tree without trusting it.
///
/// Anchors, aliases, merge keys and tags have no use here and are common in attacks (a few lines of aliases can expand
/// to billions of values). They are refused before the parser could follow one. The parser itself distinguishes an
/// alias from similar text inside a string: it first gets the text with every `&` and `*` replaced by `!`, the mark of
/// a tag. Anchors, aliases and tags may occur at the same places, so the structure stays the same. A value that begins
/// with a tag there and with `&` or `*` in the text is an anchor or an alias.
struct YAMLText {
    /// The maximum depth of a tree.
    static let deepest = 64

    private let text: String
    private let index: SourceIndex

    init(_ text: String) {
        self.text = text
        self.index = SourceIndex(text)
    }

    /// Returns the document's tree and all its errors; no tree if it cannot be parsed.
    func compose() -> (root: ScenarioNode?, errors: [SourceError]) {
        if let place = index.overlyDeepPlace() {
            return (
                nil,
                [SourceError(place: place, message: "the file is nested too deeply; allowed: \(Self.deepest) levels")]
            )
        }
        let harmless = Self.withTagsForAliases(text)
        let (root, errors) = tree(of: harmless)
        return harmless == text || !errors.isEmpty ? (root, errors) : tree(of: text)
    }

    /// Returns the text with a tag for everything that could be an anchor or an alias, without moving anything.
    ///
    /// A name ends before `]`, `}`, `:` and a few other characters, but a tag does not, so its last character is
    /// replaced there.
    private static func withTagsForAliases(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        var position = 0
        while position < scalars.count {
            defer { position += 1 }
            guard scalars[position] == "&" || scalars[position] == "*" else { continue }
            scalars[position] = "!"
            let name = scalars[(position + 1)...].prefix(while: isPartOfName)
            if !name.isEmpty, name.endIndex < scalars.count, endsNames.contains(scalars[name.endIndex]) {
                scalars[name.endIndex - 1] = " "
            }
        }
        var harmless = String.UnicodeScalarView()
        harmless.append(contentsOf: scalars)
        return String(harmless)
    }

    private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }

    private static let endsNames: Set<Unicode.Scalar> = ["?", ":", "]", "}", "%", "@", "`"]

    private func tree(of text: String) -> (root: ScenarioNode?, errors: [SourceError]) {
        var duplicates = DuplicateKeys(text: text, index: index)
        do {
            if let node = try duplicates.compose() {
                var conversion = NodeConversion(index: index, duplicates: duplicates)
                let root = conversion.convert(node)
                return (root, conversion.errors)
            }
        } catch {
            return (nil, duplicates.errors.isEmpty ? [sourceError(of: error)] : duplicates.errors)
        }
        let empty = SourceError(
            place: .file(line: 1, column: 1),
            message: "the file has no content"
        )
        return (nil, duplicates.errors.isEmpty ? [empty] : duplicates.errors)
    }

    private func sourceError(of error: any Error) -> SourceError {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
            return SourceError(place: mark.place, message: "syntax error: \(problem)")
        case .composer(_, _, let mark, _):
            return SourceError(place: mark.place, message: "a second document begins here; a file has only one")
        case .reader(let problem, let offset, _, let text):
            let place = index.place(ofCharacter: offset ?? 0, in: text)
            return SourceError(place: place, message: "syntax error: \(problem)")
        default:
            return SourceError(place: .file(line: 1, column: 1), message: "syntax error")
        }
    }
}

extension Mark {
    /// The place in the file.
    var place: Place { .file(line: line, column: column) }
}

/// Converts the parser's nodes to a ``ScenarioNode`` and collects constructs that a scenario must not contain.
private struct NodeConversion {
    private(set) var errors: [SourceError] = []
    private let index: SourceIndex
    private let duplicates: DuplicateKeys
    private var properties: Set<Place> = []

    init(index: SourceIndex, duplicates: DuplicateKeys) {
        self.index = index
        self.duplicates = duplicates
    }

    mutating func convert(_ node: Node, depth: Int = 1) -> ScenarioNode {
        let place = node.mark?.place ?? .file(line: 1, column: 1)
        refuseProperties(at: place)
        guard depth <= YAMLText.deepest else {
            refuse(place, "this is nested too deeply; allowed: \(YAMLText.deepest) levels")
            return ScenarioNode(content: .scalar("", isPlain: true), place: place)
        }
        switch node {
        case .scalar(let scalar):
            return ScenarioNode(content: .scalar(scalar.string, isPlain: scalar.style == .plain), place: place)
        case .sequence(let sequence):
            return ScenarioNode(content: .list(sequence.map { convert($0, depth: depth + 1) }), place: place)
        case .mapping(let mapping):
            return ScenarioNode(content: .mapping(entries(of: mapping, depth: depth)), place: place)
        case .alias:
            refuse(place, "aliases are not allowed")
            return ScenarioNode(content: .scalar("", isPlain: true), place: place)
        }
    }

    private mutating func entries(of mapping: Node.Mapping, depth: Int) -> [ScenarioNode.Entry] {
        var entries: [ScenarioNode.Entry] = []
        var firstPlaces: [String: Place] = [:]
        for (keyNode, valueNode) in mapping {
            let keyPlace = keyNode.mark?.place ?? .file(line: 1, column: 1)
            let value = convert(valueNode, depth: depth + 1)
            guard case .scalar(let scalar) = keyNode else {
                refuse(keyPlace, "a key must be a single word")
                continue
            }
            refuseProperties(at: keyPlace)
            let key = duplicates.renamed[keyPlace] ?? scalar.string
            if let first = firstPlaces[key], case .file(let line, let column) = first {
                refuse(
                    keyPlace,
                    "the key \(ScenarioNode.quoted(key)) is given twice in this section, first at \(line):\(column)"
                )
            } else if key == "<<", scalar.style == .plain {
                refuse(keyPlace, "merge keys are not allowed: write the values out")
            } else {
                firstPlaces[key] = keyPlace
                entries.append(ScenarioNode.Entry(key: key, keyPlace: keyPlace, value: value))
            }
        }
        return entries
    }

    private mutating func refuseProperties(at place: Place) {
        switch index.scalar(at: place) {
        case "&" where properties.insert(place).inserted:
            refuse(place, "anchors (&) are not allowed: write the values out")
        case "*" where properties.insert(place).inserted:
            refuse(place, "aliases (*) are not allowed: write the values out")
        case "!" where properties.insert(place).inserted: refuse(place, "tags (!) are not allowed")
        default: break
        }
    }

    private mutating func refuse(_ place: Place, _ message: String) {
        errors.append(SourceError(place: place, message: message))
    }
}
