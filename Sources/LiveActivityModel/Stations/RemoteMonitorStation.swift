public import FreshnessCore
public import Quantities

/// Content that the app's server wants on a screen, as far as a monitor decides by it.
public struct Announcement: Hashable, Sendable {
    /// When the content was generated, and until when it is good.
    public var content: ContentStamp
    /// The priority of its first push; retries take that of the policy.
    public var priority: PushPriority
    /// How long the content is good for from the moment of a retry on; nil: a retry carries the stale date that was announced.
    ///
    /// Content that says "your driver waits" is as true a minute later, and only its owner knows that.
    public var renewal: TimeSpan?

    /// An announcement.
    public init(content: ContentStamp, priority: PushPriority, renewal: TimeSpan? = nil) {
        self.content = content
        self.priority = priority
        self.renewal = renewal
    }
}

/// One instance as a monitor apart from the app's server sees it.
///
/// A monitor in the app's server makes content when it sends. One that stands apart sends what was announced to it. So it
/// remembers, around a ``MonitorStation``, the newest announcement, what the screen is believed to show, and which numbers
/// and timestamps its pushes have had.
///
/// ```
///   app's server ── tokenPublished, withdrawn, contentAnnounced, rideOver ──►┐
///   time ────────── act, when monitor.nextLook says so ─────────────────────►├─► update, retry, end: a push to send
///   APNs ────────── accepted, refused ───────────────────────────────────────►┘
/// ```
///
/// The host keeps time and stores, and asks ``monitor`` when to look next. It hands in what the app's server says once that is
/// durable. Its ``SenderStation`` decides when a push goes, and whether it goes again; ``addressed(_:)`` says whether the
/// instance still takes it then.
public struct RemoteMonitorStation: Sendable {
    /// Which token is valid, what is due and when.
    public private(set) var monitor = MonitorStation()
    /// What the instance is to show.
    public private(set) var announced: Announcement?
    /// What it is believed to show, if anything is known.
    public private(set) var confirmed: ContentStamp?
    /// When the valid token was published.
    private var publishedAt = Instant.start
    private var tokenCount: UInt32 = 0
    private var numbers = PushNumbers()
    private var timestamps = RisingTimestamps(above: 0)

    /// A push that is to go.
    public struct Push: Hashable, Sendable {
        /// What it is for.
        public let kind: StoryLine.PushKind
        /// Its priority.
        public fileprivate(set) var priority: PushPriority
        /// The content that it carries.
        public fileprivate(set) var content: ContentStamp
        /// The timestamp of its payload [UNIX s].
        public fileprivate(set) var timestamp: Int64
        /// Keys the draws of its request; see `PushIndex`.
        public fileprivate(set) var requestIndex: UInt32
        /// The number of the token that it goes to.
        fileprivate var token: UInt32
        /// The watch that it belongs to.
        fileprivate var watch: UInt8

        /// It is sent once more: the same push in another request.
        public mutating func repeated() { requestIndex = PushNumbers.repeatIndex(of: requestIndex) }

        /// A newer push finds it waiting: it carries from now on what that was to carry, where ``WaitingPush`` says so.
        public mutating func joined(by newer: Push) -> WaitingPush.Joining {
            let joining = WaitingPush.joining(
                newer.kind,
                newer.priority,
                ofWatch: newer.watch,
                toWaiting: kind,
                priority
            )
            guard case .renews(let withIndex, let priority, let watch) = joining else { return joining }
            (content, timestamp) = (newer.content, newer.timestamp)
            (self.priority, self.watch) = (priority, watch)
            if withIndex { requestIndex = newer.requestIndex }
            return joining
        }
    }

    /// An instance of which nothing is known.
    public init() {}

