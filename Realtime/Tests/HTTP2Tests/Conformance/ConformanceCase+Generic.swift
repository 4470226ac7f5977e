extension ConformanceCase {
    /// Input that any server must accept: h2spec's "generic".
    static let generic = [basics, messagesOfAllKinds, representations].flatMap { $0 }

    private static let basics: [ConformanceCase] = [
        .init(
            "G1/1",
            "preface and SETTINGS",
            [.preface, .settings(), .settingsACK],
            .frames([.settings, .settingsACK]),
            isFirst: true
        ),
        .init("G2/1", "idle: PRIORITY", [.priority()], .lives),
        .init(
            "G2/2",
            "half-closed (remote): WINDOW_UPDATE",
            [.window(0), .post(), .data(), .windowUpdate(1, 1)],
            .data(1, count: 1)
        ),
        .init(
            "G2/3",
            "half-closed (remote): PRIORITY",
            [.window(0), .post(), .data(), .priority(), .windowUpdate(1, 1)],
            .data(1, count: 1)
        ),
        .init("G2/4", "half-closed (remote): RST_STREAM", [.get(), .reset()], .lives),
        .init("G2/5", "closed: PRIORITY", [.get(), .pause, .priority()], .headers(1)),

        .init("G3.1/1", "one DATA", [.post(), .data()], .data(1, count: 4)),
        .init("G3.1/2", "several DATA", [.post(), .data(isLast: false), .data()], .data(1, count: 8)),
        .init(
            "G3.1/3",
            "padded DATA",
            [.post(), RawFrame(0, flags: 9, stream: 1, [2] + Array("test".utf8) + [0, 0])],
            .data(1, count: 4)
        ),

        .init("G3.2/1", "HEADERS", [.get()], .headers(1)),
        .init("G3.2/2", "padded HEADERS", [.get(flags: 8, before: [2], after: [0, 0])], .headers(1)),
        .init("G3.2/3", "HEADERS with a priority", [.get(flags: 32, before: [0, 0, 0, 0, 255])], .headers(1)),

        .init("G3.3/1", "PRIORITY of weight 1", [.priority(weight: 0), .get()], .headers(1)),
        .init("G3.3/2", "PRIORITY of weight 256", [.priority(weight: 255), .get()], .headers(1)),
        .init("G3.3/3", "PRIORITY with a dependency", [.priority(3, on: 1), .get()], .headers(1)),
        .init("G3.3/4", "PRIORITY, exclusive", [.priority(3, on: 1, isExclusive: true), .get()], .headers(1)),
        .init("G3.3/5", "PRIORITY of an idle stream, then a lower id", [.priority(3), .get()], .headers(1)),

        .init("G3.4/1", "RST_STREAM", [.post(), .reset()], .lives),
        .init("G3.5/1", "SETTINGS", [.settings()], .frames([.settingsACK])),
        .init("G3.7/1", "PING", [.ping], .frames([.pong(RawFrame.pingPayload)])),
        .init("G3.8/1", "GOAWAY", [.goAway(0)], .livesOrCloses),
        .init("G3.9/1", "WINDOW_UPDATE of the connection", [.windowUpdate(0, 1), .get()], .headers(1)),
        .init("G3.9/2", "WINDOW_UPDATE of a stream", [.get(), .windowUpdate(1, 1)], .headers(1)),
        .init(
            "G3.10/1",
            "one CONTINUATION",
            [.get(isWhole: false), .continuation(1, .field("x-a", "b"))],
            .headers(1)
        ),
        .init(
            "G3.10/2",
            "several CONTINUATION",
            [
                .get(isWhole: false), .continuation(1, .field("x-a", "b"), isWhole: false),
                .continuation(1, .field("x-c", "d")),
            ],
            .headers(1)
        ),
    ]

    private static let messagesOfAllKinds: [ConformanceCase] = [
        .init("G4/1", "GET", [.get()], .frames([.headers(1)])),
        .init("G4/2", "HEAD", [.headers(1, head)], .frames([.headers(1)])),
        .init("G4/3", "POST", [.post(), .data()], .frames([.headers(1), .data(1, count: 4)])),
        .init(
            "G4/4",
            "POST with trailers",
            [.post(), .data(isLast: false), .headers(1, [.field("x-test", "ok")])],
            .data(1, count: 4)
        ),
    ]

    private static let head: [RawField] = [.field(named: 2, .text("HEAD")), .https, .root, .authority]

    /// All representations of HPACK: three ways to enter the table, two kinds of names, two of strings.
    private static let representations = indices + literals

    private static let indices: [ConformanceCase] =
        [
            .init("G5/1", "indexed field", [.get(1, .indexed(16))], .headers(1)),
            .init("G5/14", "an update of the table's size", [.headers(1, [.tableSize(0)] + RawField.get)], .headers(1)),
            .init(
                "G5/15",
                "two updates of the table's size",
                [.headers(1, [.tableSize(0), .tableSize(4096)] + RawField.get)],
                .headers(1)
            ),
        ]

    private static let literals: [ConformanceCase] = zip([2, 6, 10], RawField.Indexing.allCases)
        .flatMap { number, indexing -> [ConformanceCase] in
            let named: RawField = .field(named: RawField.cacheControl, .text("no-cache"), indexing)
            let namedHuffman: RawField = .field(named: RawField.cacheControl, .noCache, indexing)
            let new: RawField = .field("custom-key", "custom-value", indexing)
            let newHuffman: RawField = .field(.customKey, .customValue, indexing)
            let rows: [(String, RawField)] = [
                ("indexed name", named), ("indexed name, Huffman", namedHuffman), ("new name", new),
                ("new name, Huffman", newHuffman),
            ]
            return rows.enumerated()
                .map { place, row in
                    ConformanceCase("G5/\(number + place)", "\(indexing): \(row.0)", [.get(1, row.1)], .headers(1))
                }
        }
}
