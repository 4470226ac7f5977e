import FreshnessCore
import Quantities
import SimulationKernel

/// The next event of one activity, among its timers and, if given, the responses and deliveries of two pushes in flight.
///
/// The candidates are considered in the order of one instant: by ``EventKind/priority``, then by ``EventKind/place``, as
/// in ``TiedEvents``. Of several at one instant the first is taken.
struct Agenda: Equatable {
    /// When the event is due; `never` if there is none.
    private(set) var at = Instant.never
    /// The kind of the event, plus a bit if it concerns the second push.
    private var code: UInt8 = 0

    private static var secondPush: UInt8 { 0x80 }

    /// The kind of the event; meaningless if there is none.
    @inline(__always)
    var kind: EventKind { unsafeBitCast(code & ~Self.secondPush, to: EventKind.self) }

    /// `true` if the event concerns the second push.
    @inline(__always)
    var isOfSecond: Bool { code & Self.secondPush != 0 }

    @inline(__always)
    init(of activity: Handle<Activity>, _ first: Handle<Push>? = nil, _ second: Handle<Push>? = nil) {
        if let first, first.responseKind == .response { consider(first.responseDue, .response) }
        if let second, second.responseKind == .response { consider(second.responseDue, .response, ofSecond: true) }
        if activity.registration != .idle { consider(activity.registrationAlarm.due, .registration) }
        consider(activity.rotationAlarm.due, .rotation)
        if let first { consider(first.deliveryDue, .delivery) }
        if let second { consider(second.deliveryDue, .delivery, ofSecond: true) }
        if let first, first.responseKind == .silence { consider(first.responseDue, .silence) }
        if let second, second.responseKind == .silence { consider(second.responseDue, .silence, ofSecond: true) }
        consider(activity.movesOnAt, .ride)
        consider(activity.refreshAlarm.due, .refresh)
        consider(activity.deviceReminder.next, .device)
        consider(activity.monitorReminder.next, .monitor)
    }

    @inline(__always)
    private mutating func consider(_ instant: Instant, _ kind: EventKind, ofSecond isOfSecond: Bool = false) {
        // Two selections without a branch, which could not be predicted.
        let isSooner = instant < at
        at = isSooner ? instant : at
        code = isSooner ? kind.rawValue | (isOfSecond ? Self.secondPush : 0) : code
    }
}
