import CNghttp2
import NIOCore

/// The initial state of one side of a connection.
package struct HTTP2Configuration: Sendable {
    /// The sides of a connection.
    package enum Role: Hashable, Sendable {
        case client, server
    }

    /// A value of SETTINGS for the other side (RFC 9113, section 6.5.2).
    package enum Setting: Hashable, Sendable {
        /// The maximum HPACK table for what it sends [bytes].
        case headerTable(Int)
        /// Permission to push responses.
        case push(Bool)
        /// The maximum number of streams that it may open at once.
        case streams(Int)
        /// The bytes that it may send on one stream before it is granted more.
        case streamWindow(Int)
        /// The maximum size of a frame that it sends [bytes].
        case frame(Int)
        /// The advised maximum size of a head, as HPACK counts it [bytes].
        case head(Int)
    }

    /// The side of the connection.
    package var role: Role
    /// The SETTINGS that it sends first.
    package var settings: [Setting]
    /// The bytes that the other side may send on all streams together before it is granted more.
    package var connectionWindow = 65_535
    /// The limit of streams that the other side may reset; more end the connection.
    package var resetLimit = FloodLimit.none
    /// The limit of streams that a server may have to reset because of a client's errors; more end the connection
    /// (MadeYouReset, CVE-2025-8671: work is started for a stream that immediately counts as closed).
    ///
    /// A well-behaved client causes none. SETTINGS_MAX_CONCURRENT_STREAMS allows a thousand at once, so all requests of
    /// a client may time out together. A thousand is also nghttp2's limit for the client's own resets.
    package var ownResetLimit = FloodLimit(1000, in: .seconds(30))
    /// The limit of frames that the other side may send beyond those that streams and bodies earn; more end the
    /// connection.
    ///
    /// Each frame except DATA with bytes costs one: PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA, CONTINUATION,
    /// trailers. Each new stream earns ``framesOfStream``, and each DATA frame that this side sends earns
    /// ``framesOfData``. A client that sends a push in three frames therefore never uses the limit. It exists for PING
    /// and SETTINGS; a well-behaved peer sends less than one of them per second.
    package var frameLimit = FloodLimit(10_000, in: .seconds(10))

    /// A head, an empty DATA at the end, trailers, window updates and priorities of one request; few requests need half
    /// of it.
    static let framesOfStream = 10
    /// One WINDOW_UPDATE for the stream and one for the connection.
    static let framesOfData = 2

    /// Creates a side that accepts any number of resets from the other side.
    package init(role: Role, settings: [Setting]) {
        self.role = role
        self.settings = settings
    }

    /// The maximum size of a head to decode, as HPACK counts it [bytes]; a longer one ends the connection.
    ///
    /// It is ten times the advised size: a slightly longer head is its sender's error and costs one stream. Without a
    /// limit, 16 kB of references to one large table entry would be decoded to 60 MB, which takes 20 ms.
    var headLimit: Int {
        for case .head(let size) in settings { return 10 * size }
        return .max
    }
}

extension HTTP2Configuration.Setting {
    var entry: nghttp2_settings_entry {
        let (id, value) =
            switch self {
            case .headerTable(let size): (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, size)
            case .push(let isAllowed): (NGHTTP2_SETTINGS_ENABLE_PUSH, isAllowed ? 1 : 0)
            case .streams(let count): (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, count)
            case .streamWindow(let size): (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, size)
            case .frame(let size): (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, size)
            case .head(let size): (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, size)
            }
        return nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
    }
}
