import CNghttp2
import NIOCore

/// How one side of a connection begins.
package struct HTTP2Configuration: Sendable {
    /// Which side it is.
    package enum Role: Hashable, Sendable {
        case client, server
    }

    /// What SETTINGS tell the other side (RFC 9113, section 6.5.2).
    package enum Setting: Hashable, Sendable {
        /// The largest table that HPACK may use in what it sends [bytes].
        case headerTable(Int)
        /// Whether it may push responses.
        case push(Bool)
        /// The most streams that it may open at once.
        case streams(Int)
        /// What it may send on one stream before it is granted more [bytes].
        case streamWindow(Int)
        /// The largest frame that it may send [bytes].
        case frame(Int)
        /// The longest head that is welcome, as HPACK counts it [bytes]: a wish.
        case head(Int)
    }

    /// Which side it is.
    package var role: Role
    /// The SETTINGS that it begins with.
    package var settings: [Setting]
    /// What the other side may send on all streams together before it is granted more [bytes].
    package var connectionWindow = 65_535
    /// How many streams the other side may give up; more end the connection.
    package var resetLimit = FloodLimit.none
    /// How many streams a server may have to reset because of what the client sends on them (MadeYouReset, CVE-2025-8671:
    /// work is begun for a stream that at once counts as ended); more end the connection.
    ///
    /// A good client causes none. A thousand is what SETTINGS_MAX_CONCURRENT_STREAMS allows at once, so that all requests
    /// of a client may time out together, and are again what nghttp2 allows of the client's own resets.
    package var ownResetLimit = FloodLimit(1000, in: .seconds(30))
    /// How many frames the other side may send beyond those that streams and bodies pay for; more end the connection.
    ///
    /// Each frame but DATA with bytes costs one: PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA, CONTINUATION, trailers.
    /// Each new stream earns ``framesOfStream``, and each DATA that this side sends ``framesOfData``. A client that sends a
    /// push in three frames therefore never uses the limit; what it is for is PING and SETTINGS, of which a good peer sends
    /// less than one a second.
    package var frameLimit = FloodLimit(10_000, in: .seconds(10))

    /// A head, an empty DATA at the end, trailers, window updates and priorities of one request: seldom half of it.
    static let framesOfStream = 10
    /// One WINDOW_UPDATE for the stream and one for the connection.
    static let framesOfData = 2

    /// A side that bears any number of the other side's resets.
    package init(role: Role, settings: [Setting]) {
        self.role = role
        self.settings = settings
    }

    /// The longest head that is decoded, as HPACK counts it [bytes]; a longer one ends the connection.
    ///
    /// Ten times what is welcome: a head that is a little too long is its sender's mistake and costs one stream. Without a
    /// limit, 16 kB of references to one large entry of the table are decoded to 60 MB, which takes 20 ms.
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
