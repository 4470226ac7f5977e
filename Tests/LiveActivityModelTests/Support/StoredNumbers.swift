import Testing

/// The integers that a value stores, at any depth, field by field.
///
/// `Mirror` finds the fields, so a new field of a type is tested without a change to the test.
struct StoredNumbers {
    /// One stored integer, or one stored array of integers.
    struct Field {
        /// The path of the field: `observations[2].count`.
        let path: String
        /// The integer, or the integers of the array.
        let numbers: [Int128]
        /// The width of each in the field's own type [bits].
        let bitWidth: Int

        /// The numbers in words of 64 bits, the low word of each integer first.
        var words: [UInt64] {
            guard bitWidth > 64 else { return numbers.map { UInt64(truncatingIfNeeded: $0) } }
            return numbers.flatMap { [UInt64(truncatingIfNeeded: $0), UInt64(truncatingIfNeeded: $0 >> 64)] }
        }
    }

    /// All fields, in the order of their declarations.
    private(set) var fields: [Field] = []

    /// Creates the integers of a value made of structs, arrays and integers; anything else in it is recorded as an
    /// issue.
    init(of value: Any) {
        collect(value, at: "")
    }

    private mutating func collect(_ value: Any, at path: String) {
        if let number = value as? any FixedWidthInteger {
            fields.append(Field(path: path, numbers: [Int128(number)], bitWidth: number.bitWidth))
        } else if let numbers = value as? [Int64] {
            fields.append(Field(path: path, numbers: numbers.map { Int128($0) }, bitWidth: 64))
        } else if let numbers = value as? [UInt64] {
            fields.append(Field(path: path, numbers: numbers.map { Int128($0) }, bitWidth: 64))
        } else {
            collectParts(of: value, at: path)
        }
    }

    private mutating func collectParts(of value: Any, at path: String) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .struct:
            for child in mirror.children {
                let name = child.label ?? "?"
                collect(child.value, at: path.isEmpty ? name : "\(path).\(name)")
            }
        case .collection:
            for (index, child) in mirror.children.enumerated() {
                collect(child.value, at: "\(path)[\(index)]")
            }
        default:
            Issue.record("\(path) is of type \(type(of: value)): add it to StoredNumbers")
        }
    }
}
