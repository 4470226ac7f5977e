import FreshnessCore
import Quantities
import SimulationKernel

/// The straightforward way of evaluation, by which tests judge the lazy one; see ``Evaluation``.
extension CellSimulation {
    /// Does what an event stands for, accounts for all before it, and appoints all looks after it.
    @inline(never)
    mutating func performStraightforwardly(_ event: EventWord) {
        guard let activity = concerned(by: event) else {
            perform(event)
            return
        }
        keepBooks(of: activity)
        perform(event)
        appointLooks(at: activity)
    }

    /// The activity that an event is about.
    ///
    /// A push may outlive its activity and an event its push. Then this is another activity, or one that is over; it comes
    /// to no harm.
    private func concerned(by event: EventWord) -> Place<Activity>? {
        let kind = EventKind(event)
        if kind.concernsActivity { return activities[event.subject] }
        if kind.concernsPush { return activities[pushes[event.subject].activity] }
        return nil
    }

    // MARK: - Times

    /// Accounts for the time up to now, whether or not anything is about to change.
    private mutating func keepBooks(of activity: Place<Activity>) {
        guard activity.isInUse else { return }
        if activity.instance?.freshUntil ?? .never >= loop.now {
            account(activity)
        }
        if activity.phone.phase == .live {
            measureAge(activity)
        }
    }

    // MARK: - Looks

    /// Appoints looks at an activity for when the phone and the monitor have something to do, as things are now.
    private mutating func appointLooks(at activity: Place<Activity>) {
        guard activity.isInUse else { return }
        if activity.phone.phase == .live {
            appointLook(at: activity, for: deviceDeadline(activity).at)
        }
        if activity.instance == nil {
            appointLook(at: activity, for: activity.resendDue)
        } else if !awaitsScanAfterRide(activity) {
            let due = activity.monitor.nextLook(at: loop.now, world.monitor)
            let resumed = FaultTimeline.firstUncovered(by: world.faults.monitorPaused, notBefore: due)
            appointLook(
                at: activity,
                for: resumed == due ? due : activity.monitor.look(notBefore: resumed, world.monitor)
            )
        }
    }

    /// Whether a severe instance's ride is over, of which the monitor takes no notice before the scan that it waits for.
    ///
    /// The one deadline that depends on what the monitor knew when it set it, and so the one that only its reminder tells:
    /// were it worked out now, no scan would have to come.
    private func awaitsScanAfterRide(_ activity: Place<Activity>) -> Bool {
        world.monitor.scans != nil && activity.isRideOver && activity.instance?.classification(at: loop.now) == .severe
    }

    private mutating func appointLook(at activity: Place<Activity>, for instant: Instant) {
        schedule(.look, subject: activity.number, at: max(instant, loop.now), priority: .lastLook)
    }

    /// Does what phone and monitor have to do about an activity; nothing, if all reminders came in time.
    mutating func lookAgain(_ activity: Place<Activity>) {
        guard activity.isInUse else { return }
        deviceLooks(activity)
        if activity.instance == nil ? activity.resendDue == loop.now : !awaitsScanAfterRide(activity) {
            monitorLooks(activity)
        }
    }

    /// The monitor looks at every instance that it watches.
    mutating func scan() {
        for number in 0..<activities.count where activities[number].isInUse {
            let activity = activities[number]
            if activity.instance != nil, !activity.isRideOver {
                monitorLooks(activity)
            }
        }
        scheduleNextScan(notBefore: loop.now + TimeSpan(microseconds: 1))
    }

    mutating func scheduleNextScan(notBefore instant: Instant) {
        guard rules.isMonitored, let scans = world.monitor.scans else { return }
        schedule(.scan, subject: 0, at: scans.firstScan(notBefore: instant), priority: .lastLook)
    }

    // MARK: - The connection

    /// Goes with a phone from one stretch of its connection to the next.
    mutating func followConnection(_ activity: Place<Activity>) {
        while activity.connectivity.until <= loop.now {
            activity.connectivity = nextStretch(activity.connectivity, activity)
        }
        schedule(.connection, subject: activity.number, at: activity.connectivity.until, priority: .fault)
    }

    mutating func connectionChanged(_ activity: Place<Activity>) {
        // Else it was the phone of an activity that had the place before.
        guard activity.isInUse, activity.connectivity.until == loop.now else { return }
        followConnection(activity)
    }
}
