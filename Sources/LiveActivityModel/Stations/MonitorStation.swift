public import FreshnessCore
public import Quantities

/// One instance from the monitor's viewpoint: its token, its watch, and its next check.
///
/// `InstanceFreshness` decides when content is stale and which action is due. This type adds the rules that hold
/// in every host of a monitor: which token is valid, which responses of APNs count, that a decision to end an instance
/// outlives its token, and that checks are made at scans. It has no clock, no socket and no random source.
///
/// ```
///                    tokenPublished                        act ─► becameRecoverable, becameSevere: act again
///   no token ──────────────────────────► watched ◄──────┐      ─► retry, sendEnd: the host sends, acts at nextCheck
///      ▲  ▲                                 │           │
///      │  └── withdrawn, endAccepted, ──────┤           └─ contentAccepted, refused, rideOver
///      │      refused: .discardToken        │
///      │                                    ▼
///      └───────── activityReplaced ── still watched under a new token: a decision to end remains
/// ```
///
/// A response counts only for the token that its push was sent to. If that token has been replaced, neither an accepted
/// end nor a rejection says anything about the phone behind the new one. Accepted content counts for the watch that its
/// push belongs to, whatever the token.
///
/// The host keeps time, sends, stores and measures. After each call except a query it asks for ``nextCheck(at:_:)``, and
/// calls ``act(at:_:budget:draw:)`` at that time, again as long as the action says so. Calling too early has no effect.
///
/// Its 64 bytes fit into one cache line; a test checks that.
public struct MonitorStation: Hashable, BitwiseCopyable, Sendable {
    // Not private, so that another module can confirm content in place millions of times a second.
    @usableFromInline
    var core: InstanceFreshness?
    /// The number of the current watch, by which responses to pushes of earlier watches are recognised; pushes carry
    /// it.
    public private(set) var watch: UInt8 = 0
    private var flags = Flags()
    /// The valid token, by the host's numbering of the instance's tokens; 0 if nothing may be sent.
    public private(set) var token: UInt32 = 0
    /// The number of times the core was woken: the index of the draw for ``act(at:_:budget:draw:)``.
    public private(set) var wakeCount: UInt32 = 0

    private struct Flags: OptionSet, Hashable, BitwiseCopyable, Sendable {
        var rawValue: UInt8 = 0

        static let rideOver = Flags(rawValue: 1)
        static let givenUp = Flags(rawValue: 2)
        static let awaitsRecord = Flags(rawValue: 4)
    }

    /// Creates an instance about which nothing is known.
    public init() {}

    /// Creates an instance that was known before a restart of the host, without its token.
    ///
    /// - Parameters:
    ///   - isRideOver: `true` if its ride was over.
    ///   - isGivenUp: `true` if the decision to give up on it was durable.
    public init(isRideOver: Bool, isGivenUp: Bool) {
        if isRideOver { flags.insert(.rideOver) }
        if isGivenUp { flags.insert(.givenUp) }
    }

    // MARK: - Packing

    /// Returns `true` if the instance is in the usual state between events: fresh with the content that the phone
    /// shows, and with the phone's token.
    @inline(__always)
    func isAtRest(with token: UInt32, showing content: ContentStamp, at now: Instant, _ rules: MonitorRules) -> Bool {
        self.token == token && flags.isEmpty
            && core?.isUndisturbed(since: content, at: now, policy: rules.policy) ?? false
    }

    /// `true` if the instance never had a token, or its last token is invalid after a successful end and no other is
    /// expected.
    var isDismissed: Bool { token == 0 && flags.isEmpty && core?.isTokenInvalidated ?? true }

    /// Packs or unpacks the state that does not follow from the phone, for a station that is at rest or
    /// ``isDismissed``.
    ///
    /// - Parameters:
    ///   - token: The phone's token.
    ///   - content: The content that the phone shows, or showed last; nil if the instance never had a token.
    ///   - isLive: `true` if the activity is on the screen.
    @inline(__always)
    mutating func transfer(
        through packed: inout some PackedTransfer,
        token: UInt32,
        showing content: ContentStamp?,
        isLive: Bool,
        _ rules: MonitorRules
    ) {
        packed.transfer(&watch)
        packed.transfer(&wakeCount, bytes: 2)
        packed.derive(&self.token, isLive && content != nil ? token : 0)
        // Without a hold, which is over.
        core = content.map { InstanceFreshness(content: $0, at: .start, policy: rules.policy) }
        if !isLive { _ = core?.endReported() }
    }

