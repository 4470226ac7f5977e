import FreshnessCore
import Quantities
import SimulationKernel

@testable import LiveActivityModel

/// A cell whose host avoids nothing: slow, plain, and the oracle of what the cell avoids by itself.
///
/// ```
///                      the cell by itself                    this host
///  the monitor's look  when the deadline last known comes    after every event of an activity, one is appointed at the
///                      up; then at the one that it finds     deadline as it is then; nothing that stands is spared
///  scans               at deadlines rounded up to scans      really every instance at every scan
///  the phone's look    as the monitor's, hourly at least     as the monitor's
///  its connection      when a push or the app asks           at every change
///  times and ages      where a class or a stage changes      before every event of an activity
/// ```
///
/// The cell keeps its reminders, and the host's looks come last in their instant. They find nothing left to do, unless a
/// reminder is missing: then they act when it was time to act, and the histories part. Nothing of the host's is recorded: an
/// event without any meaning is no part of the history.
///
/// Refreshes of rides without a screen are not avoided by either: each is a recorded event of the ride and an occasion with
/// a number, by which later content is drawn.
///
/// A lapse that no scan has found yet is counted in the window of the time series in which it is found. So the host leaves
/// it alone and accounts for nothing while it lasts, as an early account would find it.
struct PlainCell: ~Copyable {
    var cell: CellSimulation
    /// How many events and looks came up.
    private(set) var steps = 0
    private var agenda = Agenda()
    /// Changes of connections come before all else of their instant.
    private var connections = Agenda()
    /// Up to when the connection of each activity has been followed, by its place.
    private var followed: [UInt32: Instant] = [:]

    /// What is due, in the order of instants and then of appointment.
    private struct Agenda {
        struct Entry {
            let at: Instant
            /// An activity's place; nil for a scan of all.
            let activity: UInt32?
        }

        /// The latest first.
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
        appointScan(notBefore: .start)
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

    /// Does what an event stands for, accounts for all before it, and appoints all looks after it.
    private mutating func perform(_ event: EventWord) {
        guard let number = activity(concernedBy: event) else {
            let watched = EventKind(event) == .scan ? cell.watchList : []
            for number in watched { keepBooks(of: number) }
            cell.perform(event)
            for number in watched { appointLooks(at: number) }
            return
        }
        keepBooks(of: number)
        cell.perform(event)
        appointLooks(at: number)
        followConnection(of: number)
    }

    /// The place of the activity that an event is about.
    ///
    /// A push may outlive its activity and an event its push. Then this is another activity, or one that is over; it comes
    /// to no harm.
    private func activity(concernedBy event: EventWord) -> UInt32? {
        let kind = EventKind(event)
        if kind.concernsActivity { return event.subject }
        if kind.concernsPush { return cell.pushes[event.subject].activity }
        return nil
    }

    // MARK: - Times

    /// Accounts for the time up to now, whether or not anything is about to change.
    private mutating func keepBooks(of number: UInt32) {
        let activity = cell.activities[number]
        guard activity.isInUse else { return }
        if activity.instance?.freshUntil ?? .never >= cell.now {
            cell.account(activity)
        }
        if activity.phone.phase == .live {
            cell.measureAge(activity)
        }
    }

    // MARK: - Looks

    /// Appoints looks at an activity for when the phone and the monitor have something to do, as things are now.
    private mutating func appointLooks(at number: UInt32) {
        let activity = cell.activities[number]
        guard activity.isInUse else { return }
        if activity.phone.phase == .live {
            appointLook(at: number, for: cell.deviceDeadline(activity).at)
        }
        if activity.instance == nil {
            appointLook(at: number, for: activity.resendDue)
        } else if !awaitsScanAfterRide(activity) {
            let due = activity.monitor.nextLook(at: cell.now, cell.world.monitor)
            let resumed = FaultTimeline.firstUncovered(by: cell.world.faults.monitorPaused, notBefore: due)
            appointLook(
                at: number,
                for: resumed == due ? due : activity.monitor.look(notBefore: resumed, cell.world.monitor)
            )
        }
    }

    /// Whether a severe instance's ride is over, of which the monitor takes no notice before the scan that it waits for.
    ///
    /// The one deadline that depends on what the monitor knew when it set it, and so the one that only its reminder tells:
    /// were it worked out now, no scan would have to come.
    private func awaitsScanAfterRide(_ activity: Handle<Activity>) -> Bool {
        cell.world.monitor.scans != nil && activity.isRideOver
            && activity.instance?.classification(at: cell.now) == .severe
    }

    private mutating func appointLook(at number: UInt32, for instant: Instant) {
        guard instant <= cell.world.horizon else { return }
        agenda.appoint(number, at: max(instant, cell.now))
    }

    /// Does what phone and monitor have to do about an activity; nothing, if all reminders came in time.
    private mutating func lookAt(_ number: UInt32) {
        let activity = cell.activities[number]
        guard activity.isInUse else { return }
        cell.deviceLooks(activity)
        if activity.instance == nil ? activity.resendDue == cell.now : !awaitsScanAfterRide(activity) {
            cell.monitorLooks(activity)
        }
    }

    /// The monitor looks at every instance that it watches.
    private mutating func scan() {
        for number in 0..<cell.activities.count where cell.activities[number].isInUse {
            let activity = cell.activities[number]
            if activity.instance != nil, !activity.isRideOver {
                cell.monitorLooks(activity)
            }
        }
        appointScan(notBefore: cell.now + TimeSpan(microseconds: 1))
    }

    private mutating func appointScan(notBefore instant: Instant) {
        guard cell.world.scenario.monitor.enabled, let scans = cell.world.monitor.scans else { return }
        let next = scans.firstScan(notBefore: instant)
        if next <= cell.world.horizon { agenda.appoint(nil, at: next) }
    }

    // MARK: - Connections

    /// Goes with a phone from one stretch of its connection to the next.
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
