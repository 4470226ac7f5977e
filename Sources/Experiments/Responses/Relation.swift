/// How a value and a limit compare; strict as written.
///
/// Values are compared as the floating-point numbers that they are, not as their texts: `==` asks for the last bit.
public enum Relation: String, Hashable, Sendable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case unequal = "!="

    /// Whether `value relation limit` holds.
    public func holds(_ value: Double, _ limit: Double) -> Bool {
        switch self {
        case .less: value < limit
        case .lessOrEqual: value <= limit
        case .greater: value > limit
        case .greaterOrEqual: value >= limit
        case .equal: value == limit
        case .unequal: value != limit
        }
    }

    /// All operators, as messages list them.
    static let allowed = "< <= > >= == !="

    /// Cuts `left relation right` at its operator; blanks around the two sides do not count.
    ///
    /// - Returns: nil where there is no operator, or an unknown one, as `=` and `=>`; the sides may be empty.
    public static func split(_ text: String) -> (left: String, relation: Relation, right: String)? {
        func isPartOfOperator(_ character: Character) -> Bool { "<>=!".contains(character) }
        guard let start = text.firstIndex(where: isPartOfOperator) else { return nil }
        let end = text[start...].firstIndex { !isPartOfOperator($0) } ?? text.endIndex
        guard let relation = Relation(rawValue: String(text[start..<end])) else { return nil }
        return (text[..<start].trimmed, relation, text[end...].trimmed)
    }
}

extension Substring {
    /// The text without blanks around it.
    var trimmed: String {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