    // MARK: - Queries

    /// The freshness of the instance; nil before the first token.
    @inlinable
    public var freshness: InstanceFreshness? { core }

    /// `true` if the ride is over; checks then no longer wait for a scan.
    @inline(__always)
    public var isRideOver: Bool { flags.contains(.rideOver) }

    /// `true` if the monitor has given up on the instance.
    public var isGivenUp: Bool { flags.contains(.givenUp) }

    /// `true` if it was decided to end the instance, for any reason; content is no longer accepted.
    public var isEndDecided: Bool { isRideOver || isGivenUp }

    /// `true` if a decision must be made durable before anything is sent; see ``decisionRecorded()``.
    public var awaitsRecord: Bool { flags.contains(.awaitsRecord) }

    /// Returns `true` if APNs' response to a push to a token says anything about the instance.
    @inline(__always)
    public func counts(verdictOn token: UInt32) -> Bool { token == self.token && token != 0 }

    /// `true` if content can be sent.
    @inline(__always)
    public var takesContent: Bool { token != 0 && !(core?.isOver ?? true) }

    /// `true` if an end can be sent.
    @inline(__always)
    public var takesEnds: Bool { token != 0 && !(core?.isClosed ?? true) }

    /// Returns `true` if the server has a token for a push of a kind or, for a push-to-start, waits for one.
    @inline(__always)
    public func takes(_ kind: StoryLine.PushKind) -> Bool {
        switch kind {
        case .start: token == 0
        case .end: takesEnds
        case .update, .retry: takesContent
        }
    }

    /// Returns `true` if nothing is left to do unless the phone or the app's server reports something new.
    public func isDone(_ rules: MonitorRules) -> Bool {
        guard !awaitsRecord else { return false }
        // Without a core, it never had a token.
        return core.map { $0.isOver && $0.nextDue(policy: rules.policy) == .never } ?? true
    }

    /// `true` if the instance has ended or its token was withdrawn, and that is final, according to ``Scenario/Monitor/endsAgainOnNewToken``.
    @inline(__always)
    public func isOver(_ rules: MonitorRules) -> Bool {
        !rules.endsAgain && isEndDecided && core?.isTokenInvalidated ?? false
    }

    // MARK: - Tokens and watches

    /// The progress of the newest content when a token is published.
    public enum ContentProgress: Hashable, Sendable {
        /// It was never sent.
        case unsent
        /// It may have been sent; APNs' acceptance is not known.
        case unconfirmed
        /// APNs has accepted it, or there is no content.
        case confirmed
    }

    /// The effect of a new token.
    public enum Publication: Hashable, Sendable {
        /// The instance is watched; `sendsContent`: the newest content is sent to the token at once, according to
        /// ``MonitorRules/sendsUnconfirmed``.
        case watched(sendsContent: Bool)
        /// The decision to end it remains, because a phone that posts a token was not reached by an end; `isNews`: it
        /// ends from now on.
        case ends(isNews: Bool)
        /// The instance has ended or its token was withdrawn, and according to ``Scenario/Monitor/endsAgainOnNewToken`` that
        /// is final.
        case over
    }

    /// Handles a token that the phone has published, its first or a later one.
    ///
    /// - Parameters:
    ///   - number: The host's number of the token within the instance, not 0.
    ///   - content: The believed content of the screen if a new watch begins.
    ///   - progress: The progress of the newest content.
    @inline(__always)
    public mutating func tokenPublished(
        _ number: UInt32,
        showing content: ContentStamp,
        newest progress: ContentProgress,
        at now: Instant,
        _ rules: MonitorRules
    ) -> Publication {
        token = number
        if isOver(rules) { return .over }
        if core?.isTokenInvalidated ?? true {
            watchAnew(showing: content, at: now, rules)
        } else {
            _ = core?.tokenPublished(at: now)
        }
        guard isEndDecided else {
            return .watched(sendsContent: progress == .unsent || rules.sendsUnconfirmed && progress == .unconfirmed)
        }
        return .ends(isNews: core?.rideOver(at: now) ?? false)
    }

