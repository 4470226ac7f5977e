import DequeModule
import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// What the sender of a cell has in hand.
struct SenderState {
    /// Retries and ends, which go first.
    var urgent: Deque<UInt32> = []
    var regular: Deque<UInt32> = []
    var inFlight = 0
    /// For each connection the fault by which it is lost; nil while it is up.
    var lostBy: [Int?]
    /// How many connections are up.
    var connectionsUp: Int
    /// The connection of the last request; connections are used in turn.
    private var lastConnection = 0

    init(connections: Int) {
        lostBy = [Int?](repeating: nil, count: connections)
        connectionsUp = connections
    }

    var waiting: Int { urgent.count + regular.count }

    /// The next connection in turn that is up.
    ///
    /// - Precondition: One is up.
    mutating func nextConnection() -> Int {
        repeat {
            lastConnection = (lastConnection + 1) % lostBy.count
        } while lostBy[lastConnection] != nil
        return lastConnection
    }
}

/// The sender: a queue in front of so many connections with so many streams each.
extension CellSimulation {
    private var streamLimit: Int {
        sender.connectionsUp * world.scenario.sender.streams
    }

    /// Sends a push now if a stream is free, else queues it.
    mutating func enqueue(_ push: Push) {
        if let limit = world.scenario.sender.queueLimit, sender.inFlight >= streamLimit, sender.waiting >= limit {
            takePhotoBack(of: push)
            count(.pushesOverQueueLimit)
            tell(push.activity, .notSent(push.kind, reason: .queueFull))
            return
        }
        let slot = place(push)
        tell(push.activity, .queued(push.kind))
        if sender.inFlight < streamLimit, sender.waiting == 0 {
            startRequest(slot)
            return
        }
        let isUrgent = world.scenario.sender.priorities && push.kind != .update
        if isUrgent {
            sender.urgent.append(slot)
        } else {
            sender.regular.append(slot)
        }
        if push.kind != .start {
            activities[Int(push.activity)].queuedPush = slot
        }
        if isMeasured {
            measurements.peakQueue = max(measurements.peakQueue, Int64(sender.waiting))
        }
    }

    /// Starts waiting requests while streams are free.
    private mutating func drainQueue() {
        while sender.inFlight < streamLimit, let slot = sender.urgent.popFirst() ?? sender.regular.popFirst() {
            startRequest(slot)
        }
    }

    /// Whether the push still has an activity, and the server a token, to go to.
    private func isWanted(_ push: Push) -> Bool {
        let activity = activities[Int(push.activity)]
        guard activity.isInUse, activity.ride == push.ride else { return false }
        switch push.kind {
        case .start: return activity.phase == .starting || activity.serverToken == 0
        case .end: return activity.serverToken != 0 && !(activity.instance?.isClosed ?? true)
        case .update, .retry: return activity.serverToken != 0 && !(activity.instance?.isOver ?? true)
        }
    }

    private mutating func startRequest(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        if isCurrent(push), activities[Int(push.activity)].queuedPush == slot {
            activities[Int(push.activity)].queuedPush = Activity.noPush
        }
        guard isWanted(push) else {
            takePhotoBack(of: push)
            count(.pushesAbandonedUnsent)
            tell(of: push, .notSent(push.kind, reason: .tokenGone))
            release(slot)
            return
        }
        pushes[Int(slot)].sentAt = loop.now
        pushes[Int(slot)].token = activities[Int(push.activity)].serverToken
        pushes[Int(slot)].connection = UInt32(sender.nextConnection())
        pushes[Int(slot)].isCounted = isMeasured
        sender.inFlight += 1
        if isMeasured {
            measurements.sendWait.record((loop.now - push.queuedAt).microseconds)
        }
        count(push.kind.counter, column: push.kind.column)
        if let photo = push.photo, push.attempt == 0 {
            count(photo)
        }
        tell(push.activity, .sent(push.kind, priority: push.priority))
        submit(slot)
    }

    /// Schedules what the sender will hear of a request, unless its time-out comes first.
    mutating func respond(_ slot: UInt32, _ response: Push.Response, after span: TimeSpan) {
        let deadline = pushes[Int(slot)].sentAt + world.scenario.sender.timeout
        let heardAt = loop.now + span
        pushes[Int(slot)].response = heardAt <= deadline ? response : .timedOut
        let due = min(heardAt, deadline)
        pushes[Int(slot)].responseDue = due
        schedule(.response, subject: slot, at: due, priority: .delivery)
    }

