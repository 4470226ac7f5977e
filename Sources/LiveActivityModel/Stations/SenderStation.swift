import FreshnessCore
public import Quantities
public import SimulationKernel

/// A sender of pushes: connections with streams, the queue in front of them, and what limits requests and repeats.
///
/// It decides which push goes, waits or is turned away, and on which connection. It has no clock, socket or source of
/// chance. Pushes go by the host's numbers and by ranks, 0...7: lower ranks go first, first in first out within a rank.
/// What it keeps of one activity is an ``UpdatePace`` and a ``WaitingPush``, of one push a ``SenderPassage``.
///
/// ```
///  offered ─┬─► rateLimited, unwanted: not sent
///           ├─► begins, interrupts, replaces: the host calls begin ─► a connection
///           ├─► waits, displaces: in the queue ── nextInLine, turn ─► begins, interrupts, unwanted, awaitsToken
///           └─► full: put off (cameBack later), or not sent
///
///  request ─► answered ─► ended ─► repeats?
/// ```
///
/// After anything that may free a stream or a token, or bring another to the head of the queue, the host takes
/// ``nextInLine`` and calls ``turn(of:_:isWanted:at:)`` until there is none. A sender that is paused is not
/// asked.
public struct SenderStation: Sendable {
    /// Its numbers.
    public let limits: Limits
    /// Pushes that wait for a stream, interrupted requests among them.
    private var queue = RankedQueue()
    /// Requests that hold a stream, in the order in which they began; kept only where some may be preempted.
    private var underWay = RankedQueue()
    /// What is known of requests by their numbers; kept only where some may be replaced.
    private var requests: ContiguousArray<Request> = []
    /// How many requests hold a stream.
    public private(set) var inFlight = 0
    /// Of these: how many whose answer is known.
    private(set) var aheadCount = 0
    /// How often a request has begun, or gone on.
    private(set) var begunCount: UInt64 = 0
    /// How many pushes found the queue full and come again.
    public private(set) var inOrbit = 0
    private var limiter: TokenBucket?
    /// Set while the rate limit alone keeps the first push in the queue.
    private var tokenAlarm = Alarm()
    private var repeatBudget: RetryBudget?
    /// For each connection the fault by which it is lost; nil while it is up.
    private var lostBy: [Int?]
    private var connectionsUp: Int {
        didSet { streamLimit = connectionsUp * limits.streams }
    }
    /// How many requests can be under way.
    private(set) var streamLimit: Int
    /// The connection of the last request; connections are used in turn.
    private var lastConnection = 0

    private struct Request {
        let activity: UInt64
        let isContent: Bool
        let begunAt: Instant
    }

    /// What the sender looks at in a push.
    public struct Offer: BitwiseCopyable, Sendable {
        let push: UInt32
        let rank: Int
        let activity: UInt64
        let kind: StoryLine.PushKind

        /// A push.
        ///
        /// - Parameters:
        ///   - push: The host's number of it; memory grows with the largest.
        ///   - rank: Its place among others that wait, 0...7.
        ///   - activity: The host's key of the activity that it is for.
        ///   - kind: What it is for.
        @inline(__always)
        public init(push: UInt32, rank: Int, activity: UInt64, kind: StoryLine.PushKind) {
            self.push = push
            self.rank = rank
            self.activity = activity
            self.kind = kind
        }
    }

    /// A sender with nothing to send, all its connections up.
    init(_ limits: Limits, limiter: TokenBucket?, repeatBudget: RetryBudget?) {
        self.limits = limits
        self.limiter = limiter
        self.repeatBudget = repeatBudget
        lostBy = [Int?](repeating: nil, count: limits.connections)
        connectionsUp = limits.connections
        streamLimit = limits.connections * limits.streams
    }

    // MARK: - Queries

    /// How many pushes are in the queue, interrupted requests among them.
    public var waitingCount: Int { queue.count }

    /// Whether no push waits, and none is under way but those whose answer is known, which leave streams free.
    @inline(__always)
    var isAtRest: Bool { queue.count | inOrbit | (inFlight - aheadCount) == 0 && !isSaturated }

    /// Whether whatever is wanted and offered now begins, and keeps its stream until it is answered.
    @inline(__always)
    var isFree: Bool { queue.count == 0 && !isSaturated && limits.isPlain }

