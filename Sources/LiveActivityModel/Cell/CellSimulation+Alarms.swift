import Quantities
import SimulationKernel

/// Keeping appointments.
extension CellSimulation {
    // MARK: - Alarms

    @inline(__always)
    mutating func setRefresh(_ activity: Place<Activity>, for instant: Instant) {
        if activity.entity.pointee.refreshAlarm.set(for: instant) {
            schedule(.refresh, subject: activity.number, at: instant, priority: .update)
        }
    }

    mutating func setRegistration(_ activity: Place<Activity>, for instant: Instant) {
        if activity.entity.pointee.registrationAlarm.set(for: instant) {
            schedule(.registration, subject: activity.number, at: instant, priority: .delivery)
        }
    }

    mutating func setRotation(_ activity: Place<Activity>, for instant: Instant) {
        if activity.entity.pointee.rotationAlarm.set(for: instant) {
            schedule(.rotation, subject: activity.number, at: instant, priority: .delivery)
        }
    }

    mutating func refreshCameUp(_ activity: Place<Activity>) {
        switch activity.entity.pointee.refreshAlarm.ring(at: loop.now) {
        case .rings: refreshAlarmRang(activity)
        case .early(let due): schedule(.refresh, subject: activity.number, at: due, priority: .update)
        case .off: return
        }
    }

    mutating func registrationCameUp(_ activity: Place<Activity>) {
        switch activity.entity.pointee.registrationAlarm.ring(at: loop.now) {
        case .rings: registrationAlarmRang(activity)
        case .early(let due): schedule(.registration, subject: activity.number, at: due, priority: .delivery)
        case .off: return
        }
    }

    mutating func rotationCameUp(_ activity: Place<Activity>) {
        switch activity.entity.pointee.rotationAlarm.ring(at: loop.now) {
        case .rings: rotationAlarmRang(activity)
        case .early(let due): schedule(.rotation, subject: activity.number, at: due, priority: .delivery)
        case .off: return
        }
    }

    // MARK: - Reminders

    @inline(__always)
    mutating func remindDevice(_ activity: Place<Activity>, at instant: Instant) {
        if activity.entity.pointee.deviceReminder.remind(at: instant) {
            schedule(.device, subject: activity.number, at: instant, priority: .device)
        }
    }

    @inline(__always)
    mutating func remindMonitor(_ activity: Place<Activity>, at instant: Instant) {
        if activity.entity.pointee.monitorReminder.remind(at: instant) {
            schedule(.monitor, subject: activity.number, at: instant, priority: .monitor)
        }
    }

    mutating func deviceCameUp(_ activity: Place<Activity>) {
        guard activity.entity.pointee.deviceReminder.comesUp(at: loop.now) else { return }
        deviceLooks(activity)
    }

    mutating func monitorCameUp(_ activity: Place<Activity>) {
        guard activity.entity.pointee.monitorReminder.comesUp(at: loop.now) else { return }
        monitorLooks(activity)
    }
}