    mutating func responseArrived(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        guard push.isInUse, push.responseDue == loop.now else { return }
        pushes[Int(slot)].responseDue = .never
        loop.record(event: EventKind.response.rawValue, subject: push.ride)
        sender.inFlight -= 1
        switch push.response {
        case .accepted:
            count(.responsesAccepted, column: .responsesAccepted, of: push)
            tell(of: push, .answered(push.kind, refusal: nil))
            acceptanceHeard(slot)
            if isCurrent(push) {
                accepted(push)
            }
        case .refused(let reason):
            count(reason.counter, column: .responsesRefused, of: push)
            tell(of: push, .answered(push.kind, refusal: reason))
            if isCurrent(push) {
                refused(push, reason)
            }
        case .timedOut, .connectionLost:
            let counter: Counter =
                if case .timedOut = push.response { .responsesTimedOut } else { .responsesConnectionLost }
            count(counter, column: .responsesMissing, of: push)
            tell(of: push, .unanswered(push.kind))
            acceptanceMissed(slot)
            repeatRequest(push)
        }
        releaseIfDone(slot)
        drainQueue()
    }

    /// Queues the same push again, if attempts are left.
    private mutating func repeatRequest(_ push: Push) {
        guard push.attempt + 1 < world.scenario.sender.attempts, isWanted(push) else { return }
        var next = push
        next.attempt += 1
        next.responseDue = .never
        next.deliveryDue = .never
        next.isReplaced = false
        next.service = .none
        next.isUndecided = false
        next.queuedAt = loop.now
        enqueue(next)
    }

    // MARK: - Lost connections

    /// Connections are lost with what they carry; one that is down already is not lost once more.
    mutating func connectionsLost(fault index: Int) {
        loop.record(event: EventKind.connectionsLost.rawValue, subject: UInt64(index))
        for connection in sender.lostBy.indices where sender.lostBy[connection] == nil {
            guard isConnection(connection, hitBy: world.faults.connectionLost[index]) else { continue }
            sender.lostBy[connection] = index
            sender.connectionsUp -= 1
        }
        schedule(
            .reconnected,
            subject: UInt32(index),
            at: loop.now + world.scenario.sender.reconnectAfter,
            priority: .fault
        )
        for slot in pushes.indices {
            let push = pushes[slot]
            guard push.isInUse, push.responseDue != .never, sender.lostBy[Int(push.connection)] == index
            else { continue }
            // The request is taken as not processed: a GOAWAY names the last stream that was.
            pushes[slot].response = .connectionLost
            pushes[slot].responseDue = loop.now
            if push.deliveryDue != .never {
                pushes[slot].deliveryDue = .never
                if isCurrent(push), activities[Int(push.activity)].storedPush == UInt32(slot) {
                    activities[Int(push.activity)].storedPush = Activity.noPush
                }
                conclude(UInt32(slot), .notAccepted)
            }
            if push.isUndecided {
                conclude(UInt32(slot), .notAccepted)
            }
            schedule(.response, subject: UInt32(slot), at: loop.now, priority: .delivery)
        }
    }

    mutating func reconnected(fault index: Int) {
        loop.record(event: EventKind.reconnected.rawValue, subject: UInt64(index))
        for connection in sender.lostBy.indices where sender.lostBy[connection] == index {
            sender.lostBy[connection] = nil
            sender.connectionsUp += 1
        }
        drainQueue()
    }

    private func isConnection(_ connection: Int, hitBy fault: FaultTimeline.Stretch) -> Bool {
        fault.share.happens(
            random.draw(
                entity: WorldEntity.connections &- UInt64(cell) &- 1,
                purpose: Purpose.faultHitsConnection.rawValue,
                index: fault.number << 16 | UInt32(connection) & 0xFFFF
            )
        )
    }

    // MARK: - Places

    /// Whether the activity that the push was made for is still in its place.
    func isCurrent(_ push: Push) -> Bool {
        let activity = activities[Int(push.activity)]
        return activity.isInUse && activity.ride == push.ride
    }

    /// Gives the place of a push back once neither the sender nor the phone waits for it, and APNs has done with it.
    mutating func releaseIfDone(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        if push.responseDue == .never, push.deliveryDue == .never, push.service == .none {
            release(slot)
        }
    }

    private mutating func release(_ slot: UInt32) {
        guard pushes[Int(slot)].isInUse else { return }
        pushes[Int(slot)].isInUse = false
        freePushes.append(slot)
    }
}

extension StoryLine.PushKind {
    var counter: Counter {
        switch self {
        case .update: .updatesSent
        case .retry: .retriesSent
        case .end: .endsSent
        case .start: .startsSent
        }
    }

    var column: SeriesColumn {
        switch self {
        case .update: .updatesSent
        case .retry: .retriesSent
        case .end: .endsSent
        case .start: .startsSent
        }
    }
}

extension APNsReason {
    var counter: Counter {
        switch status {
        case 400: .responses400
        case 403: .responses403
        case 410: .responses410
        case 413: .responses413
        case 429: .responses429
        case 500: .responses500
        default: .responses503
        }
    }
}