    /// Stores a token for a server whose monitor is elsewhere; nothing is watched.
    public mutating func tokenNoted(_ number: UInt32) {
        token = number
    }

    /// Begins another watch, because the belief about the screen has turned out to be wrong.
    mutating func watchAnew(showing content: ContentStamp, at now: Instant, _ rules: MonitorRules) {
        core = InstanceFreshness(content: content, at: now, policy: rules.policy)
        watch &+= 1
    }

    /// Replaces the watched activity by another, about which nothing is known before its token.
    public mutating func activityReplaced() {
        core = nil
        watch &+= 1
        flags.remove([.givenUp, .awaitsRecord])
    }

    /// Handles the phone's report of its own end, or the app's withdrawal of the token: nothing more is sent.
    ///
    /// - Returns: `true` if that was news to the core.
    public mutating func withdrawn() -> Bool {
        token = 0
        return core?.endReported() == .invalidateToken
    }

    // MARK: - Responses of APNs

    /// Handles content that APNs has accepted, or that a host that sees screens knows to be shown.
    ///
    /// - Parameter watch: The watch of the push.
    /// - Returns: The effect; nil if it says nothing about the current watch.
    @inlinable
    @inline(__always)
    public mutating func contentAccepted(
        _ content: ContentStamp,
        of watch: UInt8,
        at now: Instant,
        _ rules: MonitorRules
    ) -> InstanceFreshness.Confirmation? {
        guard watch == self.watch else { return nil }
        return core?.contentConfirmed(content, at: now, policy: rules.policy)
    }

    /// Handles an end that APNs has accepted.
    ///
    /// - Parameter token: The token that the end was sent to.
    /// - Returns: `true` if it closes the instance; `false` for a token that was replaced meanwhile.
    public mutating func endAccepted(on token: UInt32) -> Bool {
        counts(verdictOn: token) && endSeen()
    }

    /// Handles an end of the activity that a host has seen on the screen.
    ///
    /// - Returns: `true` if that was news.
    public mutating func endSeen() -> Bool {
        token = 0
        return core?.endConfirmed() == .invalidateToken
    }

    /// The instant before which accepting the content only postpones the lapse; the start of the run if it does more.
    ///
    /// The instance is fresh until that instant, with or without the content, so earlier checks find nothing. A check
    /// at the new lapse must be scheduled.
    @inline(__always)
    func freshUntil(with content: ContentStamp, _ rules: MonitorRules) -> Instant {
        guard let core, let until = core.freshUntil, core.isOlder(than: content) else { return .start }
        return min(until, rules.policy.lapse(of: content))
    }

    /// The effect of a rejection.
    public enum Refusal: Hashable, Sendable {
        /// None: its token has been replaced.
        case outdated
        /// None: the token was found dead before the phone published it once more; see ``RemoteMonitorStation``.
        case publishedSince
        /// None: continue as planned.
        case carryOn
        /// The token is dead and discarded; the instance waits for another.
        case discardToken
    }

    /// Handles a rejected push.
    ///
    /// - Parameters:
    ///   - isEnd: `true` if it was an end.
    ///   - token: The token that it was sent to.
    public mutating func refused(
        isEnd: Bool,
        reason: APNsReason,
        on token: UInt32,
        at now: Instant,
        _ rules: MonitorRules
    ) -> Refusal {
        guard counts(verdictOn: token) else { return .outdated }
        let refusal =
            isEnd
            ? core?.endRefused(reason: reason, policy: rules.policy)
            : core?.pushRefused(reason: reason, at: now, policy: rules.policy)
        guard refusal == .discardToken else { return .carryOn }
        self.token = 0
        return .discardToken
    }

    // MARK: - The end

