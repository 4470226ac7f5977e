import DequeModule
public import FreshnessCore
public import Quantities

/// APNs from the viewpoint of one cell: it responds to requests, decides the fates of accepted pushes, and selects the
/// next request to serve.
///
/// It has no clock, no socket and no random source. Its host reports events with their times, and carries responses and
/// pushes. Requests are identified by the host's numbers.
///
/// ```
///  received ─┬─► silence: no response, and the request has no effect
///            ├─► refused: a response after some time, and no other effect
///            ├─► accepted: a response after some time, and a passage
///            └─► queued ─► join ─► nextInTurn ─► beginService ─┬─► discarded: no response, no passage
///                                                              └─► ends ─► serviceEnded, served: accepted
///
///  passage ─┬─► deadToken, lost: nothing reaches the phone
///           └─► arrives after some time, in the order that ``APNsDestination`` keeps
/// ```
///
/// - An acceptance without a passage is decided when the sender has the response. The host calls ``passage(of:_:at:)``
///   then, but not if the sender has given up on the request.
/// - A request without a response was not processed if its connection is lost, because a GOAWAY names the last stream
///   that was. It gets no response and no delivery; in the queue it is discarded when its turn comes.
/// - If two instants are reported for the death of a token, the earlier one holds.
///
/// Source: Apple, "Sending notification requests to APNs"; RFC 9113, section 6.8.
public struct APNsStation: Sendable {
    private var waiting: Deque<UInt32> = []
    /// The number of requests in service.
    public private(set) var inService = 0

    /// Creates an APNs whose servers are free.
    public init() {}

    /// The number of requests that wait for a server.
    public var waitingCount: Int { waiting.count }

    /// The properties of a request that APNs uses.
    public struct Request: Hashable, Sendable {
        /// The ride that keys its draws.
        public var ride: UInt64
        /// The index of the ride's draws for this request.
        public var drawIndex: UInt32
        /// The number of the ride's token that it is sent to; 0 for a push-to-start.
        public var tokenNumber: UInt32
        /// When that token stopped working; `never` while it works, and for a push-to-start.
        public var tokenDeadSince: Instant
        public var priority: PushPriority
        /// The size of the payload [bytes].
        public var bytes: Int
        /// `true` if it goes to a broadcast channel; another program's token may have any number as its ride.
        public var isToChannel: Bool

        /// Creates a request.
        @inline(__always)
        public init(
            ride: UInt64,
            drawIndex: UInt32,
            tokenNumber: UInt32,
            tokenDeadSince: Instant = .never,
            priority: PushPriority,
            bytes: Int,
            isToChannel: Bool = false
        ) {
            self.ride = ride
            self.drawIndex = drawIndex
            self.tokenNumber = tokenNumber
            self.tokenDeadSince = tokenDeadSince
            self.priority = priority
            self.bytes = bytes
            self.isToChannel = isToChannel
        }

        @inline(__always)
        func hasDeadToken(at now: Instant) -> Bool { tokenDeadSince <= now }
    }

    /// The outcome of a request.
    public enum Reception: Hashable, Sendable {
        /// No response.
        case silence
        /// A rejection, which the sender receives after some time.
        case refused(APNsReason, after: TimeSpan)
        /// An acceptance, which the sender receives after some time; without a passage, the fate is decided then.
        case accepted(after: TimeSpan, Passage?)
        /// The request must wait for a server: ``APNsStation/join(_:)``.
        case queued
    }

    /// The fate of an accepted push.
    public enum Passage: Hashable, Sendable {
        /// The token has stopped working, but APNs did not know.
        case deadToken
        /// The push is lost on its way.
        case lost
        /// It arrives after some time; if the order is kept, not before earlier pushes.
        case arrives(after: TimeSpan)
    }

    // MARK: - Tokens

    /// The time of death of a token for which a time is reported: the earliest of all reports.
    ///
    /// - Parameter known: The time from earlier reports; nil for none.
    public static func death(_ known: Instant?, toldSince since: Instant) -> Instant { min(known ?? .never, since) }

    // MARK: - Requests

    /// Handles a request that has arrived.
    ///
    /// - Complexity: O(1), apart from a search of the faults.
    @inline(__always)
    public func received(_ request: Request, _ rules: APNsRules, at now: Instant) -> Reception {
        // Drawn before any decision: the draws are independent, so the processor computes them in parallel, whereas a
        // decision would have to be predicted until its draw is ready.
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

    /// Returns an acceptance, with the fate of the push if it is decided now.
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

    /// The fate of a push whose acceptance the sender has received now.
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

    /// Adds a request to the queue for the servers.
    public mutating func join(_ request: UInt32) {
        waiting.append(request)
    }

    /// Assigns the next request to a free server; returns nil if none is free or none waits.
    ///
    /// The host must then call ``beginService(of:sentAt:_:at:)``, or ``serviceEnded()`` for a request that has been
    /// lost meanwhile.
    public mutating func nextInTurn(_ rules: APNsRules) -> UInt32? {
        guard let servers = rules.world.scenario.apns.capacity?.servers, inService < servers else { return nil }
        let isNewestFirst = rules.world.scenario.apns.capacity?.order == .lifo
        let next = isNewestFirst ? waiting.popLast() : waiting.popFirst()
        if next != nil { inService += 1 }
        return next
    }

    /// The service of a request that was assigned to a server.
    public enum Service: Hashable, Sendable {
        /// None: the request is too old, and the server is free again.
        case discarded
        /// The server is busy with it until an instant; `never` if it has stopped for good.
        case ends(at: Instant)
    }

    /// Begins the service of a request.
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

    /// Frees a server that has finished a request, or whose request is gone.
    public mutating func serviceEnded() {
        inService -= 1
    }

    /// The outcome for a request that was served now: an acceptance, whose response time counts from now.
    public func served(_ request: Request, _ rules: APNsRules, at now: Instant) -> Reception {
        let draws = rules.draws(request)
        return accepted(request, draws, after: rules.roundTrip(draws, at: now), rules, at: now)
    }
}
