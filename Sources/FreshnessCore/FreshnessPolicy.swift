public import Quantities

/// The thresholds of the Freshness Monitor, and its actions for instances that cross them.
public struct FreshnessPolicy: Hashable, Sendable {
    /// The time past its stale date for which content still counts as fresh, exclusive.
    public let freshLimit: TimeSpan
    /// The time from the lapse to severely stale; exactly at its end, an instance is severe.
    public let recoveryWindow: TimeSpan
    /// The attempts to recover an instance.
    public let retry: RetryPolicy
    /// The times at which end events are sent, from the decision to end, until one is known to have worked; ascending.
    public let endSchedule: [TimeSpan]

    /// Creates a policy from thresholds and actions.
    ///
    /// - Throws: `PolicyError` for numbers out of range, or an end schedule that is empty or not ascending.
    public init(
        freshLimit: TimeSpan,
        recoveryWindow: TimeSpan,
        retry: RetryPolicy,
        endSchedule: [TimeSpan]
    ) throws(PolicyError) {
        let allowed = 0...TimeSpan.longest.microseconds
        try PolicyError.check(freshLimit.microseconds, in: allowed, name: "freshLimit")
        try PolicyError.check(recoveryWindow.microseconds, in: allowed, name: "recoveryWindow")
        guard !endSchedule.isEmpty else { throw .empty(name: "endSchedule") }
        try PolicyError.checkAscending(endSchedule, name: "endSchedule")
        self.freshLimit = freshLimit
        self.recoveryWindow = recoveryWindow
        self.retry = retry
        self.endSchedule = endSchedule
    }

    /// The first instant at which content no longer counts as fresh.
    @inlinable
    public func lapse(of content: ContentStamp) -> Instant {
        content.staleDate + freshLimit
    }
}
