public import FreshnessCore
public import Quantities

/// One instance as the monitor sees it: its token, the watch over it, and when to look at it next.
///
/// `InstanceFreshness` decides when content is stale and what is due; this is what stands around it wherever a monitor
/// runs: which token is valid, which answer of APNs counts, that a decision to end outlives its token, that looks come at
/// scans. It has no clock, socket or source of chance.
///
/// ```
///                    tokenPublished                        act ─► becameRecoverable, becameSevere: act again
///   no token ──────────────────────────► watched ◄──────┐      ─► retry, sendEnd: the host sends, then looks at nextLook
///      ▲  ▲                                 │           │
///      │  └── withdrawn, endAccepted, ──────┤           └─ contentAccepted, refused, rideOver
///      │      refused: .discardToken        │
///      │                                    ▼
///      └───────── activityReplaced ── the same under a new token: the decision to end stands
/// ```
///
/// An answer counts for the token that its push was sent to: to a token that has been replaced since, neither an accepted
/// end nor a refusal says anything about the phone behind the new one. Content that APNs accepted counts for the watch that
/// its push belongs to, whatever the token.
///
/// The host keeps time, sends, stores and measures. After each call but a query it asks for ``nextLook(at:_:)`` and calls
/// ``act(at:_:budget:draw:)`` then, again as long as the action says so. Calling too early does nothing.
///
/// Its 64 bytes are one line of a processor's cache; a test holds it to that.
public struct MonitorStation: Hashable, BitwiseCopyable, Sendable {
    // Not private so that another module can confirm content in place, millions of times a second.
    @usableFromInline
    var core: InstanceFreshness?
    /// Counts watches, so that an answer to a push of an earlier one can be told; pushes carry it.
    public private(set) var watch: UInt8 = 0
    private var flags = Flags()
    /// The valid token, as the host numbers the instance's tokens; 0 where nothing may be sent.
    public private(set) var token: UInt32 = 0
    /// How often the core was woken: the index of the draw that ``act(at:_:budget:draw:)`` wants.
    public private(set) var wakeCount: UInt32 = 0

    private struct Flags: OptionSet, Hashable, BitwiseCopyable, Sendable {
        var rawValue: UInt8 = 0

        static let rideOver = Flags(rawValue: 1)
        static let givenUp = Flags(rawValue: 2)
        static let awaitsRecord = Flags(rawValue: 4)
    }

    /// An instance of which nothing is known.
    public init() {}

    /// An instance that was known before the host was restarted, without its token.
    ///
    /// - Parameters:
    ///   - isRideOver: Whether its ride was over.
    ///   - isGivenUp: Whether the decision to give it up was durable.
    public init(isRideOver: Bool, isGivenUp: Bool) {
        if isRideOver { flags.insert(.rideOver) }
        if isGivenUp { flags.insert(.givenUp) }
    }

    // MARK: - Rest

    /// Whether it is as nearly all are between events: fresh by what the phone shows, with the phone's token.
    @inline(__always)
    func isAtRest(with token: UInt32, showing content: ContentStamp, at now: Instant, _ rules: MonitorRules) -> Bool {
        self.token == token && flags.isEmpty
            && core?.isUndisturbed(since: content, at: now, policy: rules.policy) ?? false
    }

    /// Whether the instance never had a token, or the last is invalid after an end that worked, and no other is expected.
    var isDismissed: Bool { token == 0 && flags.isEmpty && core?.isTokenInvalidated ?? true }

