/// The state of one HTTP/2 connection to APNs and its requests in flight.
///
///     connecting ── opened ──▶ open ── GOAWAY ──▶ draining ── last answer ──▶ (close)
///          └───────────── closed ◀────────┴───────────┘
///
/// It takes what arrives over the wire and returns the requests that have ended. The requests themselves are opaque to it. One
/// ``APNsConnection`` calls it, on its event loop.
///
/// There are no streams before the connection is open. There is one stream until the server's SETTINGS are known and, if the
/// provider shows a token, until the first answer that does not reject the token (Apple: "APNs allows only one stream until
/// you post a request with a valid authentication token"). Then there are as many as both sides allow. If the limit falls
/// below the number of requests in flight, none of them ends, and no stream is opened until enough have ended.
struct ConnectionState<Request: Sendable>: Sendable {
    /// The phase of the connection.
    enum Phase: Hashable, Sendable {
        case connecting
        case open
        /// APNs accepts no new streams; requests in flight may still be answered.
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

    /// The highest id of a client's stream.
    static var lastStream: Int32 { .max }

    /// A connection that is being made.
    ///
    /// - Parameters:
    ///   - streamLimit: The most streams that this side opens, at least 1.
    ///   - showsToken: `true` if the provider shows a token, which APNs must accept first.
    init(streamLimit: Int, showsToken: Bool) {
        ownLimit = streamLimit
        isTrusted = !showsToken
    }

    /// The number of requests in flight.
    var inFlight: Int { streams.count }

    /// The most streams that may be open at once, as far as is known.
    var streamLimit: Int {
        guard knowsSettings, isTrusted else { return min(1, peerLimit ?? 1) }
        return min(ownLimit, peerLimit ?? ownLimit)
    }

    /// `true` if a stream can be opened now.
    var hasRoom: Bool { phase == .open && streams.count < streamLimit }

    /// `true` if the connection is of no more use and should be closed.
    var isSpent: Bool { phase == .draining && streams.isEmpty }

    /// Notes that the connection is open.
    mutating func opened() { if phase == .connecting { phase = .open } }

    /// Takes the server's SETTINGS, which may include `SETTINGS_MAX_CONCURRENT_STREAMS`.
    mutating func settingsReceived(streamLimit: Int?) {
        knowsSettings = true
        if let streamLimit { peerLimit = streamLimit }
    }

    /// Opens a stream for a request; after the highest id, the connection drains.
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

    /// Takes a complete answer and returns its request, unless that was given up.
    mutating func answered(_ stream: Int32, objectsToToken: Bool) -> Request? {
        guard let request = streams.removeValue(forKey: stream) else { return nil }
        if !objectsToToken { isTrusted = true }
        return request
    }

    /// Ends a stream without an answer, by a reset or a timeout, and returns its request.
    mutating func ended(_ stream: Int32) -> Request? { streams.removeValue(forKey: stream) }

    /// Takes a GOAWAY and returns the requests above the last stream that it names, in the order in which they were sent.
    ///
    /// The server has not acted on these requests.
    mutating func goAwayReceived(lastStream: Int32) -> [Request] {
        if phase != .closed { phase = .draining }
        return take { $0 > lastStream }
    }

    /// Notes the end of the connection and returns the requests with an unknown fate, in the order in which they were sent.
    mutating func closed() -> [Request] {
        phase = .closed
        return take { _ in true }
    }

    private mutating func take(where isMeant: (Int32) -> Bool) -> [Request] {
        streams.keys.filter(isMeant).sorted().compactMap { streams.removeValue(forKey: $0) }
    }
}