    /// Whether it is free, with room for several times as many requests as are under way.
    var hasRoom: Bool { isFree && inFlight < streamLimit / 4 }

    /// Whether every stream is taken.
    @inline(__always)
    var isSaturated: Bool { inFlight >= streamLimit }

    // MARK: - Admission

    /// What becomes of a push that is offered.
    public enum Admission: Hashable, Sendable {
        /// Above the rate limit: it is not sent.
        case rateLimited
        /// It could begin, but is not wanted any more.
        case unwanted
        /// ``SenderStation/begin(_:_:at:)`` is to follow.
        case begins
        /// The same, in place of a request that waits in the queue now for the rest of its time.
        case interrupts(UInt32)
        /// The same, in place of the oldest content request of its own activity, which is given up.
        case replaces(UInt32)
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
    public mutating func offered(
        _ offer: Offer,
        _ passage: inout SenderPassage,
        isWanted: Bool,
        isPaused: Bool,
        at now: Instant
    ) -> Admission {
        if limits.dropsAboveRate, !hasToken(at: now) { return .rateLimited }
        guard !isPaused, !limits.waitsAboveRate || hasToken(at: now) else { return queued(offer, &passage, at: now) }
        let isFirstInLine = offer.rank < queue.bestRank
        if isFirstInLine, inFlight < streamLimit {
            guard isWanted else { return .unwanted }
            takeToken(at: now)
            return .begins
        }
        return preempts(offer, &passage, isFirstInLine: isFirstInLine, isWanted: isWanted, at: now)
    }

    /// No stream is free, or others are before the push in the queue.
    private mutating func preempts(
        _ offer: Offer,
        _ passage: inout SenderPassage,
        isFirstInLine: Bool,
        isWanted: Bool,
        at now: Instant
    ) -> Admission {
        if isWanted, isFirstInLine, let other = interrupt(forRank: offer.rank) {
            takeToken(at: now)
            return .interrupts(other)
        }
        if isWanted, limits.preempt == .replace, inFlight == streamLimit, let other = replace(for: offer) {
            takeToken(at: now)
            return .replaces(other)
        }
        return queued(offer, &passage, at: now)
    }

    /// A push that cannot begin finds a place in the queue, or does not.
    private mutating func queued(_ offer: Offer, _ passage: inout SenderPassage, at now: Instant) -> Admission {
        var displaced: UInt32?
        if queue.count >= limits.queueLimit {
            guard limits.queueLimit > 0, limits.displacesOldest, offer.rank <= queue.worstRank,
                let oldest = queue.oldestOfWorstRank
            else { return .full }
            queue.remove(oldest, rank: queue.worstRank)
            displaced = oldest
        }
        if limits.dropsAboveRate { takeToken(at: now) }
        queue.append(offer.push, rank: offer.rank)
        passage.queued()
        return displaced.map { .displaces($0) } ?? .waits
    }

    // MARK: - Waiting

    /// A push found the queue full and will be offered again.
    ///
    /// - Returns: When: ``cameBack(_:timerSetFor:)`` is to be called then.
    public mutating func putOff(_ passage: inout SenderPassage, for absence: TimeSpan, at now: Instant) -> Instant {
        inOrbit += 1
        passage.leaves(until: now + absence)
        return now + absence
    }

    /// A timer of a push that was put off has rung.
    ///
    /// - Parameter due: The instant for which it was set.
    /// - Returns: Whether the push is here again, to be offered.
    public mutating func cameBack(_ passage: inout SenderPassage, timerSetFor due: Instant) -> Bool {
        guard passage.returns(at: due) else { return false }
        inOrbit -= 1
        return true
    }

    /// A timer of a push's patience has rung.
    ///
    /// - Parameter due: The instant for which it was set.
    /// - Returns: Whether the push is not sent; the push behind it may be able to begin.
    public mutating func patienceEnded(
        _ offer: Offer,
        _ passage: inout SenderPassage,
        timerSetFor due: Instant
    ) -> Bool {
        switch passage.losesPatience(at: due) {
        case .waiting: queue.remove(offer.push, rank: offer.rank)
        case .inOrbit: inOrbit -= 1
        default: return false
        }
        return true
    }