    /// Packs or unpacks all that does not follow from the phone, of a station that is at rest or ``isDismissed``.
    ///
    /// - Parameters:
    ///   - token: The phone's.
    ///   - content: What it shows, or showed last; nil where the instance never had a token.
    ///   - isLive: Whether it is on the screen.
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
        // Without a hold that is over.
        core = content.map { InstanceFreshness(content: $0, at: .start, policy: rules.policy) }
        if !isLive { _ = core?.endReported() }
    }

    // MARK: - Queries

    /// What the core thinks of the instance; nil before the first token.
    @inlinable
    public var freshness: InstanceFreshness? { core }

    /// Whether the ride is over: from then on looks wait for no scan.
    @inline(__always)
    public var isRideOver: Bool { flags.contains(.rideOver) }

    /// Whether the monitor has given the instance up.
    public var isGivenUp: Bool { flags.contains(.givenUp) }

    /// Whether it was decided to end the instance, for whichever reason: no content is taken any more.
    public var isEndDecided: Bool { isRideOver || isGivenUp }

    /// Whether a decision is to be made durable before anything is sent; see ``decisionRecorded()``.
    public var awaitsRecord: Bool { flags.contains(.awaitsRecord) }

    /// Whether APNs' verdict on a push to a token says anything about the instance.
    @inline(__always)
    public func counts(verdictOn token: UInt32) -> Bool { token == self.token && token != 0 }

    /// Whether content can be sent.
    @inline(__always)
    public var takesContent: Bool { token != 0 && !(core?.isOver ?? true) }

    /// Whether an end can be sent.
    @inline(__always)
    public var takesEnds: Bool { token != 0 && !(core?.isClosed ?? true) }

    /// Whether the server has a token for a push of a kind, or, for a push-to-start, waits for one.
    @inline(__always)
    public func takes(_ kind: StoryLine.PushKind) -> Bool {
        switch kind {
        case .start: token == 0
        case .end: takesEnds
        case .update, .retry: takesContent
        }
    }

    /// Whether nothing is left to do, unless the phone or the app's server says something new.
    public func isDone(_ rules: MonitorRules) -> Bool {
        guard !awaitsRecord else { return false }
        // Without a core it never had a token.
        return core.map { $0.isOver && $0.nextDue(policy: rules.policy) == .never } ?? true
    }

    // MARK: - Tokens and watches

    /// How far the newest content has come when a token is published.
    public enum ContentProgress: Hashable, Sendable {
        /// It was not sent to any token.
        case unsent
        /// It may have been sent; that APNs has accepted it is not known.
        case unconfirmed
        /// APNs has accepted it, or there is none.
        case confirmed
    }

    /// What a new token leads to.
    public enum Publication: Hashable, Sendable {
        /// The instance is watched; `sendsContent`: the newest content goes to the token at once, by
        /// ``MonitorRules/sendsUnconfirmed``.
        case watched(sendsContent: Bool)
        /// The decision to end it stands, for who posts a token was not reached by an end; `isNews`: it ends from now on.
        case ends(isNews: Bool)
        /// An end was accepted, and by ``Scenario/Monitor/endsAgainOnNewToken`` that is the end.
        case over
    }

    /// The phone has published a token, its first or another.
    ///
    /// - Parameters:
    ///   - number: The host's number of the token among those of the instance, not 0.
    ///   - content: What the screen is believed to show where a new watch begins.
    ///   - progress: How far the newest content has come.
    @inline(__always)
    public mutating func tokenPublished(
        _ number: UInt32,
        showing content: ContentStamp,
        newest progress: ContentProgress,
        at now: Instant,
        _ rules: MonitorRules
    ) -> Publication {
        token = number
        let isInvalidated = core?.isTokenInvalidated
        if !rules.endsAgain, isEndDecided, isInvalidated ?? false { return .over }
        if isInvalidated ?? true {
            watchAnew(showing: content, at: now, rules)
        } else {
            _ = core?.tokenPublished(at: now)
        }
        guard isEndDecided else {
            return .watched(sendsContent: progress == .unsent || rules.sendsUnconfirmed && progress == .unconfirmed)
        }
        return .ends(isNews: core?.rideOver(at: now) ?? false)
    }

    /// A token has come to a server whose monitor is elsewhere: it is kept and nothing is watched.
    public mutating func tokenNoted(_ number: UInt32) {
        token = number
    }

    /// Begins another watch, because all that was believed of the screen has turned out to be wrong.
    mutating func watchAnew(showing content: ContentStamp, at now: Instant, _ rules: MonitorRules) {
        core = InstanceFreshness(content: content, at: now, policy: rules.policy)
        watch &+= 1
    }

    /// Another activity takes the place of the one that was watched: nothing is known of it before its token.
    public mutating func activityReplaced() {
        core = nil
        watch &+= 1
        flags.remove([.givenUp, .awaitsRecord])
    }

    /// The phone has reported its own end, or the app has withdrawn the token: nothing more is sent.
    ///
    /// - Returns: Whether that was news to the core.
    public mutating func withdrawn() -> Bool {
        token = 0
        return core?.endReported() == .invalidateToken
    }

    // MARK: - What APNs says

    /// APNs has accepted content, or a host that sees screens knows that it is shown.
    ///
    /// - Parameter watch: That of the push.
    /// - Returns: What it meant; nil where it says nothing about the present watch.
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

    /// APNs has accepted an end.
    ///
    /// - Parameter token: That which the end went to.
    /// - Returns: Whether it closes the instance; false for a token that was replaced meanwhile.
    public mutating func endAccepted(on token: UInt32) -> Bool {
        counts(verdictOn: token) && endSeen()
    }

    /// A host that sees screens has seen the activity end.
    ///
    /// - Returns: Whether that was news.
    public mutating func endSeen() -> Bool {
        token = 0
        return core?.endConfirmed() == .invalidateToken
    }

    /// Before which instant content only moves the lapse away, if APNs accepts it; the start of the run, before which nothing
    /// comes, where it does more.
    ///
    /// The instance is fresh up to that instant, with the content and without, and looks that come before find nothing; one at
    /// the new lapse is to be appointed.
    @inline(__always)
    func freshUntil(with content: ContentStamp, _ rules: MonitorRules) -> Instant {
        guard let core, let until = core.freshUntil, core.isOlder(than: content) else { return .start }
        return min(until, rules.policy.lapse(of: content))
    }

    /// Content is going to be accepted with which the instance stays fresh.
    @inline(__always)
    mutating func contentAhead(_ content: ContentStamp, _ rules: MonitorRules) {
        core?.renewed(by: content, policy: rules.policy)
    }

    /// What a refusal leads to.
    public enum Refusal: Hashable, Sendable {
        /// It was about a token that has been replaced.
        case outdated
        /// The token was found dead before the phone published it once more; see ``RemoteMonitorStation``.
        case publishedSince
        /// Go on as planned.
        case carryOn
        /// The token is dead and forgotten; the instance waits for another.
        case discardToken
    }

    /// APNs has refused a push.
    ///
    /// - Parameters:
    ///   - isEnd: Whether it was an end.
    ///   - token: That which it went to.
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

    /// The ride is over; should a token come later, that still holds.
    ///
    /// - Returns: Whether the instance ends from now on: false where it was ending or closed, or was never watched.
    public mutating func rideOver(at now: Instant) -> Bool {
        flags.insert(.rideOver)
        return core?.rideOver(at: now) ?? false
    }

    /// The decision to give the instance up is durable: ends may be sent.
    ///
    /// - Returns: Whether that was waited for.
    public mutating func decisionRecorded() -> Bool {
        flags.remove(.awaitsRecord) != nil
    }

    // MARK: - Looking

    /// An update goes out to an instance: it earns budget for retries, whether or not it arrives.
    @inline(__always)
    public static func updateSent(earning budget: inout RetryBudget?, at now: Instant) { budget?.earn(at: now) }

    /// Whether the next look is at its lapse, which a scan of a `FreshnessTable` finds; all else has to be remembered.
    public var isFoundByScan: Bool { core?.freshUntil != nil && !isRideOver }

    /// When to look at the instance next; `never` if nothing is left to do.
    @inline(__always)
    public func nextLook(at now: Instant, _ rules: MonitorRules) -> Instant {
        guard rules.isEnabled || isRideOver, !awaitsRecord, let due = core?.nextDue(policy: rules.policy)
        else { return .never }
        return look(notBefore: max(due, now), rules)
    }

    /// The first look at or after an instant: at a scan if there are scans.
    ///
    /// The end of a ride is an event of its own, for which no scan has to come.
    @inline(__always)
    public func look(notBefore instant: Instant, _ rules: MonitorRules) -> Instant {
        guard !isRideOver, let scans = rules.scans else { return instant }
        return scans.firstScan(notBefore: instant)
    }

    /// Whether something is due, whenever the next scan is.
    ///
    /// A host that may look too early asks this first, for ``act(at:_:budget:draw:)`` uses up a draw.
    public func isDue(at now: Instant, _ rules: MonitorRules) -> Bool {
        !awaitsRecord && core.map { $0.nextDue(policy: rules.policy) <= now } ?? false
    }

    /// What the host has to do, one thing at a time.
    public enum Action: Hashable, Sendable {
        /// Nothing is due.
        case nothing
        /// The instance is stale since an instant, but recoverable.
        case becameRecoverable(since: Instant)
        /// Send fresh content.
        case retry(PushPriority)
        /// An attempt was due, but the budget of retries is spent.
        case withholdRetry
        /// The instance is given up; `mustRecord`: make that durable, then report ``MonitorStation/decisionRecorded()``.
        case becameSevere(mustRecord: Bool)
        /// Send an end.
        case sendEnd

        /// Whether more may be due at this instant, before others get their turn.
        ///
        /// One push at a time: what it leads to at this very instant comes before the next decision.
        @inline(__always)
        public var continues: Bool {
            switch self {
            case .becameRecoverable, .becameSevere: true
            case .nothing, .retry, .withholdRetry, .sendEnd: false
            }
        }
    }

    /// Does the first thing that is due.
    ///
    /// - Parameters:
    ///   - budget: What the retries of all instances share; nil for no limit.
    ///   - draw: For the jitter of the next pause, with the index ``wakeCount``; any number where
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
