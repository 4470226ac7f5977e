/// What one HTTP/2 connection to APNs may do next, and who waits for an answer on it.
///
///     connecting ── opened ──▶ open ── GOAWAY ──▶ draining ── last answer ──▶ (close)
///          └───────────── closed ◀────────┴───────────┘
///
/// It is told what came over the wire and says what became of requests. A stream's place in the table is the request's
/// request, which only the owner understands. Called by one ``APNsConnection``, on its event loop.
///
/// Streams: none before the connection is open; one until the server's SETTINGS are known and, where the provider shows a
/// token, until the first answer that is no objection to it (Apple: "APNs allows only one stream until you post a request
/// with a valid authentication token"); then as many as both sides like. A limit that falls below what is in flight ends
/// nothing: no stream is opened until enough have ended.
struct ConnectionState<Request: Sendable>: Sendable {
    /// How far the connection has come.
    enum Phase: Hashable, Sendable {
        case connecting
        case open
        /// APNs takes no new streams; those in flight may still be answered.
        case draining
        case closed
    }

    private(set) var phase = Phase.connecting
    private let ownLimit: Int
    private var peerLimit: Int?
    private var knowsSettings = false
    private var isTrusted: Bool
    private var nextStream: Int32 = 1
    private var streams: [Int32: Request] = [:]

    /// The last id that a client's stream can have.
    static var lastStream: Int32 { .max }

    /// A connection that is being made: with the most streams that this side wants, at least 1, and whether the provider
    /// shows a token, which APNs has to accept first.
    init(streamLimit: Int, showsToken: Bool) {
        ownLimit = streamLimit
        isTrusted = !showsToken
    }

    /// How many requests wait for an answer.
    var inFlight: Int { streams.count }

    /// How many streams may be open at once, as far as is known by now.
    var streamLimit: Int {
        guard knowsSettings, isTrusted else { return min(1, peerLimit ?? 1) }
        return min(ownLimit, peerLimit ?? ownLimit)
    }

    /// Whether a stream can be opened now.
    var hasRoom: Bool { phase == .open && streams.count < streamLimit }

    /// Whether the connection is of no more use and should be closed.
    var isSpent: Bool { phase == .draining && streams.isEmpty }

    /// The connection stands.
    mutating func opened() { if phase == .connecting { phase = .open } }

    /// The server has sent SETTINGS; `SETTINGS_MAX_CONCURRENT_STREAMS` may be among them.
    mutating func settingsReceived(streamLimit: Int?) {
        knowsSettings = true
        if let streamLimit { peerLimit = streamLimit }
    }

    /// Opens a stream for a request where there is room; after the last id there is, the connection drains.
    mutating func open(_ request: Request) -> Int32 {
        precondition(hasRoom, "a stream is opened where there is no room")
        let stream = nextStream
        streams[stream] = request
        if stream >= Self.lastStream - 1 {
            phase = .draining
        } else {
            nextStream += 2
        }
        return stream
    }

    /// The request of a stream in flight.
    func request(of stream: Int32) -> Request? { streams[stream] }

    /// An answer is complete, which may object to the provider's token; returns its request unless that was given up.
    mutating func answered(_ stream: Int32, objectsToToken: Bool) -> Request? {
        guard let request = streams.removeValue(forKey: stream) else { return nil }
        if !objectsToToken { isTrusted = true }
        return request
    }

    /// A stream has ended without an answer: the server has reset it, or this side no longer waits; returns its request.
    mutating func ended(_ stream: Int32) -> Request? { streams.removeValue(forKey: stream) }

    /// The server takes no more streams; returns the requests above the last one that it names, on which it has not acted,
    /// in the order in which they were sent.
    mutating func goAwayReceived(lastStream: Int32) -> [Request] {
        if phase != .closed { phase = .draining }
        return take { $0 > lastStream }
    }

    /// The connection is gone; returns the requests whose fate is unknown, in the order in which they were sent.
    mutating func closed() -> [Request] {
        phase = .closed
        return take { _ in true }
    }

    private mutating func take(where isMeant: (Int32) -> Bool) -> [Request] {
        streams.keys.filter(isMeant).sorted().compactMap { streams.removeValue(forKey: $0) }
    }
}
