import FreshnessCore
public import Quantities
public import SimulationKernel

/// A sender of pushes: connections with streams, the queue in front of them, and the limits for requests and retries.
///
/// It decides which push is sent, waits or is dropped, and on which connection. It has no clock, no socket and no
/// random source. Pushes have the host's numbers and ranks, 0...7: lower ranks go first, first in, first out within a
/// rank. Its state for one activity is an ``UpdatePace`` and a ``WaitingPush``; its state for one push is a
/// ``SenderPassage``.
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
/// After any event that may free a stream or a token, or change the head of the queue, the host takes ``nextInLine``
/// and calls ``turn(of:_:isWanted:at:)`` until there is none. While the sender is paused, it does not.
public struct SenderStation: Sendable {
    public let limits: Limits
    /// Pushes that wait for a stream, including interrupted requests.
    private var queue = RankedQueue()
    /// Requests with a stream, in the order in which they began; recorded only if some may be preempted.
    private var underWay = RankedQueue()
    /// The requests in flight by push number; recorded only if some may be replaced.
    private var requests: ContiguousArray<Request> = []
    /// The number of requests with a stream.
    public private(set) var inFlight = 0
    /// The number of times a request has begun or resumed.
    private(set) var begunCount: UInt64 = 0
    /// The number of pushes that found the queue full and will be offered again.
    public private(set) var inOrbit = 0
    private var limiter: TokenBucket?
    /// Set while only the rate limit keeps the first push in the queue.
    private var tokenAlarm = Alarm()
    private var repeatBudget: RetryBudget?
    /// For each connection the fault that closed it; nil while it is open.
    private var lostBy: [Int?]
    private var connectionsUp: Int {
        didSet { streamLimit = connectionsUp * limits.streams }
    }
    /// The maximum number of requests in flight.
    private(set) var streamLimit: Int
    /// The connection of the last request; connections are used in rotation.
    private var lastConnection = 0

    private struct Request {
        let activity: UInt64
        let isContent: Bool
        let begunAt: Instant
    }

    /// The properties of a push that the sender uses.
    public struct Offer: BitwiseCopyable, Sendable {
        let push: UInt32
        let rank: Int
        let activity: UInt64
        let kind: StoryLine.PushKind

        /// Creates an offer of a push.
        ///
        /// - Parameters:
        ///   - push: The host's number of the push; memory grows with the largest number.
        ///   - rank: Its rank among waiting pushes, 0...7.
        ///   - activity: The host's key of its activity.
        ///   - kind: Its kind.
        @inline(__always)
        public init(push: UInt32, rank: Int, activity: UInt64, kind: StoryLine.PushKind) {
            self.push = push
            self.rank = rank
            self.activity = activity
            self.kind = kind
        }
    }

    /// Creates an idle sender with all connections open.
    init(_ limits: Limits, limiter: TokenBucket?, repeatBudget: RetryBudget?) {
        self.limits = limits
        self.limiter = limiter
        self.repeatBudget = repeatBudget
        lostBy = [Int?](repeating: nil, count: limits.connections)
        connectionsUp = limits.connections
        streamLimit = limits.connections * limits.streams
    }

    // MARK: - Queries

    /// The number of pushes in the queue, including interrupted requests.
    public var waitingCount: Int { queue.count }

    /// `true` if no push waits and no request is in flight, although there are streams.
    @inline(__always)
    var isAtRest: Bool { queue.count | inOrbit | inFlight == 0 && !isSaturated }

    /// Returns `true` if no push waits, and there is room for several times the current requests.
    ///
    /// - Parameter others: The number of further requests that hold streams.
    @inline(__always)
    func hasRoom(besides others: Int32) -> Bool { queue.count == 0 && inFlight + Int(others) < streamLimit / 4 }

    /// `true` if every stream is in use.
    @inline(__always)
    var isSaturated: Bool { inFlight >= streamLimit }

    // MARK: - Admission

    /// The handling of a push that is offered.
    public enum Admission: Hashable, Sendable {
        /// Not sent: above the rate limit.
        case rateLimited
        /// Not sent: it could begin, but is no longer needed.
        case unwanted
        /// The request begins; the host must call ``SenderStation/begin(_:_:at:)``.
        case begins
        /// The request begins instead of another, which now waits in the queue with its remaining time.
        case interrupts(UInt32)
        /// The request begins instead of the oldest content request of its activity, which is cancelled.
        case replaces(UInt32)
        /// The push is in the queue.
        case waits
        /// The push is in the queue, and has displaced another.
        case displaces(UInt32)
        /// The queue is full; the push is offered again later, or dropped.
        case full
    }

    /// Handles an offer of a push, or of a retry.
    ///
    /// - Parameters:
    ///   - isWanted: `true` if it still has an activity, and the server a token for it.
    ///   - isPaused: `true` if no request may begin now.
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

    /// Handles an offer when no stream is free, or when others are before the push in the queue.
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

    /// Queues a push that cannot begin, if there is room.
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

    /// Defers a push that found the queue full.
    ///
    /// - Returns: When it is offered again; the host must call ``cameBack(_:timerSetFor:)`` then.
    public mutating func putOff(_ passage: inout SenderPassage, for absence: TimeSpan, at now: Instant) -> Instant {
        inOrbit += 1
        passage.leaves(until: now + absence)
        return now + absence
    }

