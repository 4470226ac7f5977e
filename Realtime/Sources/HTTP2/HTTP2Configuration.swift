import CNghttp2

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
    /// How many streams the other side may give up in a row, and how many each second from then on; more end the connection.
    package var resetLimit: (burst: Int, perSecond: Int)

    /// A side that bears any number of resets.
    package init(role: Role, settings: [Setting]) {
        self.role = role
        self.settings = settings
        resetLimit = (.max, .max)
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
