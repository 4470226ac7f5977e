public import FreshnessCore
public import Quantities
import RandomStreams

/// How APNs treats requests, for whoever plays APNs outside of a simulation.
///
/// The same rules and the same draws as in a ``CellSimulation``: a request with the same key meets the same luck. Nothing
/// is kept between requests; what depends on the past (whether a token has died, the queue of servers) is for the caller
/// to keep and to pass.
///
/// ```
///              ┌─ silence: no response, ever
///  answer ─────┼─ refused: the response after a while, nothing else
///              └─ accepted ──► passage ─┬─ deadToken, lost: nothing reaches the phone
///                                       └─ arrives: the push is at the phone after a while
/// ```
public struct APNsConduct: Sendable {
    private let world: World
    private let random: RandomSource
    private let assignment: CellAssignment

    /// The conduct of a scenario's APNs in one of its possible histories.
    ///
    /// - Parameter seed: In place of the scenario's.
    public init(world: World, replication: UInt32 = 0, seed: UInt64? = nil) {
        self.world = world
        random = world.scenario.randomSource(ofReplication: replication, seed: seed)
        assignment = CellAssignment(world, random)
    }

    /// What APNs looks at in a request.
    public struct Request: Hashable, Sendable {
        /// Whom draws concern.
        public var ride: UInt64
        /// Which draws of the ride's are meant.
        public var drawIndex: UInt32
        /// Which of the ride's tokens it goes to; 0 for a push-to-start.
        public var tokenNumber: UInt32
        /// Since when that token no longer works; nil while it does, and for a push-to-start.
        public var tokenDeadSince: Instant?
        /// How urgent.
        public var priority: PushPriority
        /// The size of the payload [bytes].
        public var bytes: Int

        /// A request to a token that works.
        public init(
            ride: UInt64,
            drawIndex: UInt32,
            tokenNumber: UInt32,
            tokenDeadSince: Instant? = nil,
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

        fileprivate var key: RequestKey { RequestKey(ride: ride, drawIndex: drawIndex) }

        fileprivate func hasDeadToken(at now: Instant) -> Bool {
            tokenDeadSince.map { $0 <= now } ?? false
        }
    }

    /// What a sender hears.
    public enum Answer: Hashable, Sendable {
        /// Nothing, and nothing comes of the request.
        case silence
        /// A refusal, after a while.
        case refused(APNsReason, after: TimeSpan)
        /// An acceptance, after a while.
        case accepted(after: TimeSpan)
    }

    /// What becomes of a push that was accepted.
    public enum Passage: Hashable, Sendable {
        /// It gets lost on its way.
        case lost
        /// The token has stopped working, which APNs did not know.
        case deadToken
        /// It reaches the phone after a while, not before others that were on their way.
        ///
        /// Whether it may overtake them is for ``APNsConduct/keepsOrder`` to say; whether the phone has a connection then,
        /// for the phone.
        case arrives(after: TimeSpan)
    }

    /// What APNs answers to a request that reaches it.
    ///
    /// With a queue (``queue()``) the span of an acceptance counts from the end of its service; see ``responseTime(_:at:)``.
    public func answer(_ request: Request, at now: Instant) -> Answer {
        let key = request.key
        if world.isHit(by: world.faults.apnsSilent, key, random, at: now) {
            return .silence
        }
        let travel = world.roundTrip(key, random, at: now)
        if let reason = refusal(request, at: now) {
            return .refused(reason, after: travel)
        }
        return .accepted(after: travel)
    }

    private func refusal(_ request: Request, at now: Instant) -> APNsReason? {
        if let reason = world.refusal(request.key, bytes: request.bytes, random, at: now) {
            return reason
        }
        guard let death = request.tokenDeadSince, death <= now else { return nil }
        let isKnown = world.isKnownDead(token: request.tokenNumber, of: request.ride, since: death, random, at: now)
        return isKnown ? .unregistered : nil
    }

    /// How long a response that leaves now travels: after a service, the instant of its end.
    public func responseTime(_ request: Request, at now: Instant) -> TimeSpan {
        world.roundTrip(request.key, random, at: now)
    }

    /// What becomes of an accepted push, decided now; the request says what is true of its token now.
    ///
    /// - Parameter now: The instant of the request, or of the end of its service; that at which the sender has the response
    ///   where ``decidesWithResponse`` is true, and then only if the sender has not given up before.
    public func passage(_ request: Request, at now: Instant) -> Passage {
        if request.hasDeadToken(at: now) {
            return .deadToken
        }
        if world.isLost(request.key, request.priority, random) {
            return .lost
        }
        return .arrives(after: world.transit(request.key, request.priority, random, at: now))
    }

    /// Whether what becomes of a push is decided when the sender has the response, and not when APNs has the request.
    public var decidesWithResponse: Bool { !world.rules.decidesAtRequest }

    /// Whether no push overtakes an earlier one of the same activity: it arrives then when that one does.
    public var keepsOrder: Bool { !world.rules.reorders }

    /// Whether the scenario says by a script what becomes of requests; then nothing of this conduct holds.
    public var isScripted: Bool { world.rules.hasScript }

    /// After what time a sender gives a request up.
    public var timeout: TimeSpan { world.rules.timeout }

    // MARK: - The queue

    /// How many cells there are, each with servers of its own.
    public var cells: Int { world.scenario.cells }

    /// The cell whose servers serve a request.
    public func cell(of request: Request) -> Int { assignment.cell(ofRide: request.ride) }

    /// The queue of the servers that serve one cell; nil where APNs has room for every request at once.
    ///
    /// Accepted requests join it in place of being answered; refusals need no service.
    public func queue() -> APNsQueue? {
        world.queueing.map { _ in APNsQueue() }
    }

    /// Takes the request that a free server turns to; nil when none is free or none waits.
    ///
    /// The caller discards it without service where ``isDiscarded(sentAt:at:)``, calling ``APNsQueue/served()`` at once.
    public func next(of queue: inout APNsQueue) -> UInt32? {
        guard let rules = world.queueing else { return nil }
        return queue.next(rules)
    }

    /// Whether a request is too old to be served when its turn comes.
    public func isDiscarded(sentAt: Instant, at now: Instant) -> Bool {
        world.queueing.map { $0.dropsExpired && sentAt + world.rules.timeout < now } ?? false
    }

    /// When the service of a request that begins now ends.
    public func endOfService(_ request: Request, at now: Instant) -> Instant {
        guard let rules = world.queueing else { return now }
        return world.endOfService(request.key, rules, random, at: now)
    }
}
