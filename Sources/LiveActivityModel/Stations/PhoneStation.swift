public import FreshnessCore
public import Quantities

/// One Live Activity on one phone: it decides which pushes take effect, what the screen shows, and when the phone ends
/// the activity on its own.
///
/// It has no clock and no connection: its host reports what reaches it, and measures. The simulator's cell and the APNs
/// stand-in are such hosts.
///
/// ```
///   waiting ──started──► live ──pushArrived: .ends, or due──► ended
///                        │  ▲                                   │
///     pushArrived: .shows│  │ show                              │ started (a new activity)
///                        └──┘                                   └──────► live
/// ```
///
/// A push starts only the first activity, by ``Effect/starts``. If an activity is live, a start is a duplicate. After
/// an end only the app can start an activity again, once, after a swipe; and a renewal (``CardRenewal``) replaces an
/// activity, which does not pass through here.
///
/// Content takes two calls, so that the host can account for the previous content in between:
/// ``pushArrived(_:timestamp:priority:at:rules:)`` judges the push, and if it returns ``Effect/shows``, the host calls
/// ``show(_:timestamp:)``.
///
/// - The payload with the highest timestamp wins. Of equal timestamps, about which Apple says nothing, the first stays:
///   an update must be newer. An end need not be: one of the same instant as the last update ends the activity.
/// - A push of priority 10 spends budget when it reaches the phone, whether or not its content is newer than the
///   screen's. Starts have a separate budget: ``PushStarts``.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct PhoneStation: Hashable, BitwiseCopyable, Sendable {
    /// The content that the screen shows, or showed last; before any, content older than every ride.
    public private(set) var content = ContentStamp(generatedAt: Instant(microseconds: -1), staleDate: .never)
    /// The payload's timestamp [µs], by which the phone orders content.
    private(set) var timestamp = Int64.min
    /// The budget for pushes of priority 10, which goes on from one ride of the rider to the next.
    var budget = BudgetWindow()
    /// The phase of the activity.
    public private(set) var phase = Phase.waiting
    private var flags = Flags.awaitsFirstPush

    private struct Flags: OptionSet, Hashable, BitwiseCopyable, Sendable {
        var rawValue: UInt8

        /// The app fails to decode pushed content.
        static let undecodable = Flags(rawValue: 1)
        /// No push has followed the content that the activity started with.
        static let awaitsFirstPush = Flags(rawValue: 2)
        /// The activity was swiped away.
        static let swiped = Flags(rawValue: 4)
        /// The activity is not the first one.
        static let madeAgain = Flags(rawValue: 8)
    }

    /// The current window of a budget for pushes of priority 10.
    struct BudgetWindow: Hashable, BitwiseCopyable, Sendable {
        /// The end of the window; in the past before the first push that counts.
        var end = Instant.start
        /// The pushes in the window.
        var spent: Int32 = 0
    }

    /// Creates a phone without an activity.
    public init() {}

    /// Packs or unpacks the state that its rules do not determine; for a phone that has never shown an activity, only
    /// its phase and its budget.
    ///
    /// - Parameter ttl: The time from the content's generation to its stale date; nil if it has none.
    @inline(__always)
    mutating func transfer(through packed: inout some PackedTransfer, isShown: Bool, ttl: TimeSpan?) {
        packed.transfer(&phase)
        packed.transfer(&budget.end)
        packed.transfer(&budget.spent, bytes: 2)
        guard isShown else { return }
        packed.transfer(&content.generatedAt)
        packed.derive(&content.staleDate, ttl.map { content.generatedAt + $0 } ?? .never)
        packed.transfer(time: &timestamp)
        packed.transfer(&flags)
    }

    /// The phases of an activity on a phone.
    public enum Phase: UInt8, BitwiseCopyable, Sendable {
        /// Not started yet.
        case waiting
        case live
        case ended
    }

    /// The rules that hold for every phone.
    public struct Rules: Hashable, BitwiseCopyable, Sendable {
        let budgetLimit: Int32?
        /// The limit for pushes of a channel.
        let channelBudgetLimit: Int32?
        let budgetWindow: TimeSpan
        let endsAreExempt: Bool
        let systemLimit: TimeSpan
        let initialContentLimit: TimeSpan?
        let staleContentLimit: TimeSpan?
        let starts: PushStarts.Rules

        /// Creates the rules of a scenario's devices.
        ///
        /// - Parameter channel: The channels that phones follow; nil if there are none.
        public init(_ devices: Scenario.Devices, channel: Scenario.Channel? = nil) {
            budgetLimit = devices.budget.limit.map { Int32(clamping: $0) }
            channelBudgetLimit = (channel?.budget ?? devices.budget.limit).map { Int32(clamping: $0) }
            budgetWindow = devices.budget.window
            endsAreExempt = devices.budget.endsExempt
            systemLimit = devices.systemLimit
            initialContentLimit = devices.initialContentLimit
            staleContentLimit = devices.staleContentLimit
            starts = PushStarts.Rules(devices.start)
        }

        /// When the app ends an activity because of its content; nil if the app does not run until then.
        @inline(__always)
        func expiry(of content: ContentStamp, appAliveUntil: Instant) -> Instant? {
            guard let limit = staleContentLimit, content.staleDate + limit < appAliveUntil else { return nil }
            return content.staleDate + limit
        }
    }

    /// The draws for one activity, collected by the host only when needed.
    struct Prospects {
        /// When it appeared on the screen.
        var startedAt = Instant.never
        /// When the rider swipes it away, if nothing ends it before; `never` for a rider who does not.
        var swipeAt = Instant.never
        /// The end of the time in which the app can act on its own.
        var appAliveUntil = Instant.start
    }

    // MARK: - Events

    /// Shows an activity on the screen, instead of any other.
    ///
    /// The budget belongs to the phone, so a new activity does not renew it.
    ///
    /// - Parameters:
    ///   - content: The first content.
    ///   - timestamp: The timestamp of a payload with this content [µs].
    ///   - isUndecodable: `true` if the app fails to decode all pushes except ends.
    public mutating func started(with content: ContentStamp, timestamp: Int64, isUndecodable: Bool = false) {
        self.content = content
        self.timestamp = timestamp
        flags = phase == .waiting ? .awaitsFirstPush : [.awaitsFirstPush, .madeAgain]
        if isUndecodable { flags.insert(.undecodable) }
        phase = .live
    }

    /// Allows another activity to start instead of the last, for a token that starts one after another.
    ///
    /// The budget is not renewed.
    public mutating func awaitAnother() {
        phase = .waiting
    }

    /// The effect of a push.
    public enum Effect: Hashable, BitwiseCopyable, Sendable {
        /// It starts the activity; the host must call ``PhoneStation/started(with:timestamp:isUndecodable:)``.
        case starts
        /// It is a start, but an activity is live; the screen does not change.
        case duplicate
        /// It is newer; the host must call ``PhoneStation/show(_:timestamp:)``.
        case shows
        /// It ends the activity; the host must call ``PhoneStation/ended(bySwipe:)``.
        case ends
        /// The screen shows newer content, or content of the same timestamp.
        case older
        /// The budget of this window is spent.
        case throttled
        /// The app cannot decode it.
        case undecodable
        /// There is no activity; a start does not revive one that has ended.
        case afterEnd
    }

    /// Handles a push that reaches the phone.
    ///
    /// - Parameters:
    ///   - event: The requested event.
    ///   - isForFormer: `true` if its token belongs to an activity that was swiped away before this one was created;
    ///     such a token reaches no other activity. A start has a token of the phone.
    ///   - timestamp: The payload's timestamp [µs].
    ///   - priority: Only pushes of priority 10 spend budget.
    ///   - now: The current instant.
    ///   - rules: The same value in every call.
    /// - Complexity: O(1).
    @inline(__always)
    public mutating func pushArrived(
        _ event: PushEvent,
        isForFormer: Bool = false,
        isFromChannel: Bool = false,
        timestamp: Int64,
        priority: PushPriority,
        at now: Instant,
        rules: Rules
    ) -> Effect {
        guard phase == .live else { return event == .start && phase == .waiting ? .starts : .afterEnd }
        guard event != .start else { return .duplicate }
        guard !isForFormer else { return .afterEnd }
        guard !flags.contains(.undecodable) || event == .end else { return .undecodable }
        let isExempt = event == .end && rules.endsAreExempt
        if priority == .immediate, !isExempt,
            !spendBudget(isFromChannel ? rules.channelBudgetLimit : rules.budgetLimit, at: now, rules.budgetWindow)
        {
            return .throttled
        }
        if event == .end {
            return timestamp >= self.timestamp ? .ends : .older
        }
        // Content that the app shows on its own is local, too; but if the app was faster, the push has arrived all the
        // same.
        flags.remove(.awaitsFirstPush)
        return timestamp > self.timestamp ? .shows : .older
    }

    /// Handles a background push that wakes the app: a push has followed the first content.
    mutating func wokeApp() { flags.remove(.awaitsFirstPush) }

    /// Takes a push from the budget; returns `false` if nothing is left in this window.
    @inline(__always)
    private mutating func spendBudget(_ limit: Int32?, at now: Instant, _ window: TimeSpan) -> Bool {
        guard let limit else { return true }
        if budget.end <= now {
            budget.end = now + window
            budget.spent = 0
        }
        guard budget.spent < limit else { return false }
        budget.spent += 1
        return true
    }

    /// Shows content on the screen: from a push that was just judged, or the app's own.
    @inline(__always)
    public mutating func show(_ content: ContentStamp, timestamp: Int64) {
        self.content = content
        self.timestamp = timestamp
    }

    /// Ends the activity, which leaves the screen or stays on it as a card that is over.
    public mutating func ended(bySwipe: Bool = false) {
        phase = .ended
        if bySwipe { flags.insert(.swiped) }
    }

    /// `true` if the rider may swipe the activity away; a rider swipes at most once.
    var mayBeSwiped: Bool { !flags.contains(.madeAgain) }

    /// Returns `true` if an app with this defect starts the activity again after reporting its end: once, after a
    /// swipe, while the ride goes on.
    func mayBeMadeAgain(isRideOver: Bool) -> Bool {
        phase == .ended && flags.contains(.swiped) && !flags.contains(.madeAgain) && !isRideOver
    }

    /// The removal time of a card after the end [µs of the same clock]: as requested by the end, at most four hours
    /// later.
    ///
    /// Source: Apple, "Displaying live data with Live Activities".
    public static func dismissal(askedFor date: Instant?, endedAt now: Instant) -> Instant {
        let latest = now + .hours(4)
        return min(date ?? latest, latest)
    }

    // MARK: - The phone's own actions

    /// The reason for which a phone ends an activity on its own.
    enum OwnEnd: BitwiseCopyable {
        /// The rider swipes it away.
        case swiped
        /// No push has followed the content that the activity started with.
        case initialContentExpired
        /// The app, which is still running, ends an activity whose content has been stale for too long.
        case contentExpired
        /// Apple's limit for a Live Activity.
        case systemLimit
    }

    /// When and why the phone ends the activity if nothing else happens; ties in the order limit, swipe, first content,
    /// content.
    ///
    /// - Precondition: There is an activity.
    @inline(__always)
    func nextEnd(_ prospects: Prospects, rules: Rules) -> (at: Instant, why: OwnEnd) {
        var first = (at: prospects.startedAt + rules.systemLimit, why: OwnEnd.systemLimit)
        func consider(_ instant: Instant, _ why: OwnEnd) {
            if instant < first.at { first = (instant, why) }
        }
        if prospects.swipeAt != .never {
            consider(prospects.swipeAt, .swiped)
        }
        if flags.contains(.awaitsFirstPush), let limit = rules.initialContentLimit {
            consider(prospects.startedAt + limit, .initialContentExpired)
        }
        if let expiry = rules.expiry(of: content, appAliveUntil: prospects.appAliveUntil) {
            consider(expiry, .contentExpired)
        }
        return first
    }
}
