import FreshnessCore
import HeapModule
import LiveActivityModel
import Quantities
import Wire

/// Time passes: scans, deadlines, and what the stations want done.
extension MonitorBrain {
    /// Does all that is due; instants never fall from call to call.
    mutating func advance(to now: Instant) {
        if let scans = rules.scans, now >= nextScan {
            scan(at: now)
            nextScan = scans.firstScan(notBefore: now + TimeSpan(microseconds: 1))
        }
        while let deadline = deadlines.min, deadline.due <= now {
            deadlines.removeMin()
            // An entry that is not the instance's last one was replaced by an earlier one.
            guard instances[deadline.row].appointment == deadline.due else { continue }
            instances[deadline.row].appointment = .never
            look(deadline.row, at: now)
        }
        if now >= nextSweep.at { sweep(at: now) }
    }

    /// Looks at all instances and wakes those whose class has changed.
    private mutating func scan(at now: Instant) {
        var lapsed: [Int] = []
        classes = table.scan(at: now) { row, _, new in
            if new != .fresh { lapsed.append(row) }
        }
        counts.scans += 1
        for row in lapsed { look(row, at: now) }
    }

    /// Counts classes now; for a monitor that does not scan.
    mutating func countClasses(at now: Instant) {
        guard rules.scans == nil else { return }
        classes = table.scan(at: now)
    }

    /// Does what is due for an instance, one push at a time, and makes the next appointment.
    mutating func look(_ row: Int, at now: Instant) {
        if instances[row].station.isDue(at: now, rules) { while actOnce(row, at: now) {} }
        settle(row, at: now)
    }

    /// Makes the next appointment for an instance about which something has changed.
    mutating func settle(_ row: Int, at now: Instant) {
        mirror(row, at: now)
        let due = instances[row].station.nextLook(at: now, rules)
        guard due != .never else { return }
        // The table's next scan finds a lapse, but only as a change from what the last one saw.
        let isLapse = instances[row].station.freshness?.freshUntil != nil
        if rules.scans != nil, isLapse, !instances[row].station.isRideOver,
            table.classAtLastScan(row) ?? .fresh == .fresh
        {
            return
        }
        remember(row, at: due)
    }

    /// Performs one action of the station; returns whether another may follow before others get their turn.
    private mutating func actOnce(_ row: Int, at now: Instant) -> Bool {
        let draw = pauseDraw(row)
        let action = instances[row].station.act(at: now, rules, budget: &budget, draw: draw)
        switch action {
        case .nothing:
            break
        case .becameRecoverable:
            counts.episodes += 1
        case .retry(let priority):
            sendRetry(row, priority: priority, at: now)
        case .withholdRetry:
            counts.retriesWithheld += 1
        case .becameSevere(let mustRecord):
            counts.endedSevere += 1
            if mustRecord { actions.changes.append(.end(instances[row].id, .severe, at: now)) }
        case .sendEnd:
            sendEnd(row, at: now)
        }
        return action.continues
    }

    // MARK: - Pushes

    mutating func sendUpdate(_ row: Int, at now: Instant) {
        guard let announced = instances[row].announced, instances[row].token != nil else { return }
        budget?.earn(at: now)
        let payload = ActivityPayload(
            timestamp: Double(timestamp(row, of: announced.stamp.generatedAt)),
            event: "update",
            staleDate: ActivityPayload.date(announced.stamp.staleDate),
            contentState: announced.state
        )
        send(.update, to: row, priority: announced.priority, content: announced.stamp, payload: payload.bytes)
    }

    /// The newest content once more, good for longer if its owner allows that.
    private mutating func sendRetry(_ row: Int, priority: PushPriority, at now: Instant) {
        guard let announced = instances[row].announced else {
            counts.retriesWithoutContent += 1
            return
        }
        var stamp = announced.stamp
        if let renewal = announced.renewal { stamp = ContentStamp(generatedAt: now, staleDate: now + renewal) }
        let payload = ActivityPayload(
            timestamp: Double(timestamp(row, of: now)),
            event: "update",
            staleDate: ActivityPayload.date(stamp.staleDate),
            contentState: announced.state
        )
        send(.retry, to: row, priority: priority, content: stamp, payload: payload.bytes)
    }

    private mutating func sendEnd(_ row: Int, at now: Instant) {
        let payload = ActivityPayload(
            timestamp: Double(timestamp(row, of: now)),
            event: "end",
            dismissalDate: instances[row].dismissalDate.map { Double($0) },
            contentState: instances[row].announced?.state
        )
        let stamp = instances[row].announced?.stamp ?? ContentStamp(generatedAt: now, staleDate: .never)
        send(.end, to: row, priority: .immediate, content: stamp, payload: payload.bytes)
    }

    /// A payload's timestamp: that of its moment, but above that of the payload before, or the phone would not show it.
    private mutating func timestamp(_ row: Int, of moment: Instant) -> Int64 {
        let timestamp = max(moment.microseconds / 1_000_000, instances[row].lastTimestamp + 1)
        instances[row].lastTimestamp = timestamp
        return timestamp
    }
}
