import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Wire

/// The state machine as host of the model's `SenderStation`: pushes on their way to a request, or dropped.
///
/// ```
///  send ─► joins a waiting one?
///            │ no
///            ▼
///          offered ─┬─► begin ─► the connections ─► answer ───► repeats: offered again
///            ▲      ├─► waits ─► in turn ─► begin          └──► reported to the stations
///            └──────┴── put off, if the queue was full
/// ```
///
/// The connections themselves know which of them exist; the station only counts their streams. Without any connection
/// the sender is paused. Content announced meanwhile waits, the newest of each instance, and is sent once APNs is back.
extension MonitorStateMachine {
    /// Sends an end, unless a waiting one has the same effect.
    ///
    /// In that case it takes no number, as in the simulator.
    mutating func sendEnd(_ row: Int, at now: Instant) {
        if let place = joinable(row), WaitingPush.isNeedless(.end, besides: sender[place].decision.kind) {
            joined(place, row)
        } else if let end = instances[row].station.end(at: now) {
            send(end, to: row, at: now)
        }
    }

    /// Gives a push to the sender.
    mutating func send(_ decision: RemoteMonitorStation.Push, to row: Int, at now: Instant) {
        let alert = decision.kind == .update ? takeAlert(row) : nil
        guard !joins(decision, alert, row) else { return }
        instances[row].heldCount += 1
        let held = HeldPush(
            row: row,
            decision: decision,
            alert: alert,
            payload: payload(decision, alert, row),
            passage: SenderPassage(offeredAt: now)
        )
        admit(sender.hold(held), at: now)
    }

    /// Merges a push with the waiting one of its instance, if the sender coalesces them.
    ///
    /// The waiting push keeps its alert unless the other has one, as in the simulator.
    private mutating func joins(_ decision: RemoteMonitorStation.Push, _ alert: PushAlert?, _ row: Int) -> Bool {
        guard let place = joinable(row), sender[place].decision.joined(by: decision) != .no else { return false }
        if let alert { sender[place].alert = alert }
        joined(place, row)
        return true
    }

    /// Returns the waiting push of an instance that another may join.
    private func joinable(_ row: Int) -> UInt32? {
        sender.rules.joins(whileConnected: sender.isConnected) ? instances[row].waitingPush.number : nil
    }

    private mutating func joined(_ place: UInt32, _ row: Int) {
        // Also for an end: its dismissal date may have arrived meanwhile.
        sender[place].payload = payload(sender[place].decision, sender[place].alert, row)
        counts.notSent[.coalesced, default: 0] += 1
    }

    // MARK: - Admission

    private mutating func admit(_ place: UInt32, at now: Instant) {
        let (offer, isWanted, isPaused) = (offer(place), addressed(place) != nil, !sender.isConnected)
        let admission = sender.move(place) {
            $0.offered(offer, &$1, isWanted: isWanted, isPaused: isPaused, at: now)
        }
        switch admission {
        case .begins:
            begin(place, at: now)
        case .interrupts, .replaces:
            preconditionFailure("the sender's rules have no preemption")
        case .waits:
            waits(place, at: now)
        case .displaces(let other):
            drop(other, .displaced)
            waits(place, at: now)
        case .full:
            putOff(place, at: now)
        case .rateLimited:
            drop(place, .rateLimited)
        case .unwanted:
            drop(place, .tokenGone)
        }
    }

    /// Returns the station's view of a push.
    func offer(_ place: UInt32) -> SenderStation.Offer {
        let push = sender[place]
        return SenderStation.Offer(
            push: place,
            rank: sender.rules.rank(of: push.decision.kind),
            activity: instances[push.row].id.entity,
            kind: push.decision.kind
        )
    }

    /// Returns a push as it would be sent now, with its token; `nil` if it is no longer needed.
    private func addressed(_ place: UInt32) -> (decision: RemoteMonitorStation.Push, token: PublishedToken)? {
        let push = sender[place]
        guard let token = instances[push.row].token,
            let decision = instances[push.row].station.addressed(push.decision)
        else { return nil }
        return (decision, token)
    }

