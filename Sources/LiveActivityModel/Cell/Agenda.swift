import FreshnessCore
import Quantities
import SimulationKernel

/// The next event of one activity, among its timers and, once added, the responses and deliveries of its pushes in flight.
///
/// Of several events at one instant the first is taken by ``EventKind/priority``, then by ``EventKind/place``, as in
/// ``TiedEvents``.
struct Agenda: Equatable {
    /// The instant [µs] in the upper bits, the position in ``kind`` in the next four, the push in the lowest.
    private var first = Int64.max

    /// When the next event is due; far beyond every run if there is none.
    @inline(__always)
    var at: Instant { Instant(microseconds: first &>> 5) }

    /// `true` if there is no event.
    @inline(__always)
    var isEmpty: Bool { first &>> 5 >= Self.latest }

    /// `true` if the event concerns the second push in flight.
    @inline(__always)
    var isOfSecond: Bool { first & 1 != 0 }

    /// The kind of the next event.
    @inline(__always)
    var kind: EventKind { Self.kind(at: first &>> 1 & 15) }

    /// The kind at a position in the order of one instant.
    @inline(__always)
    static func kind(at position: Int64) -> EventKind {
        switch position {
        case 0: .response
        case 1: .registration
        case 2: .rotation
        case 3: .delivery
        case 4: .silence
        case 5: .ride
        case 6: .refresh
        case 7: .device
        default: .monitor
        }
    }

    /// An instant that no run reaches.
    private static var latest: Int64 { 1 << 57 }

    @inline(__always)
    private mutating func consider(_ instant: Instant, _ position: Int64, _ push: Int64 = 0) {
        first = min(first, min(instant.microseconds, Self.latest) &<< 5 | position &<< 1 | push)
    }

    /// The agenda of an activity without its pushes in flight.
    @inline(__always)
    init(of activity: Handle<Activity>) {
        if activity.registration != .idle { consider(activity.registrationAlarm.due, 1) }
        consider(activity.rotationAlarm.due, 2)
        consider(activity.movesOnAt, 5)
        consider(activity.refreshAlarm.due, 6)
        consider(activity.deviceReminder.next, 7)
        consider(activity.monitorReminder.next, 8)
    }

    /// Adds the events of a push in flight.
    @inline(__always)
    mutating func add(_ push: Handle<Push>, isSecond: Bool) {
        let number: Int64 = isSecond ? 1 : 0
        consider(push.responseDue, push.response.isAnswer ? 0 : 4, number)
        consider(push.deliveryDue, 3, number)
    }
}

/// The pushes of one activity that speculation follows: in flight, without events in the list.
struct Flights {
    private static var none: UInt32 { .max }
    private(set) var first = Self.none
    private(set) var second = Self.none

    /// `true` if there is none.
    @inline(__always)
    var isEmpty: Bool { first == Self.none }

    /// `true` if there are two.
    @inline(__always)
    var isFull: Bool { second != Self.none }

    @inline(__always)
    func contains(_ push: UInt32) -> Bool { first == push || second == push }

    /// Adds a push after the other one, or before it.
    @inline(__always)
    mutating func add(_ push: UInt32, isFirst: Bool) {
        if isFirst { (first, second) = (push, first) } else { second = push }
    }

    /// Removes a push.
    @inline(__always)
    mutating func remove(_ push: UInt32) {
        if first == push { first = second }
        second = Self.none
    }
}