    /// Handles a timer of a push that was deferred.
    ///
    /// - Parameter due: The instant that the timer was set for.
    /// - Returns: `true` if the push must be offered again.
    public mutating func cameBack(_ passage: inout SenderPassage, timerSetFor due: Instant) -> Bool {
        guard passage.returns(at: due) else { return false }
        inOrbit -= 1
        return true
    }

    /// Handles a timer of a push's patience.
    ///
    /// - Parameter due: The instant that the timer was set for.
    /// - Returns: `true` if the push is not sent; the push behind it may then be able to begin.
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

    /// The push that ``turn(of:_:isWanted:at:)`` must be called for; nil if none waits, or no stream is free.
    public var nextInLine: UInt32? {
        guard let first = queue.first, inFlight < streamLimit || canInterrupt(forRank: queue.bestRank) else {
            return nil
        }
        return first
    }

    /// The handling of the push that is next in the queue.
    public enum Turn: Hashable, Sendable {
        /// It has left the queue, because it is no longer needed.
        case unwanted
        /// It has left the queue; the host must call ``SenderStation/begin(_:_:at:)``.
        case begins
        /// It has left the queue and begins instead of another request, which now waits there with its remaining time.
        case interrupts(UInt32)
        /// It waits for the rate limit; if there is an instant, the host must call ``SenderStation/tokenDue(at:)``
        /// then.
        case awaitsToken(wakeAt: Instant?)
    }

    /// Handles the turn of a push.
    ///
    /// An interrupted request needs no token and is always finished.
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

    /// Interrupts the newest request of the worst rank for a push of a better rank.
    private mutating func interrupt(forRank rank: Int) -> UInt32? {
        guard canInterrupt(forRank: rank), let newest = underWay.newestOfWorstRank else { return nil }
        let worst = underWay.worstRank
        gaveStreamBack(newest, rank: worst)
        queue.prepend(newest, rank: worst)
        return newest
    }

    /// Cancels the oldest content request of a push's own activity; of two equally old ones, the one of the better
    /// rank.
    ///
    /// Starts and ends are never cancelled, and a start cancels nothing.
    ///
    /// - Complexity: O(*n*) for *n* requests in flight.
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

    /// Begins the request of a push, or resumes it.
    ///
    /// - Returns: The connection that carries it; connections are used in rotation.
    /// - Precondition: ``Admission`` or ``Turn`` has said so.
    @inline(__always)
    public mutating func begin(_ offer: Offer, _ passage: inout SenderPassage, at now: Instant) -> UInt32 {
        // The first request of a push earns retry budget; resuming an interrupted request does not.
        if passage.attempt == 0, passage.standing != .interrupted { repeatBudget?.earn(at: now) }
        passage.begins()
        if limits.preempt != .none { note(offer, at: now) }
        return takeStream()
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

    /// Records a request that may lose its stream to another push.
    private mutating func note(_ offer: Offer, at now: Instant) {
        underWay.append(offer.push, rank: offer.rank)
        guard limits.preempt == .replace else { return }
        let request = Request(activity: offer.activity, isContent: offer.kind.isContent, begunAt: now)
        while requests.count <= Int(offer.push) { requests.append(request) }
        requests[Int(offer.push)] = request
    }

    /// Releases the stream of a request.
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

    /// A request has lost its stream to a push of a better rank, according to ``Admission/interrupts(_:)``, and will
    /// resume later.
    func interrupted(_ passage: inout SenderPassage) { passage.isInterrupted() }

    /// Abandons a request without a stream, or a push that waits.
    @inline(__always)
    func gaveUp(_ passage: inout SenderPassage) { passage.ends() }

    /// The decision about a retry of a request without a response.
    public enum Repetition: Hashable, Sendable {
        /// No: the attempts are used up, or the push is no longer needed.
        case no
        /// Yes: call ``SenderPassage/repeats(at:)`` and offer it again.
        case yes
        /// It would be retried, but the retry budget is spent.
        case withheld
    }

    /// Decides whether a request without a response is retried.
    ///
    /// - Parameters:
    ///   - isUnprocessed: `true` if APNs has named it as unprocessed. The first such request is retried regardless of
    ///     any limit, because APNs has not seen it as a request.
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

    /// Handles the instant that ``Turn/awaitsToken(wakeAt:)`` requested.
    public mutating func tokenDue(at now: Instant) -> Alarm.Ring { tokenAlarm.ring(at: now) }

    // MARK: - Connections

    /// The number of connections, open or lost.
    public var connectionCount: Int { lostBy.count }

    /// The fault that closed a connection; nil while it is open.
    func fault(of connection: Int) -> Int? { lostBy[connection] }

    /// Closes a connection, unless it is already closed.
    public mutating func lose(_ connection: Int, by fault: Int) {
        guard lostBy[connection] == nil else { return }
        lostBy[connection] = fault
        connectionsUp -= 1
    }

    /// Reopens the connections that a fault has closed.
    public mutating func reconnect(after fault: Int) {
        for connection in lostBy.indices where lostBy[connection] == fault {
            lostBy[connection] = nil
            connectionsUp += 1
        }
    }
}