    private mutating func waits(_ place: UInt32, at now: Instant) {
        instances[sender[place].row].waitingPush.waits(place)
        losePatienceInTime(place)
        beginWaiting(at: now)
    }

    /// Handles a full queue: the push returns later, or is dropped.
    private mutating func putOff(_ place: UInt32, at now: Instant) {
        let row = sender[place].row
        let trip = instances[row].requeueCount
        guard let absence = sender.rules.absence(ofRide: instances[row].id.entity, trip: trip) else {
            drop(place, .queueFull)
            return
        }
        instances[row].requeueCount += 1
        let returnsAt = sender.move(place) { $0.putOff(&$1, for: absence, at: now) }
        sender.set(.comesBack, of: place, at: returnsAt)
        losePatienceInTime(place)
    }

    /// Sets the end of a push's patience, once.
    private mutating func losePatienceInTime(_ place: UInt32) {
        let push = sender[place]
        let (rules, ride) = (sender.rules, instances[push.row].id.entity)
        let ends = sender[place].passage
            .setPatience(rules.patience(ofRide: ride, drawIndex: push.decision.requestIndex))
        if let ends { sender.set(.patience, of: place, at: ends) }
    }

    /// Drops a push.
    private mutating func drop(_ place: UInt32, _ reason: StoryLine.Unsent) {
        counts.notSent[reason, default: 0] += 1
        release(place)
    }

    /// Removes a push from the sender.
    mutating func release(_ place: UInt32) {
        let row = sender[place].row
        instances[row].waitingPush.left(place)
        instances[row].heldCount -= 1
        sender.release(place)
    }

    // MARK: - Requests

    /// Begins the request of a push.
    ///
    /// A stand-in draws the outcome of a push by the index in its id. The index is counted as in the model, by kind and
    /// per instance, so other instances do not change it. The suffix distinguishes ids of different pushes and
    /// processes.
    private mutating func begin(_ place: UInt32, at now: Instant) {
        // The station has just received `isWanted` as true.
        guard let (decision, token) = addressed(place) else { preconditionFailure("a push that is not needed begins") }
        let held = sender[place]
        instances[held.row].waitingPush.left(place)
        sender[place].decision = decision
        let offer = offer(place)
        _ = sender.move(place) { $0.begin(offer, &$1, at: now) }
        pushCount += 1
        let push = OutgoingPush(
            number: pushCount,
            requestID: RequestID(
                ride: instances[held.row].id.entity,
                drawIndex: decision.requestIndex,
                suffix: boot &+ UInt32(truncatingIfNeeded: pushCount)
            ),
            row: held.row,
            token: token,
            decision: decision,
            payload: held.payload
        )
        sender.began(push, in: place)
        instances[held.row].inFlight.append(push.number)
        if held.passage.attempt == 0 {
            counts.pushes[push.kind, default: 0] += 1
        } else {
            counts.repeated += 1
        }
        actions.pushes.append(push)
        log(push, attempt: held.passage.attempt, at: now)
    }

    /// Adds the row of a push to the event log, if one is kept.
    private mutating func log(_ push: OutgoingPush, attempt: UInt8, at now: Instant) {
        guard isLogged else { return }
        var event = ServerEvent(.push, at: now, ride: instances[push.row].id.entity)
        (event.push, event.pushKind) = (push.decision.requestIndex, push.kind)
        (event.priority, event.attempt) = (UInt8(push.decision.priority.rawValue), attempt)
        event.payloadBytes = UInt32(clamping: push.payload.count)
        if push.kind != .end {
            (event.generatedAt, event.staleDate) = (push.decision.content.generatedAt, push.decision.content.staleDate)
        }
        actions.rows.append(event)
    }

