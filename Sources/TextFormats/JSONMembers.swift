/// The members of a JSON object, read strictly: each name once, nothing after the end, all nested values validated.
///
/// It keeps nested objects as their original bytes, because content is passed on unchanged. (RFC 8259.)
public struct JSONMembers {
    /// A value.
    public enum Value: Equatable, Sendable {
        case string(String)
        /// The number as it is written.
        case number(String)
        /// The bytes of the object.
        case object([UInt8])
        case array([Value])
        case bool(Bool)
        case null

        /// A description of the value's kind, for messages.
        public var kind: String {
            switch self {
            case .string(let text): "a string of \(text.utf8.count) bytes"
            case .number(let text): text.utf8.count <= 32 ? text : "a number of \(text.utf8.count) digits"
            case .object(let bytes): "an object of \(bytes.count) bytes"
            case .array: "an array"
            case .bool(let value): "\(value)"
            case .null: "null"
            }
        }

        /// The string; nil for any other value.
        public var text: String? { if case .string(let text) = self { text } else { nil } }

        /// The number; nil for any other value.
        public var number: Double? { if case .number(let text) = self { Double(text) } else { nil } }

        /// The number as an integer that fits the type; nil for any other value.
        @inlinable
        public func integer<Integer: FixedWidthInteger>() -> Integer? {
            if case .number(let text) = self { Integer(text) } else { nil }
        }

        /// The Boolean value; nil for any other value.
        public var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

        /// The bytes of the object; nil for any other value.
        public var object: [UInt8]? { if case .object(let bytes) = self { bytes } else { nil } }

        /// The members of the object; nil for any other value, and if a name occurs twice.
        public var members: JSONMembers? { object.flatMap { try? JSONMembers($0) } }

        /// The elements of the array; nil for any other value.
        public var elements: [Value]? { if case .array(let values) = self { values } else { nil } }
    }

    /// The position at which a document is not JSON, or not an object.
    public struct Malformed: Error, Equatable {
        /// The byte, from 0.
        public let offset: Int
        /// A description of the expected text.
        public let expected: String
    }

    /// The members, in the order of the document.
    public private(set) var members: [(name: String, value: Value)] = []
    /// The byte ranges of the values of ``members`` in the document.
    public private(set) var ranges: [Range<Int>] = []

    private let bytes: [UInt8]
    private var position = 0

    /// The maximum nesting depth of values.
    private static let depthLimit = 32

    /// Reads a document.
    public init(_ bytes: [UInt8]) throws(Malformed) {
        self.bytes = bytes
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Malformed(offset: 0, expected: "UTF-8")
        }
        skipSpace()
        guard peek == UInt8(ascii: "{") else { throw Malformed(offset: position, expected: "an object") }
        try object(depth: 0, keeps: true)
        skipSpace()
        guard position == bytes.count else { throw Malformed(offset: position, expected: "the end") }
    }

    /// The byte range of a name's value in the document; nil if there is none.
    public func range(of name: String) -> Range<Int>? {
        members.firstIndex { $0.name == name }.map { ranges[$0] }
    }

    /// The value of a name.
    public subscript(name: String) -> Value? {
        members.first { $0.name == name }?.value
    }

    // MARK: - Grammar

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func expect(_ character: Character) throws(Malformed) {
        guard let byte = peek, byte == character.asciiValue else {
            throw Malformed(offset: position, expected: "'\(character)'")
        }
        position += 1
    }

    /// Reads the elements between two brackets, separated by commas.
    private mutating func elements(
        _ open: Character,
        _ close: Character,
        depth: Int,
        _ element: (inout JSONMembers) throws(Malformed) -> Void
    ) throws(Malformed) {
        guard depth < JSONMembers.depthLimit else {
            throw Malformed(offset: position, expected: "at most \(JSONMembers.depthLimit) levels")
        }
        try expect(open)
        skipSpace()
        if peek == close.asciiValue {
            position += 1
            return
        }
        while true {
            skipSpace()
            try element(&self)
            skipSpace()
            guard peek == UInt8(ascii: ",") else { break }
            position += 1
        }
        try expect(close)
    }

    private mutating func object(depth: Int, keeps: Bool) throws(Malformed) {
        try elements("{", "}", depth: depth) { (reader) throws(Malformed) in
            let start = reader.position
            let name = try reader.string()
            reader.skipSpace()
            try reader.expect(":")
            reader.skipSpace()
            let place = reader.position
            let value = try reader.value(depth: depth + 1)
            guard keeps else { return }
            guard reader[name] == nil else { throw Malformed(offset: start, expected: "each name once") }
            reader.members.append((name, value))
            reader.ranges.append(place..<reader.position)
        }
    }

    private mutating func array(depth: Int) throws(Malformed) -> [Value] {
        var values: [Value] = []
        try elements("[", "]", depth: depth) { (reader) throws(Malformed) in
            values.append(try reader.value(depth: depth + 1))
        }
        return values
    }

    private mutating func value(depth: Int) throws(Malformed) -> Value {
        skipSpace()
        let start = position
        switch peek {
        case UInt8(ascii: "{"):
            try object(depth: depth, keeps: false)
            return .object(Array(bytes[start..<position]))
        case UInt8(ascii: "["):
            return .array(try array(depth: depth))
        case UInt8(ascii: "\""):
            return .string(try string())
        case UInt8(ascii: "t"):
            try word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        default:
            try number()
            return .number(String(decoding: bytes[start..<position], as: UTF8.self))
        }
    }

    private mutating func word(_ word: String) throws(Malformed) {
        guard bytes[position...].starts(with: word.utf8) else { throw Malformed(offset: position, expected: "a value") }
        position += word.utf8.count
    }

    private mutating func digits() throws(Malformed) {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw Malformed(offset: position, expected: "a value") }
    }

    private mutating func number() throws(Malformed) {
        if peek == UInt8(ascii: "-") { position += 1 }
        let first = position
        try digits()
        guard bytes[first] != UInt8(ascii: "0") || position == first + 1 else {
            throw Malformed(offset: first, expected: "a number without a leading zero")
        }
        if peek == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
    }

    private mutating func string() throws(Malformed) -> String {
        try expect("\"")
        var text: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw Malformed(offset: position, expected: "no control characters") }
            position += 1
            if byte == UInt8(ascii: "\\") {
                try escape(into: &text)
            } else {
                text.append(byte)
            }
        }
        try expect("\"")
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escape(into text: inout [UInt8]) throws(Malformed) {
        guard let byte = peek else { throw Malformed(offset: position, expected: "an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var unit = try hexadecimal()
            if (0xD800...0xDBFF).contains(unit) {
                try expect("\\")
                try expect("u")
                let low = try hexadecimal()
                guard (0xDC00...0xDFFF).contains(low) else {
                    throw Malformed(offset: position, expected: "the second half of a surrogate pair")
                }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else {
                throw Malformed(offset: position, expected: "a character")
            }
            text.append(contentsOf: String(Character(scalar)).utf8)
        default: throw Malformed(offset: position - 1, expected: "an escape")
        }
    }

    private mutating func hexadecimal() throws(Malformed) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw Malformed(offset: position, expected: "four hexadecimal digits")
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}
