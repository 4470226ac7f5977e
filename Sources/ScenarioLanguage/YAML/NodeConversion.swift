import InputFiles
internal import Yams

/// Converts the parser's nodes to a ``ScenarioNode`` and collects constructs that a scenario must not contain.
struct NodeConversion {
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
