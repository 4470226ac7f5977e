public import Quantities

/// One entity's timer for one purpose, which can be moved or cancelled at any time.
///
/// The future event list cannot remove events. An alarm therefore stores the instant that it is set for, and an event
/// that comes up at any other instant is recognised as obsolete. If an alarm only moves later, as a stale date does
/// with each update, it costs no event: the pending event comes up early and is then scheduled again. An alarm thus
/// rarely has more than one pending event.
///
/// The check compares only instants. If an alarm is cancelled and then set again for the instant of its old event, the
/// old event rings it instead of a new one: at the right time, but earlier in the order of scheduling.
///
/// ```
///  set(t) ──► needs an event at t? ── yes ─► caller schedules it
///                      └── no: one is pending before t
///  event at t ──► rings(at: t) ─┬─ .rings        the alarm is due
///                               ├─ .early(at: u) set for u > t: schedule at u
///                               └─ .off          cancelled, or already rung
/// ```
@frozen
public struct Alarm: Hashable, BitwiseCopyable, Sendable {
    @usableFromInline
    var setting: Instant
    /// The earliest event known to be pending for this alarm; `never` if there is none.
    @usableFromInline
    var pending: Instant

    /// Creates an alarm that is off.
    @inlinable
    public init() {
        setting = .never
        pending = .never
    }

    /// Restores an alarm from the instant that it is set for and its pending event.
    @inlinable
    public init(due: Instant, next: Instant) {
        setting = due
        pending = next
    }

    /// The instant that the alarm is set for; `never` if it is off.
    @inlinable
    public var due: Instant { setting }

    /// The earliest pending event for the alarm; `never` if there is none.
    @inlinable
    public var next: Instant { pending }

    /// The meaning of an event for an alarm.
    @frozen
    public enum Ring: Hashable, Sendable {
        /// The alarm is due; it is off now.
        case rings
        /// Too early: schedule the event again for the given instant.
        case early(Instant)
        /// None: the alarm is off, or another event will ring it.
        case off
    }

    /// Sets the alarm, whether or not it was set before.
    ///
    /// - Returns: `true` if the caller has to schedule an event at `instant`.
    @inlinable
    public mutating func set(for instant: Instant) -> Bool {
        setting = instant
        guard instant < pending else { return false }
        pending = instant
        return true
    }

    /// Sets the alarm for an instant that needs no event yet, because the caller will set the alarm again before it.
    @inlinable
    public mutating func note(_ instant: Instant) {
        setting = instant
    }

    /// Cancels the alarm.
    @inlinable
    public mutating func callOff() {
        setting = .never
    }

    /// Returns the meaning of an event that has come up.
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
