import LiveActivityModel

/// A comparison of a scenario's values with each other or with a number: `monitor.fresh_limit < content.ttl`.
public struct Condition: Hashable, Sendable {
    /// The path of a value, or a value.
    let left: String
    let relation: Relation
    /// The same on the other side.
    let right: String

    /// Reads a condition; nil where the text is not of the form `LEFT RELATION RIGHT`, or has a further relation in it.
    public init?(parsing text: String) {
        guard let (left, relation, right) = Relation.split(text), !left.isEmpty, !right.isEmpty,
            !right.split(separator: " ").contains(where: { Relation(rawValue: String($0)) != nil })
        else { return nil }
        self.left = left
        self.relation = relation
        self.right = right
    }

    /// The condition as a text that reads as an equal one.
    public var text: String { "\(left) \(relation.rawValue) \(right)" }

    /// The values of a scenario that it names.
    var paths: [String] { [left, right].filter(PointValues.isPath) }

    /// The name of a level that none of the levels in the file has, with the place of the factor; nil where it asks for none.
    ///
    /// The name may still be how the value of a level is written once it has been read.
    func unknownLevel(of factors: [Factor]) -> (factor: Int, name: String)? {
        guard [.equal, .unequal].contains(relation) else { return nil }
        for (path, name) in [(left, right), (right, left)] where !PointValues.isPath(name) && Amount(name) == nil {
            guard let place = factors.firstIndex(where: { $0.path == path }),
                case .listed(let levels) = factors[place].levels,
                !levels.contains(where: { [$0.label, $0.value].contains(name) })
            else { continue }
            return (place, name)
        }
        return nil
    }

    /// Whether it holds of a design point.
    ///
    /// Durations and numbers compare as such, anything else is only equal or not: a level that has a name equals its name
    /// and its value.
    ///
    /// - Throws: Why the two sides cannot be compared, to follow the condition's text.
    func holds(of values: PointValues) throws(EvaluationError) -> Bool {
        guard PointValues.isPath(left) || PointValues.isPath(right) else {
            throw EvaluationError(
                "names no value of the scenario; values are named by their paths, as monitor.fresh_limit"
            )
        }
        let (left, right) = (try values.texts(left), try values.texts(right))
        guard let first = Amount(left[0])?.magnitude, let second = Amount(right[0])?.magnitude else {
            let isSame = left.contains { right.contains($0) }
            switch relation {
            case .equal: return isSame
            case .unequal: return !isSame
            default: throw Self.incomparable(left[0], right[0])
            }
        }
        // A bare zero has no unit.
        guard first.isDuration == second.isDuration || first.value == 0 || second.value == 0 else {
            throw EvaluationError("compares \(left[0]) with \(right[0]), of which one is a duration and one is not")
        }
        return relation.holds(first.value, second.value)
    }

    /// Why neither of two values, of which at least one is no amount, is more than the other.
    private static func incomparable(_ left: String, _ right: String) -> EvaluationError {
        let values = "compares \(left) with \(right)"
        guard let known = (Amount(left) ?? Amount(right))?.magnitude else {
            return EvaluationError("\(values), which have no order; allowed: == !=")
        }
        let other = ScenarioNode.quoted(Amount(left) == nil ? left : right)
        return EvaluationError(
            known.isDuration
                ? "\(values), but \(other) is no duration; allowed: as \(DurationText.forms)"
                : "\(values), but \(other) is no number; allowed: as 5, 0.5, 5%"
        )
    }

    /// What is wrong with a condition.
    struct EvaluationError: Error {
        let message: String

        init(_ message: String) { self.message = message }

        /// That a path leads to nothing.
        static func unknown(_ path: String) -> EvaluationError {
            EvaluationError("names \(path), which no scenario has; \(KeyDescription.advice(for: path))")
        }
    }
}

/// The values of one design point, by their paths, as conditions see them.
struct PointValues {
    /// The resolved scenario.
    let tree: StructuredValue
    /// The names of the point's levels, by the paths of their factors.
    let labels: [String: String]

    /// Whether a side of a condition is of the form of a path, rather than a value.
    static func isPath(_ side: String) -> Bool {
        side.wholeMatch(of: /[a-z_]+(\.[a-z0-9_]+)+|seed|cells/) != nil
    }

    /// Whether there is a value at a path.
    func has(_ path: String) -> Bool { value(at: path) != nil }

    private func value(at path: String) -> StructuredValue? {
        tree.value(at: path.split(separator: ".").map(String.init)[...])
    }

    /// What a side of a condition stands for: the value at its path, or itself; then the name of that level.
    func texts(_ side: String) throws(Condition.EvaluationError) -> [String] {
        guard PointValues.isPath(side) else { return [side] }
        guard let value = value(at: side) else {
            throw Condition.EvaluationError.unknown(side)
        }
        var texts = labels[side].map { [$0] } ?? []
        if case .text(let text) = value { texts.insert(text, at: 0) } else { texts.insert(value.yamlFlow, at: 0) }
        return texts
    }
}

extension PointValues {
    /// The values of a scenario.
    ///
    /// - Parameter levels: Those of the factors, in their order.
    init(_ scenario: Scenario, _ factors: [Factor] = [], _ levels: [FactorLevel] = []) {
        tree = Section.scenario.write(scenario)
        labels = Dictionary(zip(factors.map(\.path), levels.map(\.label))) { first, _ in first }
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
