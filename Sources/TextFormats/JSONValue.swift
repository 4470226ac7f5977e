/// A JSON value that always has the same bytes: sorted keys, and decimals with a stated number of places.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    /// A decimal number; null if it cannot be written, because JSON has neither NaN nor infinity.
    case decimal(Double, places: Int)
    /// A number with enough digits to read the same value back; null if it cannot be written.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    /// The maximum width of a value on one line.
    private static let lineWidth = 110

    /// The value as text that ends with a newline.
    public var text: String { text(indentation: 0) + "\n" }

    /// The value as text on one line, without a newline.
    public var oneLine: String { flatText }

    private func text(indentation: Int) -> String {
        let flat = flatText
        guard flat.count + indentation > JSONValue.lineWidth else { return flat }
        let inner = String(repeating: " ", count: indentation + 2)
        let outer = String(repeating: " ", count: indentation)
        func block(_ lines: [String], _ open: String, _ close: String) -> String {
            open + "\n" + lines.map { inner + $0 }.joined(separator: ",\n") + "\n" + outer + close
        }
        switch self {
        case .array(let values):
            return block(values.map { $0.text(indentation: indentation + 2) }, "[", "]")
        case .object(let members):
            let lines = members.sorted { $0.key < $1.key }
                .map { key, value in
                    "\(QuotedText.doubleQuoted(key)): \(value.text(indentation: indentation + 2))"
                }
            return block(lines, "{", "}")
        case .null, .bool, .integer, .unsigned, .decimal, .number, .string:
            return flat
        }
    }

    private var flatText: String {
        switch self {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .unsigned(let value): return "\(value)"
        case .decimal(let value, let places): return FixedPoint.text(value, places: places) ?? "null"
        case .number(let value): return value.isFinite ? "\(value)" : "null"
        case .string(let value): return QuotedText.doubleQuoted(value)
        case .array(let values): return "[" + values.map(\.flatText).joined(separator: ", ") + "]"
        case .object(let members):
            let pairs = members.sorted { $0.key < $1.key }
                .map { "\(QuotedText.doubleQuoted($0.key)): \($0.value.flatText)" }
            return "{" + pairs.joined(separator: ", ") + "}"
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object; if several members have the same name, the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
