extension ConformanceCase {
    /// RFC 7540, 3.5 to 4.3: the preface, and frames in general.
    static let frames: [ConformanceCase] = [
        .init(
            "3.5/1",
            "SETTINGS is the first frame",
            [.preface, .settings()],
            .frames([.settings, .settingsACK]),
            isFirst: true
        ),
        .init(
            "3.5/2",
            "another preface",
            [RawFrame(bytes: Array("INVALID CONNECTION PREFACE\r\n\r\n".utf8))],
            .closed,
            isFirst: true
        ),
        .init("4.1/1", "a frame of an unknown type", [RawFrame(0xFF, [1, 2, 3])], .lives),
        .init(
            "4.1/2",
            "undefined flags",
            [RawFrame(6, flags: 0x16, RawFrame.pingPayload)],
            .frames([.pong(RawFrame.pingPayload)])
        ),
        .init(
            "4.1/3",
            "the reserved bit",
            [RawFrame(6, stream: 1 << 31, RawFrame.pingPayload)],
            .frames([.pong(RawFrame.pingPayload)])
        ),
        .init("4.2/1", "DATA of 2^14 bytes", [.post(), .data(1, longest)], .headers(1)),
        .init("4.2/2", "DATA above the limit", [.post(), .data(1, longest + "x")], .error(1, [.frameSize])),
        .init("4.2/3", "HEADERS above the limit", [.get(1, .field("x-long", longest))], .goAway([.frameSize])),
        .init("4.3/1", "a block that ends within a field", [.headers(1, [.broken(0x40)])], .goAway([.compression])),
        .init(
            "4.3/2",
            "PRIORITY within a block",
            [.get(isWhole: false), .priority(), .continuation()],
            .goAway([.protocol])
        ),
        .init(
            "4.3/3",
            "HEADERS of another stream within a block",
            [.get(isWhole: false), .get(3), .continuation()],
            .goAway([.protocol])
        ),
    ]

    private static let longest = String(repeating: "x", count: 16_384)

    /// RFC 7540, 5: the frames that streams accept in each state.
    static let streams: [ConformanceCase] = [
        .init("5.1/1", "idle: DATA", [.data()], .goAway([.protocol])),
        .init("5.1/2", "idle: RST_STREAM", [.reset()], .goAway([.protocol])),
        .init("5.1/3", "idle: WINDOW_UPDATE", [.windowUpdate(1, 100)], .goAway([.protocol])),
        .init("5.1/4", "idle: CONTINUATION", [.continuation()], .goAway([.protocol])),
        .init("5.1/5", "half-closed (remote): DATA", [.get(), .data()], .error(1, [.streamClosed])),
        .init("5.1/6", "half-closed (remote): HEADERS", [.get(), .get()], .error(1, [.streamClosed])),
        .init(
            "5.1/7",
            "half-closed (remote): CONTINUATION",
            [.get(), .continuation()],
            .error(1, [.streamClosed, .protocol])
        ),
        .init("5.1/8", "closed by RST_STREAM: DATA", [.post(), .reset(), .data()], .error(1, [.streamClosed])),
        .init("5.1/9", "closed by RST_STREAM: HEADERS", [.post(), .reset(), .get()], .error(1, [.streamClosed])),
        .init(
            "5.1/10",
            "closed by RST_STREAM: CONTINUATION",
            [.post(), .reset(), .continuation()],
            .error(1, [.streamClosed, .protocol])
        ),
        .init("5.1/11", "closed: DATA", [.get(), .pause, .data()], .goAway([.streamClosed])),
        .init("5.1/12", "closed: HEADERS", [.get(), .pause, .get()], .goAway([.streamClosed])),
        .init(
            "5.1/13",
            "closed: CONTINUATION",
            [.get(), .pause, .continuation()],
            .goAway([.streamClosed, .protocol])
        ),
        .init("5.1.1/1", "an even id", [.get(2)], .goAway([.protocol])),
        .init(
            "5.1.1/2",
            "an id lower than the last",
            [.get(5), .pause, .get(3)],
            .goAway([.protocol, .streamClosed])
        ),
        .init(
            "5.1.2/1",
            "more streams than allowed",
            (0...100).map { .post(2 * $0 + 1) },
            .error(201, [.protocol, .refusedStream])
        ),
        .init(
            "5.3.1/1",
            "HEADERS that depend on themselves",
            [.get(flags: 32, before: [0, 0, 0, 1, 255])],
            .error(1, [.protocol])
        ),
        .init("5.3.1/2", "PRIORITY that depends on itself", [.priority(2, on: 2)], .error(2, [.protocol])),
        .init("5.4.1/1", "an error of the connection closes it", [pingOnStream], .closed),
        .init("5.4.1/2", "an error of the connection is reported", [pingOnStream], .goAway([.protocol])),
        .init("5.5/1", "an unknown frame", [RawFrame(0x16, [1, 2, 3])], .lives),
        .init(
            "5.5/2",
            "an unknown frame within a block",
            [.get(isWhole: false), RawFrame(0x16, [1, 2, 3]), .continuation()],
            .goAway([.protocol])
        ),
    ]

    private static let pingOnStream = RawFrame(6, stream: 3, RawFrame.pingPayload)
}
