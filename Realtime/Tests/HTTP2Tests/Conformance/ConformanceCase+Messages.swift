extension ConformanceCase {
    /// RFC 7540, 7 and 8: error codes, heads and bodies.
    static let messages = badMessages + badHeads.map { ConformanceCase($0.0, $0.1, [.headers(1, $0.2)], malformed) }

    private static let badMessages: [ConformanceCase] =
        [
            .init("7/1", "GOAWAY with an unknown code", [.goAway(0xFF)], .livesOrCloses),
            .init("7/2", "RST_STREAM with an unknown code", [.post(), .reset(1, 0xFF)], .lives),
            .init(
                "8.1/1",
                "trailers without END_STREAM",
                [.post(), .data(isLast: false), .headers(1, [.field("x-test", "ok")], isLast: false)],
                malformed
            ),
            .init(
                "8.1.2.1/3",
                "a pseudo-field in trailers",
                [.post(), .data(isLast: false), .headers(1, [.methodPost])],
                malformed
            ),
            .init(
                "8.1.2.6/1",
                "content-length and one DATA differ",
                [.post(1, .field("content-length", "1")), .data()],
                malformed
            ),
            .init(
                "8.1.2.6/2",
                "content-length and all DATA differ",
                [.post(1, .field("content-length", "1")), .data(isLast: false), .data()],
                malformed
            ),
            .init("8.2/1", "PUSH_PROMISE from a client", [.post(), .pushPromise(1, 2)], .goAway([.protocol])),
        ]

    private static let malformed = Wanted.reset(1, [.protocol])

    /// Malformed heads: their streams are reset.
    private static let badHeads: [(String, String, [RawField])] =
        [
            ("8.1.2/1", "a name in capitals", RawField.get + [.field("X-TEST", "ok")]),
            ("8.1.2.1/1", "an unknown pseudo-field", RawField.get + [.field(":test", "ok")]),
            ("8.1.2.1/2", "a pseudo-field of responses", RawField.get + [.field(":status", "200")]),
            ("8.1.2.1/4", "a pseudo-field after others", [.field("x-test", "ok")] + RawField.get),
            ("8.1.2.2/1", "a field of the connection", RawField.get + [.field("connection", "keep-alive")]),
            ("8.1.2.2/2", "te with more than trailers", RawField.get + [.field("te", "trailers, deflate")]),
            ("8.1.2.3/1", "an empty :path", [.methodGet, .https, .field(":path", ""), .authority]),
            ("8.1.2.3/2", "no :method", [.https, .root, .authority]),
            ("8.1.2.3/3", "no :scheme", [.methodGet, .root, .authority]),
            ("8.1.2.3/4", "no :path", [.methodGet, .https, .authority]),
            ("8.1.2.3/5", ":method twice", [.methodGet] + RawField.get),
            ("8.1.2.3/6", ":scheme twice", [.https] + RawField.get),
            ("8.1.2.3/7", ":path twice", [.root] + RawField.get),
            ("own 1/1", "CR and LF in a value", RawField.get + [.field("x", "a\r\nb")]),
            ("own 1/2", "NUL in a value", RawField.get + [.field("x", "a\0b")]),
            ("own 1/3", "a value that begins with a space", RawField.get + [.field("x", " a")]),
            ("own 1/4", "a space in a name", RawField.get + [.field("x y", "a")]),
            ("own 1/5", "a colon in a name", RawField.get + [.field("x:y", "a")]),
            ("own 1/6", "content-length that is not a number", RawField.get + [.field("content-length", "-1")]),
        ]

    /// RFC 7541: invalid HPACK ends the connection.
    static let compression = badBlocks.map {
        ConformanceCase($0.0, $0.1, [.headers(1, $0.2)], .goAway([.compression]))
    }

    private static let badBlocks: [(String, String, [RawField])] =
        [
            ("H2.3.3/1", "an index above the table", RawField.get + [.broken(0xFF, 0x00)]),
            ("H2.3.3/2", "a name's index above the table", RawField.get + [.broken(0x7F, 0x07, 0x01, 0x78)]),
            ("H4.2/1", "an update of the table's size after a field", RawField.get + [.tableSize(0)]),
            ("H5.2/1", "Huffman padding of more than 7 bits", huffman(0x85, 0x84, 0x49, 0x50, 0x9F, 0xFF)),
            ("H5.2/2", "Huffman padding of zeros", huffman(0x83, 0x49, 0x50, 0x90)),
            ("H5.2/3", "EOS in a string", huffman(0x87, 0x49, 0x51, 0xFF, 0xFF, 0xFF, 0xFA, 0x7F)),
            ("H6.1/1", "index 0", RawField.get + [.broken(0x80)]),
            ("H6.3/1", "a table larger than was allowed", [.tableSize(4097)] + RawField.get),
        ]

    /// A new name, `x-test` in Huffman code, with a literal value.
    private static func huffman(_ value: UInt8...) -> [RawField] {
        RawField.get + [RawField(bytes: [0x00, 0x85, 0xF2, 0xB2, 0x4A, 0x84, 0xFF] + value)]
    }
}
