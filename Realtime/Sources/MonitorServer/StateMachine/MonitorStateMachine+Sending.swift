import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Wire

/// The state machine as host of the model's `SenderStation`: pushes on their way to a request, or to none.
///
/// ```
///  send ─► joins one that waits?
///            │ no
///            ▼
///          offered ─┬─► begin ─► the connections ─► answered ─► repeats: offered again
///            ▲      ├─► waits ─► in turn ─► begin          └──► the stations are told
///            └──────┴── away, where the queue was full
/// ```
///
/// Which connections there are, lost or not, they know themselves: the station counts their streams. While there is
/// none at all the sender is paused. What is announced meanwhile waits, the newest for each instance, and goes once
/// APNs is back.
extension MonitorStateMachine {
    /// Sends an end, unless one waits that does as well: then no number is taken for it, as in the simulator.
    mutating func sendEnd(_ row: Int, at now: Instant) {
        if let place = joinable(row), WaitingPush.isNeedless(.end, besides: sender[place].decision.kind) {
            joined(place, row)
        } else if let end = instances[row].station.end(at: now) {
            send(end, to: row, at: now)
        }
    }

    /// Gives a push to the sender.
    mutating func send(_ decision: RemoteMonitorStation.Push, to row: Int, at now: Instant) {
        guard !joins(decision, row) else { return }
        instances[row].heldCount += 1
        let held = HeldPush(
            row: row,
            decision: decision,
            payload: payload(decision, row),
            passage: SenderPassage(offeredAt: now)
        )
        admit(sender.hold(held), at: now)
    }

    /// Has a push join the one of its instance that waits, if the sender coalesces them.
    private mutating func joins(_ decision: RemoteMonitorStation.Push, _ row: Int) -> Bool {
        guard let place = joinable(row), sender[place].decision.joined(by: decision) != .no else { return false }
        joined(place, row)
        return true
    }

    /// The waiting push of an instance that another may join.
    private func joinable(_ row: Int) -> UInt32? {
        sender.rules.joins(whileConnected: sender.isConnected) ? instances[row].waitingPush.number : nil
    }

    private mutating func joined(_ place: UInt32, _ row: Int) {
        // An end, too: its dismissal date may have come meanwhile.
        sender[place].payload = payload(sender[place].decision, row)
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

    /// What the station sees of a push.
    func offer(_ place: UInt32) -> SenderStation.Offer {
        let push = sender[place]
        return SenderStation.Offer(
            push: place,
            rank: sender.rules.rank(of: push.decision.kind),
            activity: instances[push.row].id.entity,
            kind: push.decision.kind
        )
    }

    /// A push as it would be sent now, and to which token; nil where it is not wanted any more.
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

    /// The queue has no place: the push comes again later, or not at all.
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

    /// A push will not be sent.
    private mutating func drop(_ place: UInt32, _ reason: StoryLine.Unsent) {
        counts.notSent[reason, default: 0] += 1
        release(place)
    }

    /// The sender has done with a push.
    mutating func release(_ place: UInt32) {
        let row = sender[place].row
        instances[row].waitingPush.left(place)
        instances[row].heldCount -= 1
        sender.release(place)
    }

    // MARK: - Requests

    /// Begins the request of a push.
    ///
    /// A stand-in draws the luck of a push by the index in its id. It counts as the model's does, kind by kind and for
    /// one instance, so what happens to others changes nothing. The suffix makes ids of different pushes, and of
    /// different processes, different.
    private mutating func begin(_ place: UInt32, at now: Instant) {
        // The station was just told that it is wanted.
        guard let (decision, token) = addressed(place) else { preconditionFailure("a push that is not wanted begins") }
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
    }

    /// Begins what waits while streams, and tokens of the rate limit, are there.
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

    /// There is a connection to APNs, or none.
    mutating func connected(_ isConnected: Bool, at now: Instant) {
        sender.isConnected = isConnected
        beginWaiting(at: now)
    }

    /// A request got no answer, or the word that APNs had not begun with it: it is repeated, or not.
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
            // The same bytes, or it would be another push.
            sender[place].passage.repeats(at: now)
            sender[place].decision.repeated()
            admit(place, at: now)
        }
    }

    // MARK: - Time

    /// Does what timers of the sender are due.
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
        // Another push may be in its place: then the timer is not its own.
        guard sender.push(in: timer.place) != nil else { return }
        let offer = offer(timer.place)
        guard sender.move(timer.place, { $0.patienceEnded(offer, &$1, timerSetFor: timer.due) }) else { return }
        drop(timer.place, .outOfPatience)
        // The next in line may do with less than the one that has gone.
        beginWaiting(at: now)
    }

    private mutating func cameBack(_ timer: MonitorSender.Timer, at now: Instant) {
        guard sender.push(in: timer.place) != nil,
            sender.move(timer.place, { $0.cameBack(&$1, timerSetFor: timer.due) })
        else { return }
        if addressed(timer.place) != nil { admit(timer.place, at: now) } else { drop(timer.place, .tokenGone) }
    }

    // MARK: - Payloads

    private func payload(_ decision: RemoteMonitorStation.Push, _ row: Int) -> [UInt8] {
        var payload = ActivityPayload(
            timestamp: Double(decision.timestamp),
            event: decision.kind == .end ? .end : .update,
            contentState: instances[row].contentState
        )
        if decision.kind == .end {
            payload.dismissalDate = instances[row].dismissalDate.map { Double($0) }
        } else {
            payload.staleDate = ActivityPayload.date(decision.content.staleDate)
        }
        return payload.bytes
    }
}
