public import Quantities

/// The clock of a run together with its future event list, its count of events and its fingerprint.
///
/// The model drives it:
///
/// ```
/// while let event = loop.next(through: horizon) {
///     // one exhaustive switch over event.kind
/// }
/// loop.advance(to: horizon)
/// ```
///
/// With a horizon of `.never`, the loop runs until no event is pending.
@frozen
public struct EventLoop: ~Copyable {
    @usableFromInline
    var pending = FutureEventList()

    @usableFromInline
    var clock = Instant.start
    @usableFromInline
    var recorded: UInt64 = 0
    @usableFromInline
    var history = Fingerprint()
    @usableFromInline
    var last: (event: UInt8, subject: UInt64) = (0, 0)

    /// Creates a loop at the start of a run.
    public init() {}

    /// The current instant, which is that of the last event taken.
    @inlinable
    public var now: Instant { clock }

    /// The number of effective events; see ``record(event:subject:)``.
    @inlinable
    public var recordedCount: UInt64 { recorded }

    /// The last event that was recorded; (0, 0) before the first.
    @inlinable
    public var lastRecorded: (event: UInt8, subject: UInt64) { last }

    /// The hash of all recorded events.
    @inlinable
    public var fingerprint: Fingerprint { history }

    /// The number of pending events, including obsolete ones.
    @inlinable
    public var pendingCount: Int { pending.count }

    /// The event that comes up after a number of others, if known; see ``FutureEventList/upcoming(_:)``.
    @inlinable
    public func upcoming(_ distance: Int) -> EventWord? {
        pending.upcoming(distance)
    }

    /// Schedules an event at an instant that is not past.
    ///
    /// - Precondition: `time` is not before ``now``.
    @inlinable
    public mutating func schedule(_ word: EventWord, at time: Instant, priority: EventPriority) {
        precondition(time >= now, "an event cannot be scheduled in the past")
        pending.schedule(word, at: time, priority: priority)
    }

    /// Takes the next event and advances the clock to it; returns nil if none is pending up to the horizon.
    @inlinable
    public mutating func next(through horizon: Instant) -> EventWord? {
        guard let first = pending.popFirst(through: horizon) else { return nil }
        clock = first.time
        return first.word
    }

    /// Returns `true` if another event is pending at the instant of the last event taken.
    ///
    /// - Complexity: O(1) amortised.
    @inlinable
    public mutating func hasTie() -> Bool { pending.hasTie() }

    /// Advances the clock without an event.
    ///
    /// - Precondition: `instant` is not before ``now``.
    @inlinable
    public mutating func advance(to instant: Instant) {
        precondition(instant >= now, "time does not run backwards")
        clock = instant
    }

    /// Counts an effective event and adds it to the fingerprint.
    ///
    /// The model calls this function, because only the model knows which events are obsolete, and which permanent
    /// number a subject has besides its reused one.
    @inlinable
    @inline(__always)
    public mutating func record(event: UInt8, subject: UInt64) {
        last = (event, subject)
        record(event: event, subject: subject, at: clock)
    }

    /// Records an event of a later instant, which is processed ahead of time.
    ///
    /// - Precondition: `instant` is not before ``now``.
    @inlinable
    @inline(__always)
    public mutating func record(event: UInt8, subject: UInt64, at instant: Instant) {
        recorded &+= 1
        history.add(time: instant, event: event, subject: subject)
    }

    /// Sets the clock to a later instant that the model processes ahead of time, or back again.
    ///
    /// The model must restore the clock before it takes the next event.
    @inlinable
    public mutating func moveClock(to instant: Instant) {
        clock = instant
    }
}
