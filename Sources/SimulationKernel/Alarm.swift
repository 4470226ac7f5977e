public import Quantities

/// One entity's appointment for one purpose, which may be moved or called off at any time.
///
/// The future event list cannot remove events, so an alarm remembers for when it is really set, and an event that comes
/// up at any other instant is recognised as meaningless. An alarm that only moves later, as a stale date does with each
/// update, costs no event: the pending one comes up early and is then set anew. So there is rarely more than one pending
/// event per alarm.
///
/// The check is by instant alone. If a pending, called-off event meets an alarm that was set later for the same instant, it rings
/// instead of the new event: at the right time, with an earlier place in the order of scheduling.
///
/// ```
///  set(t) ──► needs an event at t? ── yes ─► caller schedules it
///                     └── no: one is pending before t
///  event at t ──► rings(at: t) ─┬─ .rings        the appointment
///                               ├─ .early(at: u) set for u > t: schedule at u
///                               └─ .off          called off, or rung already
/// ```
@frozen
public struct Alarm: Hashable, BitwiseCopyable, Sendable {
    @usableFromInline
    var setting: Instant
    /// The earliest event known to be pending for this alarm; `never` when there is none.
    @usableFromInline
    var pending: Instant

    /// An alarm that is off.
    @inlinable
    public init() {
        setting = .never
        pending = .never
    }

    /// An alarm as it was put down: for when it was set, and which event was pending.
    @inlinable
    public init(due: Instant, next: Instant) {
        setting = due
        pending = next
    }

    /// For when the alarm is set; `never` when it is off.
    @inlinable
    public var due: Instant { setting }

    /// When an event for it comes up, at the earliest; `never` when none does.
    @inlinable
    public var next: Instant { pending }

    /// What an event for this alarm turns out to be.
    @frozen
    public enum Ring: Hashable, Sendable {
        /// The appointment; the alarm is off now.
        case rings
        /// Too early: schedule the event again for the given instant.
        case early(Instant)
        /// Nothing: the alarm is off, or another event will ring it.
        case off
    }

    /// Sets the alarm, whether it was set before or not.
    ///
    /// - Returns: Whether the caller has to schedule an event at `instant`.
    @inlinable
    public mutating func set(for instant: Instant) -> Bool {
        setting = instant
        guard instant < pending else { return false }
        pending = instant
        return true
    }

    /// Sets the alarm for an instant for which no event is needed yet: before it comes, the caller sets the alarm anew.
    @inlinable
    public mutating func note(_ instant: Instant) {
        setting = instant
    }

    /// Calls the appointment off.
    @inlinable
    public mutating func callOff() {
        setting = .never
    }

    /// Says what an event that has come up means.
    @inlinable
    public mutating func ring(at now: Instant) -> Ring {
        if setting == now {
            if pending == now {
                pending = .never
            }
            setting = .never
            return .rings
        }
        guard pending == now else { return .off }
        pending = .never
        guard setting != .never, setting > now else { return .off }
        pending = setting
        return .early(setting)
    }
}
