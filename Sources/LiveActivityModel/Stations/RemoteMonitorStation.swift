public import FreshnessCore
public import Quantities

/// Content that the app's server wants to show, reduced to what a monitor's decisions need.
public struct Announcement: Hashable, Sendable {
    /// The generation and the stale date of the content.
    public var content: ContentStamp
    /// The priority of its first push; retries take the policy's.
    public var priority: PushPriority
    /// The time for which the content remains valid from a retry on; nil if a retry carries the announced stale date.
    ///
    /// Content such as "your driver is waiting" is still true a minute later, but only its owner knows that.
    public var renewal: TimeSpan?

    /// Creates an announcement.
    public init(content: ContentStamp, priority: PushPriority, renewal: TimeSpan? = nil) {
        self.content = content
        self.priority = priority
        self.renewal = renewal
    }
}

/// One instance from the viewpoint of a monitor outside the app's server.
///
/// A monitor in the app's server generates content when it sends. One outside sends announced content. In addition to a
/// ``MonitorStation``, it therefore keeps the newest announcement, the believed content of the screen, and the numbers
/// and timestamps of its pushes.
///
/// ```
///   app's server ── tokenPublished, withdrawn, contentAnnounced, rideOver ──►┐
///   time ────────── act, when monitor.nextCheck says so ─────────────────────►├─► update, retry, end: a push to send
///   APNs ────────── accepted, refused ───────────────────────────────────────►┘
/// ```
///
/// The host keeps time and stores, and asks ``monitor`` for the next check. It passes on the messages of the app's
/// server once they are durable. Its ``SenderStation`` decides when a push is sent and whether it is retried;
/// ``addressed(_:)`` checks whether the instance still accepts it then.
public struct RemoteMonitorStation: Sendable {
    /// The valid token, and the next action with its time.
    public private(set) var monitor = MonitorStation()
    /// The content that the instance must show.
    public private(set) var announced: Announcement?
    /// The believed content of the screen; nil if unknown.
    public private(set) var confirmed: ContentStamp?
    /// When the valid token was published.
    private var publishedAt = Instant.start
    private var tokenCount: UInt32 = 0
    private var numbers = PushNumbers()
    private var timestamps = RisingTimestamps(above: 0)

    /// A push that is ready to be sent.
    public struct Push: Hashable, Sendable {
        /// Its purpose.
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

        /// Counts another request for the same push.
        public mutating func repeated() { requestIndex = PushNumbers.repeatIndex(of: requestIndex) }

        /// Merges a newer push into this one, which waits: it takes over the newer content if ``WaitingPush`` says so.
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

    /// Creates an instance about which nothing is known.
    public init() {}

    /// Creates an instance that was known before a restart of the host, without its token.
    ///
    /// The pushes in flight at the end of the last process are unknown. Their timestamps are not after its last second,
    /// so new ones begin above that.
    ///
    /// - Parameters:
    ///   - isRideOver: `true` if its ride was over.
    ///   - isGivenUp: `true` if the decision to give up on it was durable.
    ///   - announced: The content that it must show.
    ///   - confirmed: The believed content of the screen.
    ///   - life: Distinguishes the host's runs; see ``PushNumbers/init(ofLife:)``.
    ///   - now: The current instant, or the last instant of the previous process, whichever is later.
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

    // MARK: - Messages of the app's server

    /// Handles a token that was published, the first one or a replacement.
    ///
    /// - Parameters:
    ///   - publishedAt: When the host received it, before it was durable.
    ///   - shown: The content of the screen, if the app has reported it.
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

    /// Withdraws the token on behalf of the app: nothing more is sent.
    public mutating func withdrawn() { _ = monitor.withdrawn() }

    /// The effect of an announcement.
    public enum Reception: Hashable, Sendable {
        /// It is the newest; `isSent`: there is a token to send it to.
        case new(isSent: Bool)
        /// It is a repetition.
        case repeated
        /// Other content with the same generation time was announced before.
        case other
        /// Newer content was announced before.
        case older(thanGeneratedAt: Instant)
        /// The instance is ending, which is final.
        case ended
    }

    /// The effect that an announcement would have.
    ///
    /// - Parameter isSameState: `true` if its content is identical to the newest announcement, which the host keeps.
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

    /// Handles an announcement of content.
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
        // Until now there was no newer content than the screen's, whatever that is.
        if isFirst, confirmed == nil, isSent { monitor.watchAnew(showing: believed(at: now), at: now, rules) }
        return reception
    }

    /// The ride is over; see ``MonitorStation/rideOver(at:)``.
    public mutating func rideOver(at now: Instant) -> Bool { monitor.rideOver(at: now) }

    /// `true` if content was announced that is newer than the believed content of the screen.
    private var isAnnouncedNews: Bool {
        guard let announced else { return false }
        return confirmed.map { announced.content.generatedAt > $0.generatedAt } ?? true
    }

    /// The believed content of the screen; if the app has not reported it, it is outdated once there is newer content.
    private func believed(at now: Instant) -> ContentStamp {
        confirmed ?? ContentStamp(generatedAt: .start, staleDate: announced == nil ? .never : now)
    }

    // MARK: - Checks

    /// Performs the first action that is due; see ``MonitorStation/act(at:_:budget:draw:)``.
    public mutating func act(
        at now: Instant,
        _ rules: MonitorRules,
        budget: inout RetryBudget?,
        draw: UInt64
    ) -> MonitorStation.Action {
        monitor.act(at: now, rules, budget: &budget, draw: draw)
    }

    /// Records that the decision to give up on the instance is durable; see ``MonitorStation/decisionRecorded()``.
    public mutating func decisionRecorded() -> Bool { monitor.decisionRecorded() }

    // MARK: - Pushes

    /// Returns a push with the newest content, for its first sending to a token; nil if there is no content or no
    /// token.
    public mutating func update() -> Push? {
        guard let announced else { return nil }
        return push(.update, announced.priority, announced.content, of: announced.content.generatedAt)
    }

    /// Returns a push that repeats the newest content, with a later stale date if its owner allows that; nil if there
    /// is no content or no token.
    public mutating func retry(_ priority: PushPriority, at now: Instant) -> Push? {
        guard let announced else { return nil }
        let renewed = announced.renewal.map { ContentStamp(generatedAt: now, staleDate: now + $0) }
        return push(.retry, priority, renewed ?? announced.content, of: now)
    }

    /// Returns an end push; nil if there is no token.
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

    /// Returns a push as it must be sent now, to the valid token; nil if the instance no longer accepts it.
    public func addressed(_ push: Push) -> Push? {
        guard monitor.takes(push.kind) else { return nil }
        var addressed = push
        addressed.token = monitor.token
        return addressed
    }

    // MARK: - Responses of APNs

    /// The effect of an accepted push.
    public enum Acceptance: Hashable, Sendable {
        /// None: its token or its watch has been replaced, or newer content or the end has come first.
        case nothing
        /// The screen is believed to show its content; `recovers`: that ended an episode.
        case believed(recovers: Bool)
        /// The end was successful: the token is invalidated.
        case ended
    }

    /// Handles a push that APNs has accepted.
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

    /// Handles a push that APNs has rejected.
    ///
    /// - Parameter deadSince: When APNs found the token dead, if it says so; outdated if the phone has published the
    ///   token once more since.
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
