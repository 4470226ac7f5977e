public import Quantities

/// One push on its way through a ``SenderStation``: where the sender has it, and when its wait ends.
///
/// ```
///          ┌─────────────── repeats ────────────────┐
///          ▼                                        │
///       offered ───► waiting ───► underWay ───► done
///        │  ▲           │          │   ▲        ▲ ▲
///        ▼  │           │          ▼   │        │ │
///      inOrbit          │        interrupted ───┘ │
///        └──────────────┴───── patience ends ─────┘
/// ```
///
/// The host keeps it with the push and hands it to the station with whatever happens to the push. Timers need not be taken
/// back: the station is told for which instant one was set, and passes over those that no longer mean anything.
public struct SenderPassage: BitwiseCopyable, Hashable, Sendable {
    /// When it was offered to the sender.
    public private(set) var queuedAt: Instant
    /// When it is dropped, unless its request has begun; `never` where that is not known.
    private var patienceEnds = Instant.never
    /// When it is offered again; `never` unless it is in orbit.
    private var returnsAt = Instant.never
    /// Where the sender has it.
    public private(set) var standing = Standing.offered
    /// Which request for the push is the next, or under way, from 0.
    public private(set) var attempt: UInt8 = 0

    /// Where the sender has a push.
    public enum Standing: UInt8, BitwiseCopyable, Sendable {
        /// Not admitted yet.
        case offered
        /// In the queue; its request has not begun.
        case waiting
        /// It found the queue full and comes again.
        case inOrbit
        /// Its request holds a stream.
        case underWay
        /// Its request has begun and waits in the queue for the rest of its time.
        case interrupted
        /// Its request is over or given up, or it is not sent.
        case done
    }

    /// A push that is offered now.
    @inline(__always)
    public init(offeredAt now: Instant) { queuedAt = now }

    /// The push is offered once more, with a patience of its own: it got no answer.
    @inline(__always)
    public mutating func repeats(at now: Instant) {
        let attempt = attempt
        self = SenderPassage(offeredAt: now)
        self.attempt = attempt + 1
    }

    /// Sets its patience, counted from when it was offered: at the first wait; those that follow change nothing.
    ///
    /// - Returns: When that is over, where it was set now: ``SenderStation/patienceEnded(_:_:timerSetFor:)`` is to be
    ///   called then.
    public mutating func setPatience(_ patience: @autoclosure () -> TimeSpan?) -> Instant? {
        guard patienceEnds == .never, let patience = patience() else { return nil }
        patienceEnds = queuedAt + patience
        return patienceEnds
    }

    /// It is in the queue.
    mutating func queued() { standing = .waiting }

    /// It is in the queue no longer; a request that was interrupted stays so until it goes on.
    mutating func leftQueue() { if standing == .waiting { standing = .offered } }

    /// Its request holds a stream.
    @inline(__always)
    mutating func begins() { standing = .underWay }

    /// Its request has lost its stream and goes on later.
    mutating func isInterrupted() { standing = .interrupted }

    /// Its request is over or given up, or it is not sent.
    @inline(__always)
    mutating func ends() { standing = .done }

    /// It found the queue full and comes again.
    mutating func leaves(until instant: Instant) {
        standing = .inOrbit
        returnsAt = instant
    }

    /// Whether it is in orbit up to an instant; if so, it is here again.
    mutating func returns(at due: Instant) -> Bool {
        guard standing == .inOrbit, returnsAt == due else { return false }
        standing = .offered
        returnsAt = .never
        return true
    }

    /// Where it waited if an instant is the end of its patience; nil where it is not, or the push waits nowhere.
    mutating func losesPatience(at due: Instant) -> Standing? {
        guard patienceEnds == due, standing == .waiting || standing == .inOrbit else { return nil }
        defer { standing = .done }
        return standing
    }
}
