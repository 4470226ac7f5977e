import LiveActivityModel
import Quantities

/// One Live Activity on one phone: what its screen shows after the pushes that came.
///
/// ```
///   nothing ──► fresh ◄──► stale        stale-date passes; an update with a later one comes
///                 └────┬─────┘
///                    ended ──► gone     at the dismissal date, at most four hours later
/// ```
///
/// The update with the highest timestamp wins; one that came before it but is older changes nothing. Of equal timestamps,
/// about which Apple says nothing, the later arrival wins.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
struct PhoneScreen: Hashable, Sendable {
    private var timestamp: Double?
    /// [UNIX µs].
    private var staleAt = Int64.max
    private var endedUntil: Int64?
    private var windowStart = Int64.min
    private var spent = 0

    /// What a push does.
    enum Effect: Hashable, Sendable {
        case shown
        case started
        case older
        case ended
        /// It came after the end.
        case afterEnd
        /// The budget is spent.
        case throttled
        /// An event that is none of start, update and end.
        case unknownEvent
    }

    /// What the screen shows.
    enum Display: Hashable, Sendable {
        case fresh, stale, ended, gone
    }

    /// A push reaches the phone.
    ///
    /// - Parameter now: [UNIX µs].
    mutating func receive(
        _ push: ActivityPush.Content,
        isImmediate: Bool,
        at now: Int64,
        budget: Scenario.UpdateBudget
    ) -> Effect {
        guard ["start", "update", "end"].contains(push.event) else { return .unknownEvent }
        guard endedUntil == nil || push.event == "start" else { return .afterEnd }
        if let timestamp, push.timestamp < timestamp, push.event != "start" { return .older }
        guard !isImmediate || affords(push, at: now, budget: budget) else { return .throttled }
        timestamp = push.timestamp
        staleAt = PhoneScreen.microseconds(push.staleDate) ?? .max
        switch push.event {
        case "end":
            let latest = now + 4 * 3_600_000_000
            endedUntil = min(PhoneScreen.microseconds(push.dismissalDate) ?? latest, latest)
            return .ended
        case "start":
            endedUntil = nil
            return .started
        default:
            return .shown
        }
    }

    private mutating func affords(
        _ push: ActivityPush.Content,
        at now: Int64,
        budget: Scenario.UpdateBudget
    ) -> Bool {
        guard let limit = budget.limit, push.event == "update" || push.event == "end" && !budget.endsExempt else {
            return true
        }
        if windowStart == .min || now - windowStart >= budget.window.microseconds {
            windowStart = now
            spent = 0
        }
        guard spent < limit else { return false }
        spent += 1
        return true
    }

    /// What the screen shows at a moment [UNIX µs].
    func display(at now: Int64) -> Display {
        if let endedUntil {
            return now < endedUntil ? .ended : .gone
        }
        return now < staleAt ? .fresh : .stale
    }

    private static func microseconds(_ seconds: Double?) -> Int64? {
        seconds.flatMap { $0.isFinite ? Int64(clamping: Int128(($0.magnitude < 1e15 ? $0 : 1e15) * 1_000_000)) : nil }
    }
}
