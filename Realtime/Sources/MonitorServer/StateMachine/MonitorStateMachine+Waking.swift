import FreshnessCore
import HeapModule
import LiveActivityModel
import Quantities
import Wire

/// The passage of time: scans, deadlines, and actions of the stations.
extension MonitorStateMachine {
    /// Does all due work; instants never decrease from call to call.
    mutating func advance(to now: Instant) {
        advanceSender(to: now)
        if let scans = rules.scans, now >= nextScan {
            scan(at: now)
            nextScan = scans.firstScan(notBefore: now + TimeSpan(microseconds: 1))
        }
        while let deadline = deadlines.min, deadline.due <= now {
            deadlines.removeMin()
            // An entry that is not the instance's latest was replaced by an earlier deadline.
            guard instances[deadline.row].wakeAt == deadline.due else { continue }
            instances[deadline.row].wakeAt = .never
            look(deadline.row, at: now)
        }
        if now >= nextSweep.at { sweep(at: now) }
    }

    /// Scans all instances and wakes those whose class has changed.
    private mutating func scan(at now: Instant) {
        var lapsed: [Int] = []
        classes = table.scan(at: now) { row, _, new in
            if new != .fresh { lapsed.append(row) }
        }
        counts.scans += 1
        for row in lapsed { look(row, at: now) }
    }

    /// Counts classes now, for a monitor that does not scan.
    mutating func countClasses(at now: Instant) {
        guard rules.scans == nil else { return }
        classes = table.scan(at: now)
    }

    /// Does the due work of an instance, one push at a time, and schedules the next wake-up.
    mutating func look(_ row: Int, at now: Instant) {
        if instances[row].station.monitor.isDue(at: now, rules) { while actOnce(row, at: now) {} }
        settle(row, at: now)
    }

    /// Schedules the next wake-up of an instance that has changed.
    mutating func settle(_ row: Int, at now: Instant) {
        mirror(row, at: now)
        let due = instances[row].station.monitor.nextCheck(at: now, rules)
        guard due != .never else { return }
        // The table's next scan finds a lapse, but only as a change from the last scan.
        if rules.scans != nil, instances[row].station.monitor.isFoundByScan,
            table.classAtLastScan(row) ?? .fresh == .fresh
        {
            return
        }
        remember(row, at: due)
    }

    /// Performs one action of the station; returns `true` if another may follow before the next instance.
    private mutating func actOnce(_ row: Int, at now: Instant) -> Bool {
        let draw = pauseDraw(row)
        let action = instances[row].station.act(at: now, rules, budget: &budget, draw: draw)
        switch action {
        case .nothing:
            break
        case .becameRecoverable:
            counts.episodes += 1
        case .retry(let priority):
            if let retry = instances[row].station.retry(priority, at: now) {
                send(retry, to: row, at: now)
            } else {
                counts.retriesWithoutContent += 1
            }
        case .withholdRetry:
            counts.retriesWithheld += 1
        case .becameSevere(let mustRecord):
            counts.endedSevere += 1
            if mustRecord { actions.changes.append(.end(instances[row].id, .severe, dismissalDate: nil, at: now)) }
        case .sendEnd:
            sendEnd(row, at: now)
        }
        return action.continues
    }

    // MARK: - Pushes

    mutating func sendUpdate(_ row: Int, at now: Instant) {
        guard let update = instances[row].station.update() else { return }
        MonitorStation.updateSent(earning: &budget, at: now)
        send(update, to: row, at: now)
    }
}
