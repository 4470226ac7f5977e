import NIOCore

/// What one connection has had from the other side, against its limits: heads, frames, resets.
struct FloodGuard {
    /// Frames that neither a new stream nor a body pays for.
    var frames: FloodLimit
    /// The other side's resets.
    var resets: FloodLimit
    private var ownResets: FloodLimit
    private let headLimit: Int
    /// The size of the head that comes in now, as HPACK counts it [bytes].
    private var headBytes = 0
    /// The highest stream that the client has opened.
    private var highestStream: Int32 = 0
    /// The streams that this side has reset last: frames on them may have been under way.
    private var resetStreams = CircularBuffer<Int32>()

    /// The most streams that are remembered as reset: as many as one connection may have open.
    private static let mostResetStreams = 1000

    init(_ configuration: HTTP2Configuration) {
        frames = configuration.frameLimit
        resets = configuration.resetLimit
        ownResets = configuration.ownResetLimit
        headLimit = configuration.headLimit
    }

    mutating func headBegan() { headBytes = 0 }

    /// Counts a field; false where the head is too long to go on.
    mutating func hasRoom(name: Int, value: Int) -> Bool {
        headBytes += name + value + 32
        return headBytes <= headLimit
    }

    /// Whether HEADERS open a client's stream, which earns frames.
    mutating func opens(_ stream: Int32) -> Bool {
        guard stream > highestStream else { return false }
        highestStream = stream
        frames.earn(HTTP2Configuration.framesOfStream)
        return true
    }

    /// Counts a reset by this side; false where there are too many.
    ///
    /// NO_ERROR is no reproach: an answer came early.
    mutating func reset(_ stream: Int32, _ code: HTTP2ErrorCode, at now: @autoclosure () -> NIODeadline) -> Bool {
        if resetStreams.count == FloodGuard.mostResetStreams { resetStreams.removeFirst() }
        resetStreams.append(stream)
        return code == .noError || ownResets.take(at: now())
    }

    /// Whether this side has reset a stream lately.
    func hasReset(_ stream: Int32) -> Bool { resetStreams.contains(stream) }
}
