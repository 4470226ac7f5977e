import NIOCore

/// Counts what the other side sends on one connection against its limits: heads, frames, resets.
struct FloodGuard {
    /// The limit of frames that neither a new stream nor a body earns.
    var frames: FloodLimit
    /// The limit of the other side's resets.
    var resets: FloodLimit
    private var ownResets: FloodLimit
    private let headLimit: Int
    /// The size of the incoming head, as HPACK counts it [bytes].
    private var headBytes = 0
    /// The highest stream that the client has opened.
    private var highestStream: Int32 = 0
    /// The streams that this side has reset recently: frames on them may still have been in flight.
    private var resetStreams = CircularBuffer<Int32>()

    /// The maximum number of remembered reset streams: as many as one connection may have open.
    private static let mostResetStreams = 1000

    init(_ configuration: HTTP2Configuration) {
        frames = configuration.frameLimit
        resets = configuration.resetLimit
        ownResets = configuration.ownResetLimit
        headLimit = configuration.headLimit
    }

    mutating func headBegan() { headBytes = 0 }

    /// Counts a field; returns `false` if the head is too long.
    mutating func hasRoom(name: Int, value: Int) -> Bool {
        headBytes += name + value + 32
        return headBytes <= headLimit
    }

    /// Returns `true` if HEADERS open a client's stream, which earns frames.
    mutating func opens(_ stream: Int32) -> Bool {
        guard stream > highestStream else { return false }
        highestStream = stream
        frames.earn(HTTP2Configuration.framesOfStream)
        return true
    }

    /// Counts a reset by this side; returns `false` if there are too many.
    ///
    /// NO_ERROR does not count: it only means that a response was sent early.
    mutating func reset(_ stream: Int32, _ code: HTTP2ErrorCode, at now: @autoclosure () -> NIODeadline) -> Bool {
        if resetStreams.count == FloodGuard.mostResetStreams { resetStreams.removeFirst() }
        resetStreams.append(stream)
        return code == .noError || ownResets.take(at: now())
    }

    /// Returns `true` if this side has reset a stream recently.
    func hasReset(_ stream: Int32) -> Bool { resetStreams.contains(stream) }
}
