/// A relation between a value and a limit.
///
/// Values are compared as exact floating-point numbers, not as their texts: `==` compares every bit.
public enum Relation: String, Hashable, Sendable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case unequal = "!="

    /// Returns `true` if `value relation limit` holds.
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

    /// All operators, for messages.
    package static let allowed = "< <= > >= == !="

    /// Splits `left relation right` at its operator and trims both sides.
    ///
    /// - Returns: Nil if there is no operator, or an unknown one, such as `=` or `=>`; the sides may be empty.
    public static func split(_ text: String) -> (left: String, relation: Relation, right: String)? {
        func isPartOfOperator(_ character: Character) -> Bool { "<>=!".contains(character) }
        guard let start = text.firstIndex(where: isPartOfOperator) else { return nil }
        let end = text[start...].firstIndex { !isPartOfOperator($0) } ?? text.endIndex
        guard let relation = Relation(rawValue: String(text[start..<end])) else { return nil }
        return (text[..<start].trimmed, relation, text[end...].trimmed)
    }
}

extension Substring {
    /// The text without surrounding blanks.
    var trimmed: String {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
