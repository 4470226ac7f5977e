public import Quantities

/// The state of one push in a ``SenderStation``: its standing, and the end of its wait.
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
/// The host stores it with the push and passes it to the station at every event of the push. Timers need not be
/// cancelled: the host passes the instant that a timer was set for, and the station ignores those that are obsolete.
public struct SenderPassage: BitwiseCopyable, Hashable, Sendable {
    /// When it was offered to the sender.
    public private(set) var queuedAt: Instant
    /// When it is dropped, unless its request has begun; `never` if not known yet.
    private var patienceEnds = Instant.never
    /// When it is offered again; `never` unless it is in orbit.
    private var returnsAt = Instant.never
    /// Its standing in the sender.
    public private(set) var standing = Standing.offered
    /// The number of its next or current request, from 0.
    public private(set) var attempt: UInt8 = 0

    /// The standing of a push in the sender.
    public enum Standing: UInt8, BitwiseCopyable, Sendable {
        /// Not admitted yet.
        case offered
        /// In the queue; its request has not begun.
        case waiting
        /// The queue was full; it will be offered again.
        case inOrbit
        /// Its request holds a stream.
        case underWay
        /// Its request has begun and waits in the queue with its remaining time.
        case interrupted
        /// Its request is over or abandoned, or it is not sent.
        case done
    }

    /// Creates the state of a push that is offered now.
    @inline(__always)
    public init(offeredAt now: Instant) { queuedAt = now }

    /// Records another offer of the push after a request without a response, with a new patience.
    @inline(__always)
    public mutating func repeats(at now: Instant) {
        let attempt = attempt
        self = SenderPassage(offeredAt: now)
        self.attempt = attempt + 1
    }

    /// Sets its patience, counted from its offer, at the first wait; later waits change nothing.
    ///
    /// - Returns: The end of the patience if it was set now; the host must call
    ///   ``SenderStation/patienceEnded(_:_:timerSetFor:)`` then.
    public mutating func setPatience(_ patience: @autoclosure () -> TimeSpan?) -> Instant? {
        guard patienceEnds == .never, let patience = patience() else { return nil }
        patienceEnds = queuedAt + patience
        return patienceEnds
    }

    /// The push has entered the queue.
    mutating func queued() { standing = .waiting }

    /// The push has left the queue; an interrupted request stays interrupted until it resumes.
    mutating func leftQueue() { if standing == .waiting { standing = .offered } }

    /// Its request has a stream.
    @inline(__always)
    mutating func begins() { standing = .underWay }

    /// Its request has lost its stream and will resume later.
    mutating func isInterrupted() { standing = .interrupted }

    /// Its request is over or abandoned, or it is not sent.
    @inline(__always)
    mutating func ends() { standing = .done }

    /// The queue was full; the push will be offered again.
    mutating func leaves(until instant: Instant) {
        standing = .inOrbit
        returnsAt = instant
    }

    /// Returns `true` if it is in orbit until an instant; if so, it is offered again.
    mutating func returns(at due: Instant) -> Bool {
        guard standing == .inOrbit, returnsAt == due else { return false }
        standing = .offered
        returnsAt = .never
        return true
    }

    /// The place where it waited if an instant is the end of its patience; nil if it is not, or if the push is not
    /// waiting.
    mutating func losesPatience(at due: Instant) -> Standing? {
        guard patienceEnds == due, standing == .waiting || standing == .inOrbit else { return nil }
        defer { standing = .done }
        return standing
    }
}
