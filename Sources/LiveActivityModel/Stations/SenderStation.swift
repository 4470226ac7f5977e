import FreshnessCore
import Quantities
import SimulationKernel

/// A sender of pushes: connections with streams, the queue in front of them, and what limits requests and repeats.
///
/// It decides which push goes, waits or is turned away, and on which connection. It has no clock, socket or source of
/// chance. Pushes go by the host's numbers and by ranks, 0...7: lower ranks go first, first in first out within a rank.
///
/// ```
///  offered ─┬─► rateLimited, unwanted: not sent
///           ├─► begins, interrupts, replaces: the host calls begin ─► a connection
///           ├─► waits, displaces: in the queue ── nextInLine, turn ─► begins, interrupts, unwanted, awaitsToken
///           └─► full: put off (returned later), or not sent
///
///  request ─► answered ─► ended ─► repeats?
/// ```
///
/// After anything that may free a stream or a token, or bring another to the head of the queue, the host takes
/// ``nextInLine`` and calls ``turn(of:rank:hasBegun:isWanted:at:)`` until there is none. A sender that is paused is not
/// asked.
struct SenderStation {
    private let rules: Rules
    /// Pushes that wait for a stream, interrupted requests among them.
    private var queue = RankedQueue()
    /// Requests that hold a stream, in the order in which they began; kept only where some may be preempted.
    private var underWay = RankedQueue()
    /// How many requests hold a stream.
    private(set) var inFlight = 0
    /// How many pushes found the queue full and come again.
    private(set) var inOrbit = 0
    private var limiter: TokenBucket?
    /// Set while the rate limit alone keeps the first push in the queue.
    private var tokenAlarm = Alarm()
    private var repeatBudget: RetryBudget?
    /// For each connection the fault by which it is lost; nil while it is up.
    private var lostBy: [Int?]
    private var connectionsUp: Int
    /// The connection of the last request; connections are used in turn.
    private var lastConnection = 0

    /// What a sender works by.
    struct Rules: BitwiseCopyable {
        let connections: Int
        /// Requests that one connection carries at a time.
        let streams: Int
        let queueLimit: Int
        let displacesOldest: Bool
        let preempt: Scenario.Preemption
        /// Requests in all for one push.
        let attempts: Int
        let timeout: TimeSpan
        /// Whether pushes above the rate limit are turned away.
        let dropsAboveRate: Bool
        /// Whether pushes above the rate limit wait.
        let waitsAboveRate: Bool

        init(_ sender: Scenario.Sender) {
            connections = sender.connections
            streams = sender.streams
            queueLimit = sender.queueLimit ?? .max
            displacesOldest = sender.overflow == .dropOldest
            preempt = sender.preempt
            attempts = sender.attempts
            timeout = sender.timeout
            dropsAboveRate = sender.rateLimit?.excess == .drop
            waitsAboveRate = sender.rateLimit?.excess == .wait
        }
    }

    /// A sender with nothing to send, all its connections up.
    init(_ rules: Rules, limiter: TokenBucket?, repeatBudget: RetryBudget?) {
        self.rules = rules
        self.limiter = limiter
        self.repeatBudget = repeatBudget
        lostBy = [Int?](repeating: nil, count: rules.connections)
        connectionsUp = rules.connections
    }

    // MARK: - Queries

    /// How many pushes are in the queue, interrupted requests among them.
    var waitingCount: Int { queue.count }

    /// How many requests can be under way.
    @inline(__always)
    var streamLimit: Int { connectionsUp * rules.streams }

    /// Whether every stream is taken.
    @inline(__always)
    var isSaturated: Bool { inFlight >= streamLimit }

    // MARK: - Admission

    /// What becomes of a push that is offered.
    enum Admission: Hashable {
        /// Above the rate limit: it is not sent.
        case rateLimited
        /// It could begin, but is not wanted any more.
        case unwanted
        /// ``SenderStation/begin(_:rank:)`` is to follow.
        case begins
        /// The same, in place of a request that waits in the queue now for the rest of its time.
        case interrupts(UInt32)
        /// Where a content request of its own activity is under way, the oldest such request is ``SenderStation/ended(_:rank:)``
        /// and ``SenderStation/replaced(at:)`` by it; else ``SenderStation/queued(_:rank:at:)`` tells what becomes of it.
        case mayReplace
        /// It is in the queue.
        case waits
        /// It is in the queue, from which another was thrown out for it.
        case displaces(UInt32)
        /// There is no place: it comes again later, or not at all.
        case full
    }