    // MARK: - The queue

    /// The push whose ``turn(of:_:isWanted:at:)`` it is; nil when none waits, or no stream is free.
    public var nextInLine: UInt32? {
        guard let first = queue.first, inFlight < streamLimit || canInterrupt(forRank: queue.bestRank) else {
            return nil
        }
        return first
    }

    /// What becomes of the push that is next in line.
    public enum Turn: Hashable, Sendable {
        /// It has left the queue, for it is not wanted any more.
        case unwanted
        /// It has left the queue: ``SenderStation/begin(_:_:at:)`` is to follow.
        case begins
        /// The same, in place of a request that waits in the queue now for the rest of its time.
        case interrupts(UInt32)
        /// It waits for the rate limit; where there is an instant, the host has to call ``SenderStation/tokenDue(at:)`` then.
        case awaitsToken(wakeAt: Instant?)
    }

    /// The turn of a push has come.
    ///
    /// A request that was interrupted needs no token and is finished in any case.
    ///
    /// - Parameter isWanted: As for ``offered(_:_:isWanted:isPaused:at:)``.
    public mutating func turn(
        of offer: Offer,
        _ passage: inout SenderPassage,
        isWanted: Bool,
        at now: Instant
    ) -> Turn {
        let hasBegun = passage.standing == .interrupted
        guard hasBegun || isWanted else {
            queue.remove(offer.push, rank: offer.rank)
            passage.ends()
            return .unwanted
        }
        if limits.waitsAboveRate, !hasBegun {
            guard hasToken(at: now) else { return .awaitsToken(wakeAt: tokenWakeUp(at: now)) }
            takeToken(at: now)
        }
        let interrupted = inFlight >= streamLimit ? interrupt(forRank: offer.rank) : nil
        queue.remove(offer.push, rank: offer.rank)
        passage.leftQueue()
        return interrupted.map { .interrupts($0) } ?? .begins
    }

    private func canInterrupt(forRank rank: Int) -> Bool {
        limits.preempt == .resume && inFlight == streamLimit && underWay.worstRank > rank
    }

    /// Interrupts the newest request of the worst rank for a push of a better one.
    private mutating func interrupt(forRank rank: Int) -> UInt32? {
        guard canInterrupt(forRank: rank), let newest = underWay.newestOfWorstRank else { return nil }
        let worst = underWay.worstRank
        gaveStreamBack(newest, rank: worst)
        queue.prepend(newest, rank: worst)
        return newest
    }

    /// Gives up the oldest content request of a push's own activity; of two equally old ones that of the better rank.
    ///
    /// Starts and ends are never given up, and a start gives up nothing.
    ///
    /// - Complexity: O(requests under way).
    private mutating func replace(for offer: Offer) -> UInt32? {
        guard offer.kind != .start else { return nil }
        var oldest: (push: UInt32, rank: Int)?
        var begunAt = Instant.never
        for rank in 0..<RankedQueue.rankCount {
            var next = underWay.first(ofRank: rank)
            while let push = next {
                let request = requests[Int(push)]
                if request.activity == offer.activity, request.isContent {
                    if request.begunAt < begunAt { (oldest, begunAt) = ((push, rank), request.begunAt) }
                    break
                }
                next = underWay.next(after: push)
            }
        }
        if let oldest { gaveStreamBack(oldest.push, rank: oldest.rank) }
        return oldest?.push
    }

    // MARK: - Requests

    /// The request of a push begins, or goes on.
    ///
    /// - Returns: The connection that carries it: they are used in turn.
    /// - Precondition: ``Admission`` or ``Turn`` has said so.
    @inline(__always)
    public mutating func begin(_ offer: Offer, _ passage: inout SenderPassage, at now: Instant) -> UInt32 {
        // The first request of a push earns budget for repeats; the rest of an interrupted one is no other.
        if passage.attempt == 0, passage.standing != .interrupted { repeatBudget?.earn(at: now) }
        passage.begins()
        if limits.preempt != .none { note(offer, at: now) }
        return takeStream()
    }

