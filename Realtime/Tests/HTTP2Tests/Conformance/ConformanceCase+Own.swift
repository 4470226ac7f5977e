import HTTP2

extension ConformanceCase {
    /// Additional checks of this project.
    static let own: [ConformanceCase] = [
        .init("own 2/1", "te with trailers", [.get(1, .field("te", "trailers"))], .headers(1)),
        .init("own 2/2", ":authority and host", [.get(1, .field("host", "elsewhere"))], .headers(1)),
        .init(
            "own 2/3",
            "CONNECT has no :path and no :scheme",
            [.headers(1, [.field(named: 2, .text("CONNECT")), .authority])],
            .headers(1)
        ),
        .init("own 2/4", "the highest id", [.get(1 << 31 - 1)], .headers(1 << 31 - 1)),
        .init(
            "own 2/5",
            "a greeting in single bytes",
            [.preface, .settings()].flatMap(singly),
            .frames([.settings, .settingsACK]),
            isFirst: true
        ),
        .init("own 2/6", "DATA before the end of HEADERS", [.post(isWhole: false), .data()], .goAway([.protocol])),
        .init(
            "own 2/7",
            "more CONTINUATION than one head needs",
            [.get(isWhole: false)] + [RawFrame](repeating: .continuation(isWhole: false), count: 9),
            .closed
        ),
        .init("own 2/8", "more entries in SETTINGS than there are", [RawFrame(4, manySettings)], .closed),
        .init(
            "own 2/9",
            "a stream's window that SETTINGS make larger than 2^31 - 1",
            [.post(), .windowUpdate(1, 0x7FFF_0000), .window(1 << 31 - 1)],
            .goAway([.flowControl]),
            but: Exception(
                comesBack: .reset(1, [.flowControl]),
                reason: "RFC 9113, 6.9.2, requires GOAWAY; nghttp2 resets each such stream, and has no option"
            )
        ),
        .init(
            "own 2/10",
            "DATA on a stream that a higher id has closed",
            [.get(5), .pause, .data(3)],
            .goAway([.streamClosed, .protocol]),
            but: Exception(
                comesBack: .headers(5),
                reason:
                    "nghttp2 skips it and calls none of our callbacks, because it has forgotten the stream"
            )
        ),
        .init(
            "own 2/11",
            "late trailers on a stream that the server has reset",
            [.post(), .windowUpdate(1, 1 << 31 - 1), .pause, .headers(1, [.field("x-test", "ok")])],
            .reset(1, [.flowControl])
        ),
        .init(
            "own 2/12",
            "late DATA on a stream that the server has reset",
            [.post(), .windowUpdate(1, 1 << 31 - 1), .pause, .data()],
            .reset(1, [.flowControl])
        ),
    ]

    private static func singly(_ frame: RawFrame) -> [RawFrame] {
        frame.bytes.flatMap { [RawFrame(bytes: [$0]), .pause] }
    }

    private static let manySettings = [[UInt8]](repeating: [0, 0x99, 0, 0, 0, 1], count: 33).flatMap { $0 }

    /// Limits of a client on a server; the client's first request waits on stream 1.
    static let ofServers = fromServers.map { ConformanceCase($0.0, $0.1, $0.2, $0.3, side: .client) }

    private static let fromServers: [(String, String, [RawFrame], Wanted)] =
        [
            ("own 3/1", "PUSH_PROMISE, which the client has refused", [.pushPromise(1, 2)], .goAway([.protocol])),
            ("own 3/2", "HEADERS on an idle stream", [.headers(3, ok)], .goAway([.protocol])),
            ("own 3/3", "HEADERS on a stream of the server's", [.headers(2, ok)], .goAway([.protocol])),
            ("own 3/4", "DATA on an idle stream", [.data(3)], .goAway([.protocol])),
            ("own 3/5", "DATA before the head", [.data()], .error(1, [.protocol])),
            ("own 3/6", "WINDOW_UPDATE by 0", [.windowUpdate(0, 0)], .goAway([.protocol])),
            ("own 3/7", "CONTINUATION of nothing", [.continuation()], .goAway([.protocol])),
            ("own 3/8", "a head without :status", [.headers(1, [.field("x", "a")])], .error(1, [.protocol])),
            ("own 3/9", "PING", [.ping], .frames([.pong(RawFrame.pingPayload)])),
            ("own 3/10", "a valid response", [.headers(1, ok)], .lives),
            ("own 3/11", "a block that is not HPACK", [.headers(1, [.broken(0x80)])], .goAway([.compression])),
        ]

    private static let ok: [RawField] = [.indexed(8)]
}
