import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// What the sender of a cell has in hand.
struct SenderState {
    /// Pushes that wait for a stream, interrupted requests among them.
    var queue = RankedQueue()
    /// Requests that hold a stream, in the order in which they began; kept only where some may be preempted.
    var underWay = RankedQueue()
    /// How many requests hold a stream.
    var inFlight = 0
    /// How many pushes found the queue full and come again.
    var inOrbit = 0
    var limiter: TokenBucket?
    /// Set while the rate limit alone keeps the first push in the queue.
    var tokenAlarm = Alarm()
    var repeatBudget: RetryBudget?
    /// Up to when the numbers above are integrated.
    var changedAt = Instant.start

    let limitDrops: Bool
    let limitDelays: Bool
    let preempts: Bool

    /// For each connection the fault by which it is lost; nil while it is up.
    var lostBy: [Int?]
    /// How many connections are up.
    var connectionsUp: Int
    /// The connection of the last request; connections are used in turn.
    private var lastConnection = 0

    init(_ world: World) {
        let settings = world.scenario.sender
        limiter = world.limiter
        limitDrops = settings.rateLimit?.excess == .drop
        limitDelays = settings.rateLimit?.excess == .wait
        preempts = settings.preempt != .none
        repeatBudget = world.repeatBudget
        lostBy = [Int?](repeating: nil, count: settings.connections)
        connectionsUp = settings.connections
    }

    /// The next connection in turn that is up.
    ///
    /// - Precondition: One is up.
    mutating func nextConnection() -> Int {
        repeat {
            lastConnection = lastConnection + 1 == lostBy.count ? 0 : lastConnection + 1
        } while lostBy[lastConnection] != nil
        return lastConnection
    }
}

/// The sender's requests: so many connections with so many streams each.
extension CellSimulation {
    /// How many requests can be under way.
    var streamLimit: Int {
        sender.connectionsUp * rules.streams
    }

    /// Begins the request of a push, or goes on with it.
    ///
    /// - Precondition: A stream is free; the push is not in the queue.
    mutating func startRequest(_ push: Place<Push>) {
        integrateSender()
        sender.inFlight += 1
        let hasBegun = push.standing == .interrupted
        if sender.preempts {
            sender.underWay.append(push.number, rank: Int(push.rank))
        }
        pushCame(push, to: .inFlight)
        push.standing = .underWay
        push.connection = UInt32(sender.nextConnection())
        if hasBegun {
            senderSecond.resumeRequest(streams: sender.inFlight)
            tell(of: push, .resumed(push.kind))
            expectResponse(push, at: loop.now + push.remaining)
            return
        }
        push.sentAt = loop.now
        push.token = activities[push.activity].serverToken
        push.isCounted = isMeasured
        if isMeasured {
            senderSecond.beginRequest(streams: sender.inFlight)
            recordWait(of: push)
        }
        count(push.kind.counter, column: push.kind.column)
        if isCurrent(push) { activities[push.activity].requestCount &+= 1 }
        if push.attempt == 0 {
            if let photo = push.payload.photo {
                count(photo)
            }
            sender.repeatBudget?.earn(at: loop.now)
        } else {
            count(.repeatsSent)
        }
        tell(activities[push.activity], .sent(push.kind, priority: push.priority))
        submit(push)
    }

    @inline(__always)
    private mutating func recordWait(of push: Place<Push>) {
        let wait = loop.now - push.queuedAt
        ledger.record(wait.microseconds, as: .sendWait, part: Int(push.rank))
        // Nearly all begin at once; how many did, the counts of requests by windows tell.
        if wait > .zero { senderCourse.record(wait: wait.microseconds, at: loop.now) }
        guard push.attempt == 0, rules.countsWaits else { return }
        let thresholds = world.scenario.measure.waitOver
        for index in thresholds.indices where wait > thresholds[index] {
            ledger.add(1, to: .waitsOver, part: index)
        }
    }

    /// Takes the wait of a push that is not sent, up to now.
    mutating func recordUnsentWait(of push: Place<Push>) {
        guard isMeasured else { return }
        let wait = loop.now - push.queuedAt
        ledger.record(wait.microseconds, as: .unsentWait, part: Int(push.rank))
        senderCourse.record(unsentAfter: wait.microseconds, at: loop.now)
    }

