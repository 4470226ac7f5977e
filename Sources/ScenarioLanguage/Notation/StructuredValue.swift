/// A value for a YAML or JSON file: scalars, lists, and mappings whose keys keep their order.
package indirect enum StructuredValue: Hashable, Sendable {
    /// JSON's and YAML's null.
    case null
    /// A Boolean value.
    case boolean(Bool)
    /// A number, by its digits.
    case number(String)
    /// A text that needs no quotes in YAML: a duration, a share, a name from a fixed set.
    case word(String)
    /// Any other text.
    case text(String)
    case list([StructuredValue])
    /// Keys with their values; a compact mapping is written on one line.
    case mapping([Entry], isCompact: Bool)

    /// A key with its value.
    package struct Entry: Hashable, Sendable {
        package var key: String
        package var value: StructuredValue
    }

    /// Returns a mapping that is written on one line.
    static func compact(_ entries: KeyValuePairs<String, StructuredValue>) -> StructuredValue {
        .mapping(entries.map { Entry(key: $0.key, value: $0.value) }, isCompact: true)
    }

    /// Returns the entries of two mappings, one after the other.
    func merging(_ other: StructuredValue) -> StructuredValue {
        guard case .mapping(let entries, let isCompact) = self, case .mapping(let others, _) = other else {
            return self
        }
        return .mapping(entries + others, isCompact: isCompact)
    }
}

extension StructuredValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(integerLiteral value: Int) { self = .number("\(value)") }
}

extension StructuredValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(arrayLiteral elements: StructuredValue...) { self = .list(elements) }

    package init(dictionaryLiteral elements: (String, StructuredValue)...) {
        self = .mapping(elements.map { Entry(key: $0.0, value: $0.1) }, isCompact: false)
    }
}
