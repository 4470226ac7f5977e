import FreshnessCore
import Quantities
import SimulationKernel

@testable import LiveActivityModel

/// A cell whose host has no optimizations: slow, simple, and the oracle for the optimizations of the cell.
///
/// ```
///                      the cell on its own                   this host
///  the monitor's       when the deadline last known comes    after every event of an activity one is set for
///  timer               up; then for the current deadline     the current deadline; no earlier one is reused
///  scans               at deadlines rounded up to scans      every instance at every scan
///  the phone's timer   like the monitor's, at least hourly   like the monitor's
///  its connection      when a push or the app asks           at every change
///  times and ages      when a class or a stage changes       before every event of an activity
/// ```
///
/// The cell keeps its own timers, and the host's checks come last at their instant. They find nothing left to do,
/// unless one of the cell's timers is missing: then the host acts at the right time, and the histories differ. The
/// host's checks are not recorded, because an event without any effect is not part of the history.
///
/// Neither avoids the refreshes of rides without a screen: each is a recorded event of the ride and an occasion with a
/// number, which keys the draws of later content.
///
/// A lapse that no scan has found yet is counted in the window of the time series in which it is found. The host
/// therefore does nothing and accounts for nothing while it lasts, because an earlier account would find it.
struct PlainCell: ~Copyable {
    var cell: CellSimulation
    /// The number of events and checks that came up.
    private(set) var steps = 0
    private var agenda = Agenda()
    /// Changes of connections come before everything else at their instant.
    private var connections = Agenda()
    /// The instant up to which the connection of each activity has been simulated, by its slot.
    private var followed: [UInt32: Instant] = [:]

    /// The due checks, in the order of instants and then of scheduling.
    private struct Agenda {
        struct Entry {
            let at: Instant
            /// The slot of an activity; nil for a scan of all.
            let activity: UInt32?
        }

        /// In descending order.
        private var entries: [Entry] = []

        var first: Instant { entries.last?.at ?? .never }