    /// A push, or a repeat of one, is offered.
    ///
    /// - Parameters:
    ///   - isWanted: Whether it still has an activity, and the server a token, to go to.
    ///   - isPaused: Whether nothing begins now.
    @inline(__always)
    mutating func offered(_ push: UInt32, rank: Int, isWanted: Bool, isPaused: Bool, at now: Instant) -> Admission {
        if rules.dropsAboveRate, !hasToken(at: now) { return .rateLimited }
        guard !isPaused, !rules.waitsAboveRate || hasToken(at: now) else {
            return queued(push, rank: rank, at: now)
        }
        let isFirstInLine = rank < queue.bestRank
        if isFirstInLine, inFlight < streamLimit {
            guard isWanted else { return .unwanted }
            takeToken(at: now)
            return .begins
        }
        return preempts(push, rank: rank, isFirstInLine: isFirstInLine, isWanted: isWanted, at: now)
    }

    /// No stream is free, or others are before the push in the queue.
    private mutating func preempts(
        _ push: UInt32,
        rank: Int,
        isFirstInLine: Bool,
        isWanted: Bool,
        at now: Instant
    ) -> Admission {
        if isWanted, isFirstInLine, let other = interrupt(forRank: rank) {
            takeToken(at: now)
            return .interrupts(other)
        }
        if isWanted, rules.preempt == .replace, inFlight == streamLimit { return .mayReplace }
        return queued(push, rank: rank, at: now)
    }

    /// A push that cannot begin finds a place in the queue, or does not.
    mutating func queued(_ push: UInt32, rank: Int, at now: Instant) -> Admission {
        var displaced: UInt32?
        if queue.count >= rules.queueLimit {
            guard rules.queueLimit > 0, rules.displacesOldest, rank <= queue.worstRank,
                let oldest = queue.oldestOfWorstRank
            else { return .full }
            queue.remove(oldest, rank: queue.worstRank)
            displaced = oldest
        }
        if rules.dropsAboveRate { takeToken(at: now) }
        queue.append(push, rank: rank)
        return displaced.map { .displaces($0) } ?? .waits
    }

    /// A push has the stream of a request that it replaces: ``begin(_:rank:)`` is to follow.
    mutating func replaced(at now: Instant) {
        takeToken(at: now)
    }

    /// A push found the queue full and will be offered again.
    mutating func putOff() {
        inOrbit += 1
    }

    /// A push that was put off is here again, or is given up.
    mutating func returned() {
        inOrbit -= 1
    }

    /// A push gives up waiting in the queue.
    mutating func left(_ push: UInt32, rank: Int) {
        queue.remove(push, rank: rank)
    }

    // MARK: - The queue

    /// The push whose ``turn(of:rank:hasBegun:isWanted:at:)`` it is; nil when none waits, or no stream is to be had.
    var nextInLine: UInt32? {
        guard let first = queue.first, inFlight < streamLimit || canInterrupt(forRank: queue.bestRank) else {
            return nil
        }
        return first
    }

    /// What becomes of the push that is next in line.
    enum Turn: Hashable {
        /// It has left the queue, for it is not wanted any more.
        case unwanted
        /// It has left the queue: ``SenderStation/begin(_:rank:)`` is to follow.
        case begins
        /// The same, in place of a request that waits in the queue now for the rest of its time.
        case interrupts(UInt32)
        /// It waits for the rate limit; where there is an instant, the host has to call ``SenderStation/tokenDue(at:)`` then.
        case awaitsToken(wakeAt: Instant?)
    }

    /// The turn of a push has come.
    ///
    /// - Parameters:
    ///   - hasBegun: Whether its request was interrupted: then it needs no token and is finished in any case.
    ///   - isWanted: As for ``offered(_:rank:isWanted:isPaused:at:)``.
    mutating func turn(of push: UInt32, rank: Int, hasBegun: Bool, isWanted: Bool, at now: Instant) -> Turn {
        guard hasBegun || isWanted else {
            left(push, rank: rank)
            return .unwanted
        }
        if rules.waitsAboveRate, !hasBegun {
            guard hasToken(at: now) else { return .awaitsToken(wakeAt: tokenWakeUp(at: now)) }
            takeToken(at: now)
        }
        let interrupted = inFlight >= streamLimit ? interrupt(forRank: rank) : nil
        left(push, rank: rank)
        return interrupted.map { .interrupts($0) } ?? .begins
    }

