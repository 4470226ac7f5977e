import FreshnessCore
import Quantities
import SimulationKernel

/// The next event of one activity, among its timers and, if given, the response and delivery of a push in flight.
///
/// The candidates are considered in the order of one instant: by ``EventKind/priority``, then by ``EventKind/place``, as
/// in ``TiedEvents``. Of several at one instant the first is taken.
struct Agenda: Equatable {
    /// When the event is due; `never` if there is none.
    private(set) var at = Instant.never
    /// The kind of the event; meaningless if there is none.
    private(set) var kind = EventKind.arrival

    @inline(__always)
    init(of activity: Handle<Activity>, _ push: Handle<Push>? = nil) {
        if let push, push.responseKind == .response { consider(push.responseDue, .response) }
        if activity.registration != .idle { consider(activity.registrationAlarm.due, .registration) }
        consider(activity.rotationAlarm.due, .rotation)
        if let push { consider(push.deliveryDue, .delivery) }
        if let push, push.responseKind == .silence { consider(push.responseDue, .silence) }
        consider(activity.movesOnAt, .ride)
        consider(activity.refreshAlarm.due, .refresh)
        consider(activity.deviceReminder.next, .device)
        consider(activity.monitorReminder.next, .monitor)
    }

    @inline(__always)
    private mutating func consider(_ instant: Instant, _ kind: EventKind) {
        // Two selections without a branch, which could not be predicted.
        let isSooner = instant < at
        at = isSooner ? instant : at
        self.kind = isSooner ? kind : self.kind
    }
}