        mutating func appoint(_ activity: UInt32?, at instant: Instant) {
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].at > instant { low = middle + 1 } else { high = middle }
            }
            entries.insert(Entry(at: instant, activity: activity), at: low)
        }

        mutating func takeFirst() -> Entry? { entries.popLast() }
    }

    init(world: World, cell number: Int, replication: UInt32, watch: Watch) {
        cell = CellSimulation(world: world, cell: number, replication: replication, watch: watch)
        scheduleScan(notBefore: .start)
    }

    /// Runs it to the end.
    mutating func run() {
        while step() { steps += 1 }
        cell.finish()
    }

    private mutating func step() -> Bool {
        let last = cell.feed.runnableThrough
        let (look, connection) = (agenda.first, connections.first)
        let beforeConnection = connection == .never ? .never : Instant(microseconds: connection.microseconds - 1)
        if let event = cell.nextEvent(through: min(look, beforeConnection, last)) {
            perform(event)
        } else if connection <= min(look, last), let change = connections.takeFirst() {
            cell.loop.advance(to: change.at)
            if let number = change.activity { followConnection(of: number) }
        } else if look <= last, let due = agenda.takeFirst() {
            cell.loop.advance(to: due.at)
            if let number = due.activity { lookAt(number) } else { scan() }
        } else {
            return false
        }
        return true
    }

    /// Performs an event, accounts for everything before it, and schedules all checks after it.
    private mutating func perform(_ event: EventWord) {
        guard let number = activity(concernedBy: event) else {
            let watched = EventKind(event) == .scan ? cell.watchList : []
            for number in watched { account(of: number) }
            cell.perform(event)
            for number in watched { scheduleChecks(at: number) }
            return
        }
        account(of: number)
        cell.perform(event)
        scheduleChecks(at: number)
        followConnection(of: number)
    }

    /// The slot of the activity that an event concerns.
    ///
    /// A push may outlive its activity, and an event its push. Then this is another activity, or one that is over; that
    /// does no harm.
    private func activity(concernedBy event: EventWord) -> UInt32? {
        let kind = EventKind(event)
        if kind.concernsActivity { return event.subject }
        if kind.concernsPush { return cell.pushes[event.subject].activity }
        return nil
    }

    // MARK: - Times

    /// Accounts for the time up to now, whether or not anything is about to change.
    private mutating func account(of number: UInt32) {
        let activity = cell.activities[number]
        guard activity.isInUse else { return }
        cell.enterCohort(of: activity)
        if activity.instance?.freshUntil ?? .never >= cell.now {
            cell.account(activity)
        }
        if activity.phone.phase == .live {
            cell.measureAge(activity)
        }
    }

    // MARK: - Checks

    /// Schedules checks of an activity for the next actions of the phone and the monitor, in the current state.
    private mutating func scheduleChecks(at number: UInt32) {
        let activity = cell.activities[number]
        guard activity.isInUse else { return }
        cell.enterCohort(of: activity)
        if activity.phone.phase == .live {
            scheduleCheck(at: number, for: cell.deviceDeadline(activity).at)
        }
        if activity.instance == nil {
            scheduleCheck(at: number, for: activity.resendDue)
        } else if !awaitsScanAfterRide(activity) {
            let due = activity.monitor.nextCheck(at: cell.now, cell.own.monitor)
            let resumed = FaultTimeline.firstUncovered(by: cell.world.faults.monitorPaused, notBefore: due)
            scheduleCheck(
                at: number,
                for: resumed == due ? due : activity.monitor.look(notBefore: resumed, cell.own.monitor)
            )
        }
    }

    /// `true` if the ride of a severe instance is over, but the monitor does not react before the scan that it waits
    /// for.
    ///
    /// This is the only deadline that depends on the monitor's knowledge when it was set, so only its timer has it.
    /// Computed now, no scan would be needed.
    private func awaitsScanAfterRide(_ activity: Handle<Activity>) -> Bool {
        cell.own.monitor.scans != nil && activity.isRideOver
            && activity.instance?.classification(at: cell.now) == .severe
    }

    private mutating func scheduleCheck(at number: UInt32, for instant: Instant) {
        guard instant <= cell.world.horizon else { return }
        agenda.appoint(number, at: max(instant, cell.now))
    }

    /// Performs the due actions of the phone and the monitor for an activity; none if all timers came in time.
    private mutating func lookAt(_ number: UInt32) {
        let activity = cell.activities[number]
        guard activity.isInUse else { return }
        cell.enterCohort(of: activity)
        cell.checkDevice(activity)
        if activity.instance == nil ? activity.resendDue == cell.now : !awaitsScanAfterRide(activity) {
            cell.checkMonitor(activity)
        }
    }

    /// Lets the monitor check every instance that it watches.
    private mutating func scan() {
        for number in 0..<cell.activities.count where cell.activities[number].isInUse {
            let activity = cell.activities[number]
            cell.enterCohort(of: activity)
            if activity.instance != nil, !activity.isRideOver {
                cell.checkMonitor(activity)
            }
        }
        scheduleScan(notBefore: cell.now + TimeSpan(microseconds: 1))
    }

    private mutating func scheduleScan(notBefore instant: Instant) {
        guard cell.world.all.contains(where: \.scenario.monitor.enabled), let scans = cell.world.monitor.scans else {
            return
        }
        let next = scans.firstScan(notBefore: instant)
        if next <= cell.world.horizon { agenda.appoint(nil, at: next) }
    }

    // MARK: - Connections

    /// Advances a phone to the next interval of its connection.
    private mutating func followConnection(of number: UInt32) {
        let activity = cell.activities[number]
        guard activity.isInUse else { return }
        while activity.connectivity.until <= cell.now {
            activity.connectivity = cell.nextConnectivity(activity.connectivity, activity)
        }
        let until = activity.connectivity.until
        guard until <= cell.world.horizon, followed[number] != until else { return }
        followed[number] = until
        connections.appoint(number, at: until)
    }
}