    /// The first request for a push begins whose answer is known; its stream comes back by ``changeAhead(to:)``.
    ///
    /// - Precondition: ``isFree``.
    @inline(__always)
    mutating func beginAhead(at now: Instant) {
        repeatBudget?.earn(at: now)
        aheadCount += 1
        _ = takeStream()
    }

    /// Whether requests that were worked out found a stream free, with a number of streams in use at most: one more has to be
    /// free, so that it cannot matter which of two that begin at one instant comes first.
    @inline(__always)
    func canHold(_ streams: Int) -> Bool { queue.count == 0 && streams < streamLimit }

    /// Requests begin that were worked out before, and streams come back whose requests were answered as was known.
    ///
    /// Of no interest are connections, which none can lose, and budgets, which they do not earn.
    @inline(__always)
    mutating func changeAhead(to streams: Int) {
        aheadCount += streams - inFlight
        inFlight = streams
    }

    @inline(__always)
    private mutating func takeStream() -> UInt32 {
        inFlight += 1
        begunCount += 1
        repeat {
            lastConnection = lastConnection + 1 == lostBy.count ? 0 : lastConnection + 1
        } while lostBy[lastConnection] != nil
        return UInt32(lastConnection)
    }

    /// Notes a request that may lose its stream to another push.
    private mutating func note(_ offer: Offer, at now: Instant) {
        underWay.append(offer.push, rank: offer.rank)
        guard limits.preempt == .replace else { return }
        let request = Request(activity: offer.activity, isContent: offer.kind.isContent, begunAt: now)
        while requests.count <= Int(offer.push) { requests.append(request) }
        requests[Int(offer.push)] = request
    }

    /// A request gives its stream back.
    @inline(__always)
    public mutating func ended(_ offer: Offer, _ passage: inout SenderPassage) {
        gaveStreamBack(offer.push, rank: offer.rank)
        passage.ends()
    }

    @inline(__always)
    private mutating func gaveStreamBack(_ push: UInt32, rank: Int) {
        inFlight -= 1
        if limits.preempt != .none { underWay.remove(push, rank: rank) }
    }

    /// A request has lost its stream to a push of a better rank, as ``Admission/interrupts(_:)`` says, and goes on later.
    func interrupted(_ passage: inout SenderPassage) { passage.isInterrupted() }

    /// A request that holds no stream any more is given up, or a push that waits is not sent.
    @inline(__always)
    func gaveUp(_ passage: inout SenderPassage) { passage.ends() }

    /// Whether a request that got no answer is repeated.
    public enum Repetition: Hashable, Sendable {
        /// No: attempts are used up, or it is not wanted any more.
        case no
        /// Yes: it ``SenderPassage/repeats(at:)``, and is offered again.
        case yes
        /// It would be, but the budget of repeats is spent.
        case withheld
    }

    /// A request got no answer.
    ///
    /// - Parameters:
    ///   - isUnprocessed: Whether APNs has named it as one with which it had not begun: the first such request is repeated
    ///     whatever limit there is, for it was none to APNs.
    ///   - isWanted: As for ``offered(_:_:isWanted:isPaused:at:)``.
    public mutating func unanswered(
        _ passage: SenderPassage,
        isUnprocessed: Bool = false,
        isWanted: Bool,
        at now: Instant
    ) -> Repetition {
        let attempt = Int(passage.attempt)
        if isUnprocessed, isWanted, attempt == 0 { return .yes }
        guard attempt + 1 < limits.attempts, isWanted else { return .no }
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
    public mutating func tokenDue(at now: Instant) -> Alarm.Ring { tokenAlarm.ring(at: now) }

    // MARK: - Connections

    /// How many connections there are, up or not.
    public var connectionCount: Int { lostBy.count }

    /// The fault by which a connection is lost; nil while it is up.
    func fault(of connection: Int) -> Int? { lostBy[connection] }

    /// A connection is lost, unless it was before.
    public mutating func lose(_ connection: Int, by fault: Int) {
        guard lostBy[connection] == nil else { return }
        lostBy[connection] = fault
        connectionsUp -= 1
    }

    /// The connections that a fault has taken are up again.
    public mutating func reconnect(after fault: Int) {
        for connection in lostBy.indices where lostBy[connection] == fault {
            lostBy[connection] = nil
            connectionsUp += 1
        }
    }
}