    /// Records that the ride is over; this also holds for a later token.
    ///
    /// - Returns: `true` if the instance ends from now on; `false` if it was already ending or closed, or was never
    ///   watched.
    public mutating func rideOver(at now: Instant) -> Bool {
        flags.insert(.rideOver)
        return core?.rideOver(at: now) ?? false
    }

    /// Records that the decision to give up on the instance is durable: ends may be sent.
    ///
    /// - Returns: `true` if the instance was waiting for that.
    public mutating func decisionRecorded() -> Bool {
        flags.remove(.awaitsRecord) != nil
    }

    // MARK: - Checks

    /// Records an update to an instance, which earns retry budget whether or not it arrives.
    @inline(__always)
    public static func updateSent(earning budget: inout RetryBudget?, at now: Instant) { budget?.earn(at: now) }

    /// `true` if the next check is at its lapse, which a scan of a `FreshnessTable` finds; any other check needs a
    /// timer.
    public var isFoundByScan: Bool { core?.freshUntil != nil && !isRideOver }

    /// The time of the next check; `never` if nothing is left to do.
    @inline(__always)
    public func nextCheck(at now: Instant, _ rules: MonitorRules) -> Instant {
        guard rules.isEnabled || isRideOver, !awaitsRecord, let due = core?.nextDue(policy: rules.policy)
        else { return .never }
        return look(notBefore: max(due, now), rules)
    }

    /// The first check at or after an instant: at a scan if there are scans.
    ///
    /// The end of a ride is an event of its own and does not wait for a scan.
    @inline(__always)
    public func look(notBefore instant: Instant, _ rules: MonitorRules) -> Instant {
        guard !isRideOver, let scans = rules.scans else { return instant }
        return scans.firstScan(notBefore: instant)
    }

    /// Returns `true` if something is due, regardless of the next scan.
    ///
    /// A host that may check too early calls this first, because ``act(at:_:budget:draw:)`` uses up a draw.
    public func isDue(at now: Instant, _ rules: MonitorRules) -> Bool {
        !awaitsRecord && core.map { $0.nextDue(policy: rules.policy) <= now } ?? false
    }

    /// The next action of the host.
    public enum Action: Hashable, Sendable {
        /// Nothing is due.
        case nothing
        /// The instance has been stale since an instant, but is recoverable.
        case becameRecoverable(since: Instant)
        /// Send fresh content.
        case retry(PushPriority)
        /// An attempt was due, but the retry budget is spent.
        case withholdRetry
        /// The monitor gives up on the instance; `mustRecord`: make that durable, then call
        /// ``MonitorStation/decisionRecorded()``.
        case becameSevere(mustRecord: Bool)
        case sendEnd

        /// `true` if more may be due at this instant, before other instances are handled.
        ///
        /// After a push it is `false`: the immediate effects of a push come before the next decision.
        @inline(__always)
        public var continues: Bool {
            switch self {
            case .becameRecoverable, .becameSevere: true
            case .nothing, .retry, .withholdRetry, .sendEnd: false
            }
        }
    }

    /// Performs the first action that is due.
    ///
    /// - Parameters:
    ///   - budget: The retry budget of all instances; nil for no limit.
    ///   - draw: The draw for the jitter of the next pause, with the index ``wakeCount``; any number if
    ///     ``MonitorRules/needsDraws`` is false.
    @inline(__always)
    public mutating func act(
        at now: Instant,
        _ rules: MonitorRules,
        budget: inout RetryBudget?,
        draw: UInt64
    ) -> Action {
        guard !awaitsRecord else { return .nothing }
        wakeCount &+= 1
        switch core?.wake(at: now, policy: rules.policy, budget: &budget, draw: draw) {
        case nil, .nothing:
            return .nothing
        case .becameRecoverable:
            return .becameRecoverable(since: core?.staleSince ?? now)
        case .retry(_, let priority):
            return .retry(priority)
        case .withholdRetry:
            return .withholdRetry
        case .becameSevere:
            flags.insert(.givenUp)
            if rules.recordsDecisions { flags.insert(.awaitsRecord) }
            return .becameSevere(mustRecord: rules.recordsDecisions)
        case .sendEnd:
            return .sendEnd
        }
    }
}
