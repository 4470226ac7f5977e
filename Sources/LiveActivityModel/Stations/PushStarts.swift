public import Quantities

/// The starts by push that reach one phone: which of them iOS acts on.
///
/// Apple limits starts by push on the phone, with a budget of their own that frequent updates do not raise. A start beyond it
/// is dropped, although APNs has accepted it. A start that is stale on arrival, or has no alert, is never presented.
///
/// The budget is a token bucket: it is full at first, each start that iOS acts on takes one, and one comes back after each
/// ``Scenario/StartBudget/refill``.
public struct PushStarts: Hashable, BitwiseCopyable, Sendable {
    /// When the budget will be full again.
    private var isFullAt = Instant.start

    /// Creates a phone with a full budget.
    public init() {}

    /// The reason for which iOS drops a start.
    public enum Drop: Hashable, BitwiseCopyable, Sendable {
        /// The budget is spent.
        case overBudget
        /// Its stale date has passed.
        case stale
        /// It has no alert.
        case noAlert
        /// The phone has as many cards of the app as iOS allows.
        case tooManyCards
    }

    /// The rules that hold for every phone.
    struct Rules: Hashable, BitwiseCopyable, Sendable {
        let budget: Scenario.StartBudget?
        let presentsStale: Bool
        /// The share of starts without an alert.
        let withoutAlert: Probability

        init(_ start: Scenario.Start) {
            budget = start.pushBudget
            presentsStale = start.presentsStale
            withoutAlert = start.withoutAlert
        }

        /// `true` if a phone drops some starts.
        var dropsSome: Bool { budget != nil || !presentsStale || withoutAlert != .never }
    }

    /// Handles a start that reaches the phone, for a new activity or beside a live one.
    ///
    /// A start that is stale or has no alert creates an activity that is never presented, so it takes its part of the budget.
    ///
    /// - Parameters:
    ///   - hasAlert: `true` if it has an alert.
    ///   - staleDate: The stale date of its content; content is stale from that instant on.
    ///   - rules: The same value in every call.
    /// - Returns: The reason for which it is dropped; nil if iOS acts on it.
    public mutating func arrived(
        hasAlert: Bool = true,
        staleDate: Instant,
        at now: Instant,
        rules: PhoneStation.Rules
    ) -> Drop? {
        let rules = rules.starts
        if let budget = rules.budget {
            let taken = max(isFullAt, now)
            guard taken + budget.refill <= now + budget.refill * Int64(budget.starts) else { return .overBudget }
            isFullAt = taken + budget.refill
        }
        guard hasAlert else { return .noAlert }
        return rules.presentsStale || now < staleDate ? nil : .stale
    }
}