    /// Begins waiting requests while streams, and tokens of the rate limit, are available.
    mutating func beginWaiting(at now: Instant) {
        guard sender.isConnected else { return }
        while let place = sender.station.nextInLine {
            let (offer, isWanted) = (offer(place), addressed(place) != nil)
            switch sender.move(place, { $0.turn(of: offer, &$1, isWanted: isWanted, at: now) }) {
            case .unwanted:
                drop(place, .tokenGone)
            case .begins:
                begin(place, at: now)
            case .interrupts:
                preconditionFailure("the sender's rules have no preemption")
            case .awaitsToken(let wakeAt):
                if let wakeAt { sender.set(.token, at: wakeAt) }
                return
            }
        }
    }

    // MARK: - Connections and answers

    /// Records that a connection to APNs exists, or that none does.
    mutating func connected(_ isConnected: Bool, at now: Instant) {
        sender.isConnected = isConnected
        beginWaiting(at: now)
    }

    /// Handles a request that has no answer or was not processed by APNs, and repeats it if it is still wanted.
    mutating func unanswered(_ place: UInt32, isUnprocessed: Bool, at now: Instant) {
        let repetition = sender.station.unanswered(
            sender[place].passage,
            isUnprocessed: isUnprocessed,
            isWanted: addressed(place) != nil,
            at: now
        )
        if !isUnprocessed || repetition != .yes { counts.unanswered += 1 }
        switch repetition {
        case .no:
            release(place)
        case .withheld:
            counts.repeatsWithheld += 1
            release(place)
        case .yes:
            // The same bytes; otherwise it would be another push.
            sender[place].passage.repeats(at: now)
            sender[place].decision.repeated()
            admit(place, at: now)
        }
    }

    // MARK: - Time

    /// Runs the due timers of the sender.
    mutating func advanceSender(to now: Instant) {
        while let timer = sender.takeTimer(dueAt: now) {
            switch timer.event {
            case .token: tokenDue(timer, at: now)
            case .patience: patienceEnded(timer, at: now)
            case .comesBack: cameBack(timer, at: now)
            }
        }
    }

    private mutating func tokenDue(_ timer: MonitorSender.Timer, at now: Instant) {
        switch sender.station.tokenDue(at: timer.due) {
        case .rings: beginWaiting(at: now)
        case .early(let due): sender.set(.token, at: due)
        case .off: break
        }
    }

    private mutating func patienceEnded(_ timer: MonitorSender.Timer, at now: Instant) {
        // Another push may occupy its place; in that case the timer is obsolete.
        guard sender.push(in: timer.place) != nil else { return }
        let offer = offer(timer.place)
        guard sender.move(timer.place, { $0.patienceEnded(offer, &$1, timerSetFor: timer.due) }) else { return }
        drop(timer.place, .outOfPatience)
        // The next in line may need less than the one that has left.
        beginWaiting(at: now)
    }

    private mutating func cameBack(_ timer: MonitorSender.Timer, at now: Instant) {
        guard sender.push(in: timer.place) != nil,
            sender.move(timer.place, { $0.cameBack(&$1, timerSetFor: timer.due) })
        else { return }
        if addressed(timer.place) != nil { admit(timer.place, at: now) } else { drop(timer.place, .tokenGone) }
    }

    // MARK: - Payloads

    /// Returns the alert of an instance's content, once.
    private mutating func takeAlert(_ row: Int) -> PushAlert? {
        guard instances[row].isAlertDue else { return nil }
        instances[row].isAlertDue = false
        return instances[row].content?.alert
    }

    private func payload(_ decision: RemoteMonitorStation.Push, _ alert: PushAlert?, _ row: Int) -> [UInt8] {
        let content = instances[row].content
        var payload = ActivityPayload(
            timestamp: Double(decision.timestamp),
            event: decision.kind == .end ? .end : .update,
            contentState: content?.state
        )
        if decision.kind == .end {
            payload.dismissalDate = instances[row].dismissalDate.map { Double($0) }
        } else {
            payload.staleDate = ActivityPayload.date(decision.content.staleDate)
            payload.relevanceScore = content?.relevanceScore
            // Beside newer content than its own, it may not fit.
            let size = (content?.state.count ?? 0) + (alert?.byteCount ?? 0)
            payload.alert = size <= ActivityPayload.largestContent ? alert : nil
        }
        return payload.bytes
    }
}