    /// An instance that was known before the host was restarted, without its token.
    ///
    /// What was under way when the last process ended is not known. Its pushes had timestamps of its last second at most, so
    /// new ones begin above that.
    ///
    /// - Parameters:
    ///   - isRideOver: Whether its ride was over.
    ///   - isGivenUp: Whether the decision to give it up was durable.
    ///   - announced: What it is to show.
    ///   - confirmed: What it is believed to show.
    ///   - life: Tells the host's lives apart; see ``PushNumbers/init(ofLife:)``.
    ///   - now: The present, or the last instant of the process before, whichever is later.
    public init(
        isRideOver: Bool,
        isGivenUp: Bool,
        announced: Announcement?,
        confirmed: ContentStamp?,
        life: UInt32,
        at now: Instant
    ) {
        monitor = MonitorStation(isRideOver: isRideOver, isGivenUp: isGivenUp)
        self.announced = announced
        self.confirmed = confirmed
        numbers = PushNumbers(ofLife: life)
        timestamps = RisingTimestamps(above: Self.seconds(now))
    }

    // MARK: - What the app's server says

    /// A token was published, or has taken the place of another.
    ///
    /// - Parameters:
    ///   - publishedAt: When the host heard of it, before it was durable.
    ///   - shown: What the activity shows, if the app has said so.
    public mutating func tokenPublished(
        publishedAt: Instant,
        shown: ContentStamp?,
        at now: Instant,
        _ rules: MonitorRules
    ) -> MonitorStation.Publication {
        if let shown { confirmed = shown }
        self.publishedAt = publishedAt
        tokenCount &+= 1
        return monitor.tokenPublished(
            tokenCount,
            showing: believed(at: now),
            newest: isAnnouncedNews ? .unconfirmed : .confirmed,
            at: now,
            rules
        )
    }

    /// The app has withdrawn the token: nothing more is sent.
    public mutating func withdrawn() { _ = monitor.withdrawn() }

    /// What an announcement meets.
    public enum Reception: Hashable, Sendable {
        /// It is the newest; `isSent`: there is a token that takes it.
        case new(isSent: Bool)
        /// It was announced before.
        case repeated
        /// Other content was announced as generated at the same instant.
        case other
        /// Newer content was announced before.
        case older(thanGeneratedAt: Instant)
        /// The instance ends, and nothing revives it.
        case ended
    }

    /// What an announcement would meet.
    ///
    /// - Parameter isSameState: Whether its content is that of the newest announcement, byte by byte, which the host keeps.
    public func reception(of announcement: Announcement, isSameState: Bool = true) -> Reception {
        if monitor.isEndDecided { return .ended }
        let generatedAt = announcement.content.generatedAt
        if let announced, generatedAt <= announced.content.generatedAt {
            guard generatedAt == announced.content.generatedAt else {
                return .older(thanGeneratedAt: announced.content.generatedAt)
            }
            return isSameState && announcement == announced ? .repeated : .other
        }
        return .new(isSent: monitor.takesContent)
    }

    /// Content is to be shown.
    public mutating func contentAnnounced(
        _ announcement: Announcement,
        isSameState: Bool = true,
        at now: Instant,
        _ rules: MonitorRules
    ) -> Reception {
        let reception = reception(of: announcement, isSameState: isSameState)
        guard case .new(let isSent) = reception else { return reception }
        let isFirst = announced == nil
        announced = announcement
        numbers.contentArose()
        // Until now there was nothing newer than what the screen shows, whatever that is.
        if isFirst, confirmed == nil, isSent { monitor.watchAnew(showing: believed(at: now), at: now, rules) }
        return reception
    }

    /// The ride is over; see ``MonitorStation/rideOver(at:)``.
    public mutating func rideOver(at now: Instant) -> Bool { monitor.rideOver(at: now) }

    /// Whether content was announced that is newer than what the screen is believed to show.
    private var isAnnouncedNews: Bool {
        guard let announced else { return false }
        return confirmed.map { announced.content.generatedAt > $0.generatedAt } ?? true
    }

    /// What the screen is believed to show; where the app has not said, that is out of date once there is newer content.
    private func believed(at now: Instant) -> ContentStamp {
        confirmed ?? ContentStamp(generatedAt: .start, staleDate: announced == nil ? .never : now)
    }