    private func canInterrupt(forRank rank: Int) -> Bool {
        rules.preempt == .resume && inFlight == streamLimit && underWay.worstRank > rank
    }

    /// Interrupts the newest request of the worst rank for a push of a better one.
    private mutating func interrupt(forRank rank: Int) -> UInt32? {
        guard canInterrupt(forRank: rank), let newest = underWay.newestOfWorstRank else { return nil }
        let worst = underWay.worstRank
        ended(newest, rank: worst)
        queue.prepend(newest, rank: worst)
        return newest
    }

    // MARK: - Requests

    /// The request of a push begins, or goes on.
    ///
    /// - Returns: The connection that carries it: they are used in turn.
    /// - Precondition: ``Admission`` or ``Turn`` has said so.
    @inline(__always)
    mutating func begin(_ push: UInt32, rank: Int) -> UInt32 {
        inFlight += 1
        if rules.preempt != .none { underWay.append(push, rank: rank) }
        repeat {
            lastConnection = lastConnection + 1 == lostBy.count ? 0 : lastConnection + 1
        } while lostBy[lastConnection] != nil
        return UInt32(lastConnection)
    }

    /// A request gives its stream back.
    @inline(__always)
    mutating func ended(_ push: UInt32, rank: Int) {
        inFlight -= 1
        if rules.preempt != .none { underWay.remove(push, rank: rank) }
    }

    /// The request under way that began first among those of a rank; nil where none is, and where none can be preempted.
    func firstUnderWay(ofRank rank: Int) -> UInt32? { underWay.first(ofRank: rank) }

    /// The request that began next among those of the same rank.
    func nextUnderWay(after push: UInt32) -> UInt32? { underWay.next(after: push) }

    /// When the sender hears of a request, and whether its time-out comes before an answer that would come at an instant.
    ///
    /// What comes at the very instant of the time-out is heard.
    @inline(__always)
    func hearing(ofRequestAt sentAt: Instant, answeredAt instant: Instant) -> (at: Instant, isTimeOut: Bool) {
        let deadline = sentAt + rules.timeout
        return instant <= deadline ? (instant, false) : (deadline, true)
    }

    /// A push is sent for the first time: it earns budget for repeats.
    @inline(__always)
    mutating func earnRepeats(at now: Instant) {
        repeatBudget?.earn(at: now)
    }

    /// Whether a request that got no answer is repeated.
    enum Repetition: Hashable {
        case no
        case yes
        /// It would be, but the budget of repeats is spent.
        case withheld
    }

    /// A request got no answer.
    ///
    /// - Parameter attempt: Which request for its push it was, from 0.
    mutating func unanswered(attempt: Int, isWanted: Bool, at now: Instant) -> Repetition {
        guard attempt + 1 < rules.attempts, isWanted else { return .no }
        return repeatBudget?.spend(at: now) ?? true ? .yes : .withheld
    }

    // MARK: - The rate limit

    private mutating func hasToken(at now: Instant) -> Bool {
        limiter?.hasToken(at: now) ?? true
    }

    private mutating func takeToken(at now: Instant) {
        _ = limiter?.take(at: now)
    }

    private mutating func tokenWakeUp(at now: Instant) -> Instant? {
        guard let next = limiter?.nextToken(notBefore: now), tokenAlarm.set(for: next) else { return nil }
        return next
    }

    /// The instant has come for which ``Turn/awaitsToken(wakeAt:)`` asked.
    mutating func tokenDue(at now: Instant) -> Alarm.Ring { tokenAlarm.ring(at: now) }

    // MARK: - Connections

    /// How many connections there are, up or not.
    var connectionCount: Int { lostBy.count }

    /// The fault by which a connection is lost; nil while it is up.
    func fault(of connection: Int) -> Int? { lostBy[connection] }

    /// A connection is lost, unless it was before.
    mutating func lose(_ connection: Int, by fault: Int) {
        guard lostBy[connection] == nil else { return }
        lostBy[connection] = fault
        connectionsUp -= 1
    }

    /// The connections that a fault has taken are up again.
    mutating func reconnect(after fault: Int) {
        for connection in lostBy.indices where lostBy[connection] == fault {
            lostBy[connection] = nil
            connectionsUp += 1
        }
    }
}
