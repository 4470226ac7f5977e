public import FreshnessCore
public import Quantities

/// One Live Activity on one phone: which pushes take effect, what the screen shows, and when the phone ends it by itself.
///
/// It has neither clock nor connection: its host says when something reaches it, and measures. The simulator's cell and the
/// stand-in for APNs are such hosts.
///
/// ```
///   waiting ──started──► live ──pushArrived: .ends, or due──► ended
///                        │  ▲                                   │
///     pushArrived: .shows│  │ show                              │ started (a new activity)
///                        └──┘                                   └──────► live
/// ```
///
/// A push starts the first activity only, by ``Effect/starts``: to a live one a start is a duplicate, and what has ended is
/// begun again by the app alone, once, after a swipe.
///
/// Content takes two calls, because what was on the screen until then has to be measured before it is gone:
/// ``pushArrived(_:timestamp:priority:at:rules:)`` judges the push, and where it says ``Effect/shows`` the host calls
/// ``show(_:timestamp:)``.
///
/// - The payload with the highest timestamp wins. Of equal timestamps, about which Apple says nothing, the first stays: an
///   update has to be newer. An end need not be: one of the same instant as the last update ends the activity.
/// - A push of priority 10 spends budget when it reaches the phone, whether or not its content is newer than the screen's.
///   Starts have a budget of their own, which the host draws.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct PhoneStation: Hashable, BitwiseCopyable, Sendable {
    /// What the screen shows, or showed last; before there is any, older than every ride.
    public private(set) var content = ContentStamp(generatedAt: Instant(microseconds: -1), staleDate: .never)
    /// The payload's timestamp [µs], by which the phone tells newer from older.
    private(set) var timestamp = Int64.min
    private var budgetWindowEnd = Instant.start
    private var budgetSpent: Int32 = 0
    /// Whether there is an activity.
    public private(set) var phase = Phase.waiting
    private var flags = Flags.awaitsFirstPush

    private struct Flags: OptionSet, Hashable, BitwiseCopyable, Sendable {
        var rawValue: UInt8

        /// The app fails to decode what comes by push.
        static let undecodable = Flags(rawValue: 1)
        /// No push has followed the content that the activity began with.
        static let awaitsFirstPush = Flags(rawValue: 2)
        /// The activity was swiped away.
        static let swiped = Flags(rawValue: 4)
        /// The activity is not the first.
        static let madeAgain = Flags(rawValue: 8)
    }

    /// A phone without an activity.
    public init() {}

    /// Packs or unpacks all that its rules do not tell; of a phone that has never shown anything, its phase.
    ///
    /// - Parameter ttl: How far after its content the stale date lies; nil where there is none.
    @inline(__always)
    mutating func transfer(through packed: inout some PackedTransfer, isShown: Bool, ttl: TimeSpan?) {
        packed.transfer(&phase)
        guard isShown else { return }
        packed.transfer(&content.generatedAt)
        packed.derive(&content.staleDate, ttl.map { content.generatedAt + $0 } ?? .never)
        packed.transfer(time: &timestamp)
        packed.transfer(&budgetWindowEnd)
        packed.transfer(&budgetSpent, bytes: 2)
        packed.transfer(&flags)
    }

    /// Whether there is an activity on the phone.
    public enum Phase: UInt8, BitwiseCopyable, Sendable {
        /// Not yet.
        case waiting
        case live
        case ended
    }

    /// What holds of every phone.
    public struct Rules: Hashable, BitwiseCopyable, Sendable {
        let budgetLimit: Int32?
        let budgetWindow: TimeSpan
        let endsAreExempt: Bool
        let systemLimit: TimeSpan
        let initialContentLimit: TimeSpan?
        let staleContentLimit: TimeSpan?

        /// The rules of a scenario's devices.
        public init(_ devices: Scenario.Devices) {
            budgetLimit = devices.budget.limit.map { Int32(clamping: $0) }
            budgetWindow = devices.budget.window
            endsAreExempt = devices.budget.endsExempt
            systemLimit = devices.systemLimit
            initialContentLimit = devices.initialContentLimit
            staleContentLimit = devices.staleContentLimit
        }

        /// When the app ends an activity because of the content that it shows; nil where it does not live until then.
        @inline(__always)
        func expiry(of content: ContentStamp, appAliveUntil: Instant) -> Instant? {
            guard let limit = staleContentLimit, content.staleDate + limit < appAliveUntil else { return nil }
            return content.staleDate + limit
        }
    }

    /// What is drawn for one activity; put together by the host, for it is rarely needed.
    struct Prospects {
        /// When it appeared on the screen.
        var startedAt = Instant.never
        /// When the rider swipes it away, if nothing ends it before; `never` for a rider who does not.
        var swipeAt = Instant.never
        /// Until when the app can act by itself.
        var appAliveUntil = Instant.start
    }

    // MARK: - What happens to it

    /// An activity appears on the screen, in place of any other.
    ///
    /// The budget is the phone's: a new activity does not renew it.
    ///
    /// - Parameters:
    ///   - content: What it shows.
    ///   - timestamp: That of a payload with this content [µs].
    ///   - isUndecodable: Whether the app fails to decode all that comes by push, but for ends.
    public mutating func started(with content: ContentStamp, timestamp: Int64, isUndecodable: Bool = false) {
        self.content = content
        self.timestamp = timestamp
        flags = phase == .waiting ? .awaitsFirstPush : [.awaitsFirstPush, .madeAgain]
        if isUndecodable { flags.insert(.undecodable) }
        phase = .live
    }

    /// Another activity may start in place of the last, for its token starts one after another.
    ///
    /// The budget goes on.
    public mutating func awaitAnother() {
        phase = .waiting
    }

    /// What a push does.
    public enum Effect: Hashable, BitwiseCopyable, Sendable {
        /// It starts the activity: ``PhoneStation/started(with:timestamp:isUndecodable:)`` is to follow.
        case starts
        /// It asks for an activity that is live already, whose screen does not change.
        case duplicate
        /// It is newer: ``PhoneStation/show(_:timestamp:)`` is to follow.
        case shows
        /// It ends the activity: ``PhoneStation/ended()`` is to follow.
        case ends
        /// The screen shows newer content, or content of the same timestamp.
        case older
        /// The budget of this window is spent.
        case throttled
        /// The app cannot decode it.
        case undecodable
        /// There is no activity; a start does not bring back what has ended.
        case afterEnd
    }

    /// A push reaches the phone.
    ///
    /// - Parameters:
    ///   - event: What it asks for.
    ///   - isForFormer: Whether its token is that of an activity which was swiped away before this one was made: such a token
    ///     reaches no other. A start has a token of the phone's.
    ///   - timestamp: The payload's [µs].
    ///   - priority: Only pushes of priority 10 spend budget.
    ///   - now: The current instant.
    ///   - rules: The same at every call.
    /// - Complexity: O(1).
    @inline(__always)
    public mutating func pushArrived(
        _ event: PushEvent,
        isForFormer: Bool = false,
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
        if priority == .immediate, !isExempt, !spendBudget(at: now, rules) {
            return .throttled
        }
        if event == .end {
            return timestamp >= self.timestamp ? .ends : .older
        }
        // What the app shows by itself is local content, too; but where the app was quicker, the push has come all the same.
        flags.remove(.awaitsFirstPush)
        return timestamp > self.timestamp ? .shows : .older
    }

    /// Takes a push from the budget; false when nothing is left in this window.
    @inline(__always)
    private mutating func spendBudget(at now: Instant, _ rules: Rules) -> Bool {
        guard let limit = rules.budgetLimit else { return true }
        if budgetWindowEnd <= now {
            budgetWindowEnd = now + rules.budgetWindow
            budgetSpent = 0
        }
        guard budgetSpent < limit else { return false }
        budgetSpent += 1
        return true
    }

    /// Content comes to the screen: that of a push which has just been judged, or the app's own.
    @inline(__always)
    public mutating func show(_ content: ContentStamp, timestamp: Int64) {
        self.content = content
        self.timestamp = timestamp
    }

    /// The activity leaves the screen, or stays on it as a card that is over.
    public mutating func ended(bySwipe: Bool = false) {
        phase = .ended
        if bySwipe { flags.insert(.swiped) }
    }

    /// Whether the rider may swipe the activity away: one who has done so lets the next one be.
    var mayBeSwiped: Bool { !flags.contains(.madeAgain) }

    /// Whether an app that does so by mistake starts the activity again when it has reported its end: once, after a swipe, as
    /// long as the ride goes on.
    func mayBeMadeAgain(isRideOver: Bool) -> Bool {
        phase == .ended && flags.contains(.swiped) && !flags.contains(.madeAgain) && !isRideOver
    }

    /// Until when a card stays after the end [µs of the same clock]: as long as the end asks for, four hours at most.
    ///
    /// Source: Apple, "Displaying live data with Live Activities".
    public static func dismissal(askedFor date: Instant?, endedAt now: Instant) -> Instant {
        let latest = now + .hours(4)
        return min(date ?? latest, latest)
    }

    // MARK: - What the phone does by itself

    /// Why a phone ends an activity by itself.
    enum OwnEnd: BitwiseCopyable {
        /// The rider swipes it away.
        case swiped
        /// No push has followed the content that it began with.
        case initialContentExpired
        /// The app, which still lives, ends what has shown content past its stale date for too long.
        case contentExpired
        /// Apple's limit for a Live Activity.
        case systemLimit
    }

    /// When the phone ends the activity if nothing happens, and why; of equal instants in the order of the limit, the swipe,
    /// the first content and the content.
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
