import DequeModule
public import FreshnessCore
public import Quantities

/// APNs as the requests of one cell meet it: what it answers, what becomes of accepted pushes, which request is served next.
///
/// It has no clock, socket or source of chance: its host says what happens and when, and carries answers and pushes.
/// Requests go by numbers of the host's.
///
/// ```
///  received ─┬─► silence: no answer, and nothing comes of the request
///            ├─► refused: an answer after a while, nothing else
///            ├─► accepted: an answer after a while, and a passage
///            └─► queued ─► join ─► nextInTurn ─► beginService ─┬─► discarded: no answer, no passage
///                                                              └─► ends ─► serviceEnded, served: accepted
///
///  passage ─┬─► deadToken, lost: nothing reaches the phone
///           └─► arrives after a while, in the order that ``APNsDestination`` keeps
/// ```
///
/// - An acceptance without a passage is decided when the sender has the answer: the host asks for ``passage(of:_:at:)``
///   then, and not at all for a sender that has given the request up.
/// - What is unanswered when its connection is lost was not processed, wherever it is: a GOAWAY names the last stream that
///   was. It is not answered and does not arrive; in the queue it is discarded when its turn comes.
/// - A token that is told to have died twice died at the earlier instant.
///
/// Source: Apple, "Sending notification requests to APNs"; RFC 9113, section 6.8.
public struct APNsStation: Sendable {
    private var waiting: Deque<UInt32> = []
    /// How many requests are in service.
    public private(set) var inService = 0

    /// An APNs whose servers are free.
    public init() {}

    /// How many requests wait for a server.
    public var waitingCount: Int { waiting.count }

    /// What APNs looks at in a request.
    public struct Request: Hashable, Sendable {
        /// The ride whose draws it meets.
        public var ride: UInt64
        /// Which draws of the ride's are meant.
        public var drawIndex: UInt32
        /// Which of the ride's tokens it goes to; 0 for a push-to-start.
        public var tokenNumber: UInt32
        /// Since when that token no longer works; `never` while it does, and for a push-to-start.
        public var tokenDeadSince: Instant
        /// How urgent.
        public var priority: PushPriority
        /// The size of the payload [bytes].
        public var bytes: Int

        /// A request.
        @inline(__always)
        public init(
            ride: UInt64,
            drawIndex: UInt32,
            tokenNumber: UInt32,
            tokenDeadSince: Instant = .never,
            priority: PushPriority,
            bytes: Int
        ) {
            self.ride = ride
            self.drawIndex = drawIndex
            self.tokenNumber = tokenNumber
            self.tokenDeadSince = tokenDeadSince
            self.priority = priority
            self.bytes = bytes
        }

        @inline(__always)
        func hasDeadToken(at now: Instant) -> Bool { tokenDeadSince <= now }
    }

    /// What comes of a request.
    public enum Reception: Hashable, Sendable {
        /// No answer, ever.
        case silence
        /// A refusal, which the sender has after a while.
        case refused(APNsReason, after: TimeSpan)
        /// An acceptance, which the sender has after a while; without a passage that is decided then.
        case accepted(after: TimeSpan, Passage?)
        /// It is to wait for a server: ``APNsStation/join(_:)``.
        case queued
    }

    /// What becomes of a push that was accepted.
    public enum Passage: Hashable, Sendable {
        /// The token has stopped working, which APNs did not know.
        case deadToken
        /// It gets lost on its way.
        case lost
        /// It is at the phone after a while, though not before others that were on their way where order is kept.
        case arrives(after: TimeSpan)
    }

    // MARK: - Tokens

    /// When a token died that is told to have: at the earliest instant that was told.
    ///
    /// - Parameter known: What was told before; nil: nothing.
    public static func death(_ known: Instant?, toldSince since: Instant) -> Instant { min(known ?? .never, since) }

    // MARK: - Requests

