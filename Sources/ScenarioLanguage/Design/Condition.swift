import Evaluation
import InputFiles
package import LiveActivityModel

/// A comparison between values of a scenario, or with a constant: `monitor.fresh_limit < content.ttl`.
public struct Condition: Hashable, Sendable {
    /// The left side: the path of a value, or a value.
    let left: String
    let relation: Relation
    /// The right side: the path of a value, or a value.
    let right: String

    /// Reads a condition; returns nil if the text does not have the form `LEFT RELATION RIGHT`, or has a further
    /// relation.
    public init?(parsing text: String) {
        guard let (left, relation, right) = Relation.split(text), !left.isEmpty, !right.isEmpty,
            !right.split(separator: " ").contains(where: { Relation(rawValue: String($0)) != nil })
        else { return nil }
        self.left = left
        self.relation = relation
        self.right = right
    }

    /// The condition in canonical form.
    public var text: String { "\(left) \(relation.rawValue) \(right)" }

    /// The paths of scenario values in the condition.
    var paths: [String] { [left, right].filter(PointValues.isPath) }

    /// Returns the name of a level that no level in the file has, with the index of the factor; nil if there is no such
    /// name.
    ///
    /// The name may still be the value of a level as written after reading.
    package func unknownLevel(of factors: [Factor]) -> (factor: Int, name: String)? {
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

    /// Returns true if the condition holds at a design point.
    ///
    /// Durations and numbers are compared by magnitude. Other values can only be equal or unequal: a named level equals
    /// its name and its value.
    ///
    /// - Throws: The reason why the two sides cannot be compared; it completes a sentence that begins with the
    ///   condition.
    package func holds(of values: PointValues) throws(EvaluationError) -> Bool {
        guard PointValues.isPath(left) || PointValues.isPath(right) else {
            throw EvaluationError(
                "names no value of the scenario; name a value by its path, such as monitor.fresh_limit"
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
            throw EvaluationError("compares \(left[0]) with \(right[0]), but only one of them is a duration")
        }
        return relation.holds(first.value, second.value)
    }

    /// Returns the error for an order comparison in which at least one value is not an amount.
    private static func incomparable(_ left: String, _ right: String) -> EvaluationError {
        let values = "compares \(left) with \(right)"
        guard let known = (Amount(left) ?? Amount(right))?.magnitude else {
            return EvaluationError("\(values), which have no order; allowed: == !=")
        }
        let other = ScenarioNode.quoted(Amount(left) == nil ? left : right)
        return EvaluationError(
            known.isDuration
                ? "\(values), but \(other) is not a duration; allowed: forms such as \(DurationText.forms)"
                : "\(values), but \(other) is not a number; allowed: numbers such as 5, 0.5, 5%"
        )
    }

    /// A problem of a condition.
    package struct EvaluationError: Error {
        package let message: String

        package init(_ message: String) { self.message = message }

        /// Returns the error for a path that does not exist.
        static func unknown(_ path: String) -> EvaluationError {
            EvaluationError("names \(path), which does not exist; \(KeyDescription.advice(for: path))")
        }
    }
}

/// The values of one design point, by path, for conditions.
package struct PointValues {
    /// The resolved scenario.
    let tree: StructuredValue
    /// The names of the point's levels, by the path of their factor.
    package let labels: [String: String]

    /// Returns true if a side of a condition has the form of a path instead of a value.
    static func isPath(_ side: String) -> Bool {
        side.wholeMatch(of: /[a-z_]+(\.[a-z0-9_]+)+|seed|cells/) != nil
    }

    /// Returns true if there is a value at a path.
    func has(_ path: String) -> Bool { value(at: path) != nil }

    private func value(at path: String) -> StructuredValue? {
        tree.value(at: path.split(separator: ".").map(String.init)[...])
    }

    /// Returns the texts of a side of a condition: the value at its path, or the side itself; then the name of that
    /// level.
    package func texts(_ side: String) throws(Condition.EvaluationError) -> [String] {
        guard PointValues.isPath(side) else { return [side] }
        guard let value = value(at: side) else {
            throw Condition.EvaluationError.unknown(side)
        }
        var texts = labels[side].map { [$0] } ?? []
        if case .text(let text) = value { texts.insert(text, at: 0) } else { texts.insert(value.yamlFlow, at: 0) }
        // Conditions may have the other word for an absent value.
        let isWord = [Absence.off, .noLimit].contains { $0.word == texts[0] }
        if isWord, KeyDescription.absence(at: side, "none") == texts[0] { texts.append("none") }
        return texts
    }
}

extension PointValues {
    /// Creates the values of a scenario.
    ///
    /// - Parameter levels: The levels of the factors, in order.
    package init(_ scenario: Scenario, _ factors: [Factor] = [], _ levels: [FactorLevel] = []) {
        tree = Section.scenario.write(scenario)
        labels = Dictionary(zip(factors.map(\.path), levels.map(\.label))) { first, _ in first }
    }
}

extension StructuredValue {
    /// Returns the value at a path of keys and list indices; nil if there is none.
    package func value(at path: ArraySlice<String>) -> StructuredValue? {
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
