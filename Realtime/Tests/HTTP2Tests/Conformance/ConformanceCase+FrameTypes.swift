extension ConformanceCase {
    /// RFC 7540, 6: each type of frame.
    static let frameTypes = [bodies, settings, windows, continuations].flatMap { $0 }

    private static let bodies: [ConformanceCase] = [
        .init("6.1/1", "DATA on stream 0", [.data(0)], .goAway([.protocol])),
        .init("6.1/2", "DATA on a stream that is not open", [.get(), .data()], .error(1, [.streamClosed])),
        .init(
            "6.1/3",
            "DATA with more padding than payload",
            [.post(), RawFrame(0, flags: 9, stream: 1, [6] + Array("test".utf8))],
            .goAway([.protocol])
        ),
        .init(
            "6.2/1",
            "HEADERS without END_HEADERS, then PRIORITY",
            [.get(isWhole: false), .priority()],
            .goAway([.protocol])
        ),
        .init(
            "6.2/2",
            "HEADERS without END_HEADERS, then HEADERS",
            [.get(isWhole: false), .get(3)],
            .goAway([.protocol])
        ),
        .init("6.2/3", "HEADERS on stream 0", [.get(0)], .goAway([.protocol])),
        .init("6.2/4", "HEADERS with more padding than payload", [.get(flags: 8, before: [255])], .goAway([.protocol])),
        .init("6.3/1", "PRIORITY on stream 0", [.priority(0)], .goAway([.protocol])),
        .init("6.3/2", "PRIORITY of 4 bytes", [RawFrame(2, stream: 1, [0, 0, 0, 0])], .error(1, [.frameSize])),
        .init("6.4/1", "RST_STREAM on stream 0", [.reset(0)], .goAway([.protocol])),
        .init("6.4/2", "RST_STREAM on an idle stream", [.reset()], .goAway([.protocol])),
        .init("6.4/3", "RST_STREAM of 3 bytes", [.post(), RawFrame(3, stream: 1, [0, 0, 0])], .goAway([.frameSize])),
    ]

    private static let settings: [ConformanceCase] = [
        .init("6.5/1", "SETTINGS with ACK and a payload", [RawFrame(4, flags: 1, [0])], .goAway([.frameSize])),
        .init("6.5/2", "SETTINGS on a stream", [RawFrame(4, stream: 1, [0, 3, 0, 0, 0, 1])], .goAway([.protocol])),
        .init("6.5/3", "SETTINGS of 3 bytes", [RawFrame(4, [0, 3, 0])], .goAway([.frameSize])),
        .init("6.5.2/1", "ENABLE_PUSH of 2", [.settings((2, 2))], .goAway([.protocol])),
        .init("6.5.2/2", "INITIAL_WINDOW_SIZE of 2^31", [.window(1 << 31)], .goAway([.flowControl])),
        .init("6.5.2/3", "MAX_FRAME_SIZE of 2^14 - 1", [.settings((5, 1 << 14 - 1))], .goAway([.protocol])),
        .init("6.5.2/4", "MAX_FRAME_SIZE of 2^24", [.settings((5, 1 << 24))], .goAway([.protocol])),
        .init("6.5.2/5", "an unknown setting", [.settings((0xFF, 1))], .lives),
        .init(
            "6.5.3/1",
            "two values of one setting",
            [.settings((4, 100), (4, 1)), .pause, .post(), .data()],
            .data(1, count: 1)
        ),
        .init("6.5.3/2", "SETTINGS are acknowledged", [.settings((2, 0))], .frames([.settingsACK])),
        .init("6.7/1", "PING", [.ping], .frames([.pong(RawFrame.pingPayload)])),
        .init("6.7/2", "PING with ACK is not answered", [RawFrame(6, flags: 1, RawFrame.pingPayload)], .frames([])),
        .init("6.7/3", "PING on a stream", [RawFrame(6, stream: 1, RawFrame.pingPayload)], .goAway([.protocol])),
        .init("6.7/4", "PING of 6 bytes", [RawFrame(6, [1, 2, 3, 4, 5, 6])], .goAway([.frameSize])),
        .init("6.8/1", "GOAWAY on a stream", [.goAway(0, stream: 1)], .goAway([.protocol])),
    ]

    private static let windows: [ConformanceCase] = [
        .init("6.9/1", "WINDOW_UPDATE by 0", [.windowUpdate(0, 0)], .goAway([.protocol])),
        .init("6.9/2", "WINDOW_UPDATE of a stream by 0", [.post(), .windowUpdate(1, 0)], .error(1, [.protocol])),
        .init("6.9/3", "WINDOW_UPDATE of 3 bytes", [RawFrame(8, [0, 0, 1])], .goAway([.frameSize])),
        .init("6.9.1/1", "a window of one byte", [.window(1), .pause, .post(), .data()], .data(1, count: 1)),
        .init(
            "6.9.1/2",
            "a window of the connection above 2^31 - 1",
            [.windowUpdate(0, largest), .windowUpdate(0, largest)],
            .goAway([.flowControl])
        ),
        .init(
            "6.9.1/3",
            "a window of a stream above 2^31 - 1",
            [.post(), .windowUpdate(1, largest), .windowUpdate(1, largest)],
            .reset(1, [.flowControl])
        ),
        .init(
            "6.9.2/1",
            "a window that grows later",
            [.window(0), .pause, .post(), .data(), .pause, .window(1)],
            .data(1, count: 1)
        ),
        .init(
            "6.9.2/2",
            "a window that becomes negative",
            [.window(3), .pause, .post(), .data(1, "testtest"), .pause, .window(2), .windowUpdate(1, 2)],
            .data(1, count: 4)
        ),
        .init("6.9.2/3", "an INITIAL_WINDOW_SIZE that is too large", [.window(1 << 31)], .goAway([.flowControl])),
    ]

    private static let largest: UInt32 = 1 << 31 - 1

    private static let continuations: [ConformanceCase] = [
        .init(
            "6.10/1",
            "several CONTINUATION",
            [.get(isWhole: false), .continuation(1, .field("x-a", "b"), isWhole: false), .continuation()],
            .headers(1)
        ),
        .init(
            "6.10/2",
            "another frame before the end",
            [.get(isWhole: false), .continuation(isWhole: false), .data()],
            .goAway([.protocol])
        ),
        .init("6.10/3", "CONTINUATION on stream 0", [.get(isWhole: false), .continuation(0)], .goAway([.protocol])),
        .init("6.10/4", "CONTINUATION after END_HEADERS", [.post(), .continuation()], .goAway([.protocol])),
        .init(
            "6.10/5",
            "CONTINUATION after one with END_HEADERS",
            [.post(isWhole: false), .continuation(), .continuation()],
            .goAway([.protocol])
        ),
        .init(
            "6.10/6",
            "CONTINUATION after DATA",
            [.post(), .data(isLast: false), .continuation()],
            .goAway([.protocol])
        ),
    ]
}