    // MARK: - Looking

    /// Does the first thing that is due; see ``MonitorStation/act(at:_:budget:draw:)``.
    public mutating func act(
        at now: Instant,
        _ rules: MonitorRules,
        budget: inout RetryBudget?,
        draw: UInt64
    ) -> MonitorStation.Action {
        monitor.act(at: now, rules, budget: &budget, draw: draw)
    }

    /// The decision to give the instance up is durable; see ``MonitorStation/decisionRecorded()``.
    public mutating func decisionRecorded() -> Bool { monitor.decisionRecorded() }

    // MARK: - Pushes

    /// The newest content, for the first time to a token; nil where there is none, or no token.
    public mutating func update() -> Push? {
        guard let announced else { return nil }
        return push(.update, announced.priority, announced.content, of: announced.content.generatedAt)
    }

    /// The newest content once more, good for longer if its owner allows that; nil where there is none, or no token.
    public mutating func retry(_ priority: PushPriority, at now: Instant) -> Push? {
        guard let announced else { return nil }
        let renewed = announced.renewal.map { ContentStamp(generatedAt: now, staleDate: now + $0) }
        return push(.retry, priority, renewed ?? announced.content, of: now)
    }

    /// An end; nil where there is no token.
    public mutating func end(at now: Instant) -> Push? {
        push(.end, .immediate, announced?.content ?? ContentStamp(generatedAt: now, staleDate: .never), of: now)
    }

    private mutating func push(
        _ kind: StoryLine.PushKind,
        _ priority: PushPriority,
        _ content: ContentStamp,
        of moment: Instant
    ) -> Push? {
        guard monitor.token != 0 else { return nil }
        return Push(
            kind: kind,
            priority: priority,
            content: content,
            timestamp: timestamps.next(for: Self.seconds(moment), step: 1),
            requestIndex: numbers.takeRequestIndex(for: kind),
            token: monitor.token,
            watch: monitor.watch
        )
    }

    private static func seconds(_ instant: Instant) -> Int64 { instant.microseconds / 1_000_000 }

    /// A push as it is sent now, to the token that is valid; nil where the instance does not take it any more.
    public func addressed(_ push: Push) -> Push? {
        guard monitor.takes(push.kind) else { return nil }
        var addressed = push
        addressed.token = monitor.token
        return addressed
    }

    // MARK: - What APNs says

    /// What an accepted push leads to.
    public enum Acceptance: Hashable, Sendable {
        /// Nothing: its token or its watch has been replaced, or newer content or the end has come first.
        case nothing
        /// The screen is believed to show its content; `recovers`: that ended an episode.
        case believed(recovers: Bool)
        /// The end has worked: the token is invalidated.
        case ended
    }

    /// APNs has accepted a push.
    public mutating func accepted(_ push: Push, at now: Instant, _ rules: MonitorRules) -> Acceptance {
        guard push.kind != .end else { return monitor.endAccepted(on: push.token) ? .ended : .nothing }
        let recovers: Bool
        switch monitor.contentAccepted(push.content, of: push.watch, at: now, rules) {
        case nil, .older, .late, .closed: return .nothing
        case .recovered: recovers = true
        case .stillFresh, .alreadyStale: recovers = false
        }
        confirmed = push.content
        return .believed(recovers: recovers)
    }

    /// APNs has refused a push.
    ///
    /// - Parameter deadSince: When APNs found the token dead, if it says so: what it found before the phone published the
    ///   token once more is out of date.
    public mutating func refused(
        _ push: Push,
        _ reason: APNsReason,
        deadSince: Instant?,
        at now: Instant,
        _ rules: MonitorRules
    ) -> MonitorStation.Refusal {
        guard monitor.counts(verdictOn: push.token) else { return .outdated }
        if reason.verdict == .tokenIsDead, let deadSince, deadSince < publishedAt { return .publishedSince }
        return monitor.refused(isEnd: push.kind == .end, reason: reason, on: push.token, at: now, rules)
    }
}
