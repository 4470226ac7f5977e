/// A comparison of a scenario's values with each other or with a number: `monitor.fresh_limit < content.ttl`.
public struct Condition: Hashable, Sendable {
    /// The path of a value, or a value.
    let left: String
    let relation: Relation
    /// The same on the other side.
    let right: String

    /// Reads a condition; nil where the text is not of the form `LEFT RELATION RIGHT`.
    public init?(parsing text: String) {
        guard let (left, relation, right) = Relation.split(text), !left.isEmpty, !right.isEmpty else { return nil }
        self.left = left
        self.relation = relation
        self.right = right
    }

    /// The condition as a text that reads as an equal one.
    public var text: String { "\(left) \(relation.rawValue) \(right)" }

    /// Whether it holds of a design point.
    ///
    /// Durations and numbers compare as such, anything else is only equal or not.
    ///
    /// - Throws: Why the two sides cannot be compared, to follow the condition's text.
    func holds(of values: PointValues) throws(Flaw) -> Bool {
        let (left, right) = (try values.text(left), try values.text(right))
        guard let first = Amount(left)?.magnitude, let second = Amount(right)?.magnitude else {
            switch relation {
            case .equal: return left == right
            case .unequal: return left != right
            default: throw Flaw("compares \(left) with \(right), which have no order; allowed: == !=")
            }
        }
        // A bare zero has no unit.
        guard first.isDuration == second.isDuration || first.value == 0 || second.value == 0 else {
            throw Flaw("compares \(left) with \(right), of which one is a duration and one is not")
        }
        return relation.holds(first.value, second.value)
    }

    /// What is wrong with a condition.
    struct Flaw: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }
}

extension Amount {
    /// The number in its smallest unit, and whether it is one of time.
    fileprivate var magnitude: (value: Double, isDuration: Bool) {
        switch self {
        case .number(let number): (number, false)
        case .percent(let share): (share, false)
        case .duration(let microseconds): (microseconds, true)
        }
    }
}

/// The values of one design point, by their paths, as conditions see them.
struct PointValues {
    /// The resolved scenario.
    private let tree: StructuredValue
    /// The labels of the point's levels, which stand in for values that have a name.
    private let labels: [String: String]

    init(tree: StructuredValue, labels: [String: String]) {
        self.tree = tree
        self.labels = labels
    }

    /// What a side of a condition stands for: the value at its path, or itself.
    func text(_ side: String) throws(Condition.Flaw) -> String {
        if let label = labels[side] { return label }
        guard side.wholeMatch(of: /[a-z_]+(\.[a-z0-9_]+)+|seed|cells/) != nil else { return side }
        guard let value = tree.value(at: side.split(separator: ".").map(String.init)[...]) else {
            throw Condition.Flaw("names \(side), which no scenario has")
        }
        return value.yamlFlow
    }
}

extension StructuredValue {
    /// The value at a path of keys and list indices; nil where there is none.
    func value(at path: ArraySlice<String>) -> StructuredValue? {
        guard let step = path.first else { return self }
        switch self {
        case .mapping(let entries, _):
            return entries.first { $0.key == step }?.value.value(at: path.dropFirst())
        case .list(let values):
            guard let index = Int(step), values.indices.contains(index) else { return nil }
            return values[index].value(at: path.dropFirst())
        default:
            return nil
        }
    }
}
