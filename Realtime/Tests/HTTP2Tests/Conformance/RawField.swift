/// A field in HPACK (RFC 7541, section 6), encoded without the library under test.
struct RawField: Hashable, Sendable {
    let bytes: [UInt8]

    /// How a literal field enters the table, by the first bits of its representation.
    enum Indexing: UInt8, CaseIterable, Sendable {
        case incremental = 0x40
        case without = 0x00
        case never = 0x10

        /// The number of bits of the name's index in the first byte.
        var prefix: Int { self == .incremental ? 6 : 4 }
    }

    /// A field by its index in the static table.
    static func indexed(_ index: Int) -> RawField { RawField(bytes: integer(index, prefix: 7, first: 0x80)) }

    /// A literal field.
    static func field(_ name: String, _ value: String, _ indexing: Indexing = .without) -> RawField {
        field(.text(name), .text(value), indexing)
    }

    /// A literal field with any form of its strings.
    static func field(_ name: RawString, _ value: RawString, _ indexing: Indexing) -> RawField {
        RawField(bytes: [indexing.rawValue] + name.bytes + value.bytes)
    }

    /// A literal field whose name is in the table.
    static func field(named index: Int, _ value: RawString, _ indexing: Indexing = .without) -> RawField {
        RawField(bytes: integer(index, prefix: indexing.prefix, first: indexing.rawValue) + value.bytes)
    }

    /// An update of the table's size.
    static func tableSize(_ size: Int) -> RawField { RawField(bytes: integer(size, prefix: 5, first: 0x20)) }

    /// Bytes that are not a field.
    static func broken(_ bytes: UInt8...) -> RawField { RawField(bytes: bytes) }

    static let methodGet = indexed(2)
    static let methodPost = indexed(3)
    static let root = indexed(4)
    static let https = indexed(7)
    static let authority = field(named: 1, .text("localhost"))
    /// Index 24 of the static table.
    static let cacheControl = 24

    /// The fields of a valid GET.
    static let get = [methodGet, https, root, authority]
    /// The fields of a valid POST.
    static let post = [methodPost, https, root, authority]

    /// Returns an integer with a prefix of some bits (RFC 7541, section 5.1).
    fileprivate static func integer(_ value: Int, prefix: Int, first: UInt8) -> [UInt8] {
        let most = 1 << prefix - 1
        guard value >= most else { return [first | UInt8(value)] }
        var (bytes, rest) = ([first | UInt8(most)], value - most)
        while rest >= 128 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

/// A string literal of HPACK.
struct RawString: Hashable, Sendable {
    let bytes: [UInt8]

    static func text(_ text: String) -> RawString {
        RawString(bytes: RawField.integer(text.utf8.count, prefix: 7, first: 0) + Array(text.utf8))
    }

    /// Returns a string that is already in Huffman code, of fewer than 127 bytes.
    static func huffman(_ code: [UInt8]) -> RawString { RawString(bytes: [0x80 | UInt8(code.count)] + code) }

    /// `no-cache`, `custom-key` and `custom-value`, as in RFC 7541, appendix C.4.
    static let noCache = huffman([0xA8, 0xEB, 0x10, 0x64, 0x9C, 0xBF])
    static let customKey = huffman([0x25, 0xA8, 0x49, 0xE9, 0x5B, 0xA9, 0x7D, 0x7F])
    static let customValue = huffman([0x25, 0xA8, 0x49, 0xE9, 0x5B, 0xB8, 0xE8, 0xB4, 0xBF])
}
