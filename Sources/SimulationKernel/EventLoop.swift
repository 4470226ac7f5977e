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
/// With a horizon of `.never` the loop drains: it runs until nothing is pending.
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

    /// A run that has not begun.
    public init() {}

    /// The current instant: that of the last event taken.
    @inlinable
    public var now: Instant { clock }

    /// How many events had a meaning; see ``record(event:subject:)``.
    @inlinable
    public var recordedCount: UInt64 { recorded }

    /// The event that was recorded last; (0, 0) before the first.
    @inlinable
    public var lastRecorded: (event: UInt8, subject: UInt64) { last }

    /// The hash of all recorded events.
    @inlinable
    public var fingerprint: Fingerprint { history }

    /// How many events are pending, meaningless ones included.
    @inlinable
    public var pendingCount: Int { pending.count }

    /// The event that comes up after a number of others, as far as that is known; see ``FutureEventList/upcoming(_:)``.
    @inlinable
    public func upcoming(_ distance: Int) -> EventWord? {
        pending.upcoming(distance)
    }

    /// Adds an event at an instant that has not passed.
    ///
    /// - Precondition: `time` is not before ``now``.
    @inlinable
    public mutating func schedule(_ word: EventWord, at time: Instant, priority: EventPriority) {
        precondition(time >= now, "an event cannot be scheduled in the past")
        pending.schedule(word, at: time, priority: priority)
    }

    /// Takes the next event and moves the clock to it; nil when none is pending up to the horizon.
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

    /// Removes pending events that have lost their meaning; see ``FutureEventList/discard(where:)``.
    public mutating func discard(where isMeaningless: (_ word: EventWord, _ time: Instant) -> Bool) {
        pending.discard(where: isMeaningless)
    }

    /// Moves the clock forward without an event.
    ///
    /// - Precondition: `instant` is not before ``now``.
    @inlinable
    public mutating func advance(to instant: Instant) {
        precondition(instant >= now, "time does not run backwards")
        clock = instant
    }

    /// Counts an event that had a meaning and takes it into the fingerprint.
    ///
    /// The model calls this, because only it knows which events were called off, and by which lasting name, rather than
    /// by which reused number, a subject is known.
    @inlinable
    public mutating func record(event: UInt8, subject: UInt64) {
        last = (event, subject)
        record(event: event, subject: subject, at: clock)
    }

    /// Counts an event that is known to happen, and needs no place in the list.
    ///
    /// - Precondition: `instant` is not before ``now``.
    @inlinable
    @inline(__always)
    public mutating func record(event: UInt8, subject: UInt64, at instant: Instant) {
        recorded &+= 1
        history.add(time: instant, event: event, subject: subject)
    }

    /// Sets the clock to an instant at which something is known to happen, for the model to work it out, or back again.
    ///
    /// Before the next event is taken the model sets it back to where it was.
    @inlinable
    public mutating func workAhead(at instant: Instant) {
        clock = instant
    }
}