    /// A request has come in.
    ///
    /// - Complexity: O(1) but for faults, which are looked through.
    @inline(__always)
    public func received(_ request: Request, _ rules: APNsRules, at now: Instant) -> Reception {
        // Drawn before anything is decided: draws wait for nothing, so the processor works on all of them at a time, while
        // what becomes of a push can only be guessed until they are there.
        let draws = rules.draws(request)
        let roundTrip = rules.roundTrip(draws, at: now)
        if rules.isHit(request, by: rules.world.faults.apnsSilent, at: now) {
            return .silence
        }
        if let reason = rules.refusal(request, draws, at: now) {
            return .refused(reason, after: roundTrip)
        }
        if rules.hasQueue {
            return .queued
        }
        return accepted(request, draws, after: roundTrip, rules, at: now)
    }

    /// An acceptance, with what becomes of the push where that is decided now.
    @inline(__always)
    private func accepted(
        _ request: Request,
        _ draws: APNsRules.Draws,
        after roundTrip: TimeSpan,
        _ rules: APNsRules,
        at now: Instant
    ) -> Reception {
        .accepted(after: roundTrip, rules.decidesWithResponse ? nil : passage(of: request, draws, rules, at: now))
    }

    /// What comes of a request to a token that works, while no fault lasts and there are no servers to wait for:
    /// ``received(_:_:at:)`` and ``passage(of:_:at:)`` in one.
    ///
    /// - Parameter request: Its payload is not looked at, which has to fit.
    /// - Returns: After which time the sender has the acceptance, and how long the way to the phone takes once it is decided;
    ///   nil for a request that is refused, or a push that gets lost.
    @inline(__always)
    func calmCourse(of request: Request, _ rules: APNsRules) -> (answer: TimeSpan, way: TimeSpan)? {
        let draws = rules.draws(request)
        guard rules.refusalByChance(draws) == nil, !rules.isLost(request, draws) else { return nil }
        return (rules.roundTrip(draws), rules.transit(request, draws))
    }

    /// What becomes of a push whose acceptance the sender has now.
    @inline(__always)
    public func passage(of request: Request, _ rules: APNsRules, at now: Instant) -> Passage {
        passage(of: request, rules.draws(request), rules, at: now)
    }

    @inline(__always)
    private func passage(
        of request: Request,
        _ draws: APNsRules.Draws,
        _ rules: APNsRules,
        at now: Instant
    ) -> Passage {
        if request.hasDeadToken(at: now) { return .deadToken }
        return rules.isLost(request, draws) ? .lost : .arrives(after: rules.transit(request, draws, at: now))
    }

    // MARK: - Servers

    /// A request waits for a server.
    public mutating func join(_ request: UInt32) {
        waiting.append(request)
    }

    /// A free server turns to the request that is next; nil when none is free or none waits.
    ///
    /// ``beginService(of:sentAt:_:at:)`` is to follow, or ``serviceEnded()`` for a request that was lost meanwhile.
    public mutating func nextInTurn(_ rules: APNsRules) -> UInt32? {
        guard let servers = rules.world.scenario.apns.capacity?.servers, inService < servers else { return nil }
        let isNewestFirst = rules.world.scenario.apns.capacity?.order == .lifo
        let next = isNewestFirst ? waiting.popLast() : waiting.popFirst()
        if next != nil { inService += 1 }
        return next
    }

    /// What a server does with the request that it has turned to.
    public enum Service: Hashable, Sendable {
        /// It has turned away again, as the request is too old, and is free.
        case discarded
        /// It is busy with it up to an instant; `never` for one that is halted for good.
        case ends(at: Instant)
    }

    /// A server begins with a request.
    ///
    /// - Parameter sentAt: When its sender began to wait.
    public mutating func beginService(
        of request: Request,
        sentAt: Instant,
        _ rules: APNsRules,
        at now: Instant
    ) -> Service {
        if rules.world.scenario.apns.capacity?.dropExpired == true, !rules.isHeard(after: now - sentAt) {
            serviceEnded()
            return .discarded
        }
        return .ends(at: rules.endOfService(request, at: now))
    }

    /// A server has done with a request, or with one that is gone, and is free.
    public mutating func serviceEnded() {
        inService -= 1
    }

    /// What the sender of a request hears that was served now: an acceptance, whose answer takes its time from now.
    public func served(_ request: Request, _ rules: APNsRules, at now: Instant) -> Reception {
        let draws = rules.draws(request)
        return accepted(request, draws, after: rules.roundTrip(draws, at: now), rules, at: now)
    }
}
