public import Quantities

/// One entity's next look at a deadline that it can work out from its own state at any time.
///
/// Where an ``Alarm`` remembers for when it is set, a reminder only remembers the earliest event that is pending. So a
/// deadline that moves away, as most do with every piece of news, costs nothing at all: the event that stands comes up
/// early, the entity looks at its deadline, and asks to be reminded again.
///
/// ```
///  the deadline came nearer ─► remind(at: t) ── true ─► caller schedules an event at t
///  event at t ──► comesUp(at: t) ─┬─ true   look: act, or remind(at: the deadline)
///                                 └─ false  an event that was overtaken by an earlier one
/// ```
@frozen
public struct Reminder: Hashable, BitwiseCopyable, Sendable {
    /// The earliest event known to be pending; `never` when there is none.
    @usableFromInline
    var pending: Instant

    /// No reminder.
    @inlinable
    public init() {
        pending = .never
    }

    /// A reminder as it was put down.
    @inlinable
    public init(next: Instant) {
        pending = next
    }

    /// When the entity will look next; `never` when it will not.
    @inlinable
    public var next: Instant { pending }

    /// Sees to it that the entity looks no later than at an instant.
    ///
    /// - Returns: Whether the caller has to schedule an event at `instant`.
    @inlinable
    public mutating func remind(at instant: Instant) -> Bool {
        guard instant < pending else { return false }
        pending = instant
        return true
    }

    /// Whether an event that has come up is the one to look at.
    @inlinable
    public mutating func comesUp(at now: Instant) -> Bool {
        guard pending == now else { return false }
        pending = .never
        return true
    }
}