    /// A request gives its stream back.
    @inline(__always)
    mutating func leaveStream(_ push: Place<Push>) {
        integrateSender()
        sender.inFlight -= 1
        if sender.preempts {
            sender.underWay.remove(push.number, rank: Int(push.rank))
        }
        push.responseDue = .never
        push.standing = .done
    }

    // MARK: - Responses

    /// Schedules what the sender will hear of a request, unless its time-out comes first.
    @inline(__always)
    mutating func respond(_ push: Place<Push>, _ response: Push.Response, after span: TimeSpan) {
        let deadline = push.sentAt + rules.timeout
        let heardAt = loop.now + span
        push.response = heardAt <= deadline ? response : .timedOut
        expectResponse(push, at: min(heardAt, deadline))
    }

    @inline(__always)
    private mutating func expectResponse(_ push: Place<Push>, at due: Instant) {
        push.responseDue = due
        schedule(.response, subject: push.number, at: due, priority: .delivery)
    }

    mutating func responseArrived(_ push: Place<Push>) {
        guard push.isInUse, push.responseDue == loop.now else { return }
        let resumed = FaultTimeline.firstUncovered(by: world.faults.senderPaused, notBefore: loop.now)
        guard resumed == loop.now else {
            expectResponse(push, at: resumed)
            return
        }
        loop.record(event: EventKind.response.rawValue, subject: push.ride)
        leaveStream(push)
        switch push.response {
        case .accepted:
            recordSendTime(of: push)
            count(.responsesAccepted, column: .responsesAccepted, of: push)
            tell(of: push, .answered(push.kind, refusal: nil))
            acceptanceHeard(push)
            if isCurrent(push) {
                accepted(push)
            }
        case .refused(let reason):
            recordSendTime(of: push)
            count(reason.counter, column: .responsesRefused, of: push)
            tell(of: push, .answered(push.kind, refusal: reason))
            pushCame(push, to: .refused)
            if isCurrent(push) {
                refused(push, reason)
            }
        case .timedOut, .connectionLost:
            let counter: Counter =
                if case .timedOut = push.response { .responsesTimedOut } else { .responsesConnectionLost }
            count(counter, column: .responsesMissing, of: push)
            tell(of: push, .unanswered(push.kind))
            acceptanceMissed(push)
            noAnswerCame(push)
            repeatRequest(push)
        }
        releaseIfDone(push)
        drainQueue()
    }

    @inline(__always)
    private mutating func recordSendTime(of push: Place<Push>) {
        if push.isCounted {
            ledger.record((loop.now - push.queuedAt).microseconds, as: .sendTime, part: Int(push.rank))
        }
    }

    /// Offers the same push again, if attempts and budget are left.
    private mutating func repeatRequest(_ push: Place<Push>) {
        guard Int(push.attempt) + 1 < world.scenario.sender.attempts, isWanted(push) else { return }
        guard sender.repeatBudget?.spend(at: loop.now) ?? true else {
            count(.repeatsWithheld)
            tell(of: push, .repeatWithheld(push.kind))
            return
        }
        var next = push.entity.pointee
        next.attempt += 1
        next.responseDue = .never
        next.deliveryDue = .never
        next.isReplaced = false
        next.isConcluded = false
        next.isCounted = false
        next.patienceEnds = .never
        next.standing = .offered
        next.service = .none
        next.queuedAt = loop.now
        offer(pushes.take(next))
    }

    // MARK: - Places

    /// Whether the activity that the push was made for is still in its place.
    @inline(__always)
    func isCurrent(_ push: Place<Push>) -> Bool {
        let activity = activities[push.activity]
        return activity.isInUse && activity.ride == push.ride
    }

    /// Gives the place of a push back once neither the sender nor the phone waits for it, and APNs has done with it.
    @inline(__always)
    mutating func releaseIfDone(_ push: Place<Push>) {
        if push.standing == .done, push.deliveryDue == .never, push.service == .none {
            release(push)
        }
    }

    @inline(__always)
    mutating func release(_ push: Place<Push>) {
        guard push.isInUse else { return }
        push.isInUse = false
        pushes.giveBack(push)
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
