import Quantities
import SimulationKernel

/// The appointments of an activity.
struct Alarms {
    private var ride = Alarm()
    private var refresh = Alarm()
    private var registration = Alarm()
    private var rotation = Alarm()
    private var device = Alarm()
    private var monitor = Alarm()

    /// What an alarm is for.
    enum Purpose {
        /// The end of a stage, or the rider's giving up.
        case ride
        /// The next ETA refresh.
        case refresh
        /// A start, a token or a report from the phone to the server; see ``Activity/Registration``.
        case registration
        /// The next change of the update token.
        case rotation
        /// The phone's own end of the activity.
        case device
        /// The monitor's deadline; before there is an instance, the server's time to send a start again.
        case monitor
    }

    subscript(purpose: Purpose) -> Alarm {
        get {
            switch purpose {
            case .ride: ride
            case .refresh: refresh
            case .registration: registration
            case .rotation: rotation
            case .device: device
            case .monitor: monitor
            }
        }
        set {
            switch purpose {
            case .ride: ride = newValue
            case .refresh: refresh = newValue
            case .registration: registration = newValue
            case .rotation: rotation = newValue
            case .device: device = newValue
            case .monitor: monitor = newValue
            }
        }
    }
}

extension Alarms.Purpose {
    fileprivate var event: (kind: EventKind, priority: EventPriority) {
        switch self {
        case .ride: (.ride, .update)
        case .refresh: (.refresh, .update)
        case .registration: (.registration, .delivery)
        case .rotation: (.rotation, .delivery)
        case .device: (.device, .device)
        case .monitor: (.monitor, .monitor)
        }
    }
}

/// Keeping appointments.
extension CellSimulation {
    /// Sets an alarm of an activity, whether it was set before or not.
    @inline(__always)
    mutating func setAlarm(_ purpose: Alarms.Purpose, of slot: UInt32, for instant: Instant) {
        if activities[Int(slot)].alarms[purpose].set(for: instant) {
            let event = purpose.event
            schedule(event.kind, subject: slot, at: instant, priority: event.priority)
        }
    }

    /// Calls an appointment off.
    @inline(__always)
    mutating func callOffAlarm(_ purpose: Alarms.Purpose, of slot: UInt32) {
        activities[Int(slot)].alarms[purpose].callOff()
    }

    /// Whether an event is the appointment it stands for; one that has come too early is scheduled again.
    @inline(__always)
    mutating func rings(_ purpose: Alarms.Purpose, of slot: UInt32) -> Bool {
        switch activities[Int(slot)].alarms[purpose].ring(at: loop.now) {
        case .rings:
            return true
        case .early(let due):
            let event = purpose.event
            schedule(event.kind, subject: slot, at: due, priority: event.priority)
            return false
        case .off:
            return false
        }
    }
}
