import Quantities
import SimulationKernel

/// Keeping appointments.
extension CellSimulation {
    // MARK: - Alarms

    @inline(__always)
    mutating func setRefresh(_ activity: Handle<Activity>, for instant: Instant) {
        set(&activity.entity.pointee.refreshAlarm, of: activity, for: instant, .refresh, .update)
    }

    mutating func setRegistration(_ activity: Handle<Activity>, for instant: Instant) {
        set(&activity.entity.pointee.registrationAlarm, of: activity, for: instant, .registration, .delivery)
    }

    mutating func setRotation(_ activity: Handle<Activity>, for instant: Instant) {
        set(&activity.entity.pointee.rotationAlarm, of: activity, for: instant, .rotation, .delivery)
    }

    mutating func refreshCameUp(_ activity: Handle<Activity>) {
        if rings(&activity.entity.pointee.refreshAlarm, of: activity, .refresh, .update) {
            refreshAlarmRang(activity)
        }
    }

    mutating func registrationCameUp(_ activity: Handle<Activity>) {
        if rings(&activity.entity.pointee.registrationAlarm, of: activity, .registration, .delivery) {
            registrationAlarmRang(activity)
        }
    }

    mutating func rotationCameUp(_ activity: Handle<Activity>) {
        if rings(&activity.entity.pointee.rotationAlarm, of: activity, .rotation, .delivery) {
            rotationAlarmRang(activity)
        }
    }

    @inline(__always)
    private mutating func set(
        _ alarm: inout Alarm,
        of activity: Handle<Activity>,
        for instant: Instant,
        _ kind: EventKind,
        _ priority: EventPriority
    ) {
        if alarm.set(for: instant) {
            schedule(kind, subject: activity.number, at: instant, priority: priority)
        }
    }

    /// Whether an event is the appointment it stands for; one that has come too early is scheduled again.
    @inline(__always)
    private mutating func rings(
        _ alarm: inout Alarm,
        of activity: Handle<Activity>,
        _ kind: EventKind,
        _ priority: EventPriority
    ) -> Bool {
        switch alarm.ring(at: loop.now) {
        case .rings:
            return true
        case .early(let due):
            schedule(kind, subject: activity.number, at: due, priority: priority)
            return false
        case .off:
            return false
        }
    }

    // MARK: - Reminders

    @inline(__always)
    mutating func remindDevice(_ activity: Handle<Activity>, at instant: Instant) {
        if activity.entity.pointee.deviceReminder.remind(at: instant) {
            schedule(.device, subject: activity.number, at: instant, priority: .device)
        }
    }

    @inline(__always)
    mutating func remindMonitor(_ activity: Handle<Activity>, at instant: Instant) {
        if activity.entity.pointee.monitorReminder.remind(at: instant) {
            schedule(.monitor, subject: activity.number, at: instant, priority: .monitor)
        }
    }

    mutating func deviceCameUp(_ activity: Handle<Activity>) {
        guard activity.entity.pointee.deviceReminder.comesUp(at: loop.now) else { return }
        deviceLooks(activity)
    }

    mutating func monitorCameUp(_ activity: Handle<Activity>) {
        guard activity.entity.pointee.monitorReminder.comesUp(at: loop.now) else { return }
        monitorLooks(activity)
    }
}
