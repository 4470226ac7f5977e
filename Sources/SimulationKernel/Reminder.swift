public import Quantities

/// One entity's next check of a deadline that it can compute from its own state at any time.
///
/// Unlike an ``Alarm``, which stores the instant that it is set for, a reminder stores only the earliest pending event.
/// A deadline that moves later, as most do with every update, therefore costs nothing: the pending event comes up
/// early, the entity checks its deadline, and sets the reminder again.
///
/// ```
///  the deadline moves earlier ─► remind(at: t) ── true ─► caller schedules an event at t
///  event at t ──► comesUp(at: t) ─┬─ true   check: act, or remind(at: the deadline)
///                                 └─ false  obsolete: an earlier event has replaced it
/// ```
@frozen
public struct Reminder: Hashable, BitwiseCopyable, Sendable {
    /// The earliest event known to be pending; `never` if there is none.
    @usableFromInline
    var pending: Instant

    /// Creates a reminder without an event.
    @inlinable
    public init() {
        pending = .never
    }

    /// Restores a reminder from its pending event.
    @inlinable
    public init(next: Instant) {
        pending = next
    }

    /// When the entity will check next; `never` if it will not.
    @inlinable
    public var next: Instant { pending }

    /// Ensures that the entity checks no later than at an instant.
    ///
    /// - Returns: `true` if the caller has to schedule an event at `instant`.
    @inlinable
    public mutating func remind(at instant: Instant) -> Bool {
        guard instant < pending else { return false }
        pending = instant
        return true
    }

    /// Returns `true` if an event that has come up calls for the check.
    @inlinable
    public mutating func comesUp(at now: Instant) -> Bool {
        guard pending == now else { return false }
        pending = .never
        return true
    }
}
