import FreshnessCore

/// What the monitor has counted since it was started.
package struct MonitorCounts: Hashable, Sendable {
    /// Pushes handed to the sender, by ``Push/Kind``.
    package var pushes = [Int](repeating: 0, count: Push.Kind.allCases.count)
    /// Answers of 200.
    package var accepted = 0
    /// Refusals, in the order of `APNsReason.allCases`.
    package var refused = [Int](repeating: 0, count: APNsReason.allCases.count)
    /// Pushes that nobody answered.
    package var unanswered = 0
    /// Pushes that APNs had not begun with, sent once more.
    package var repeated = 0
    /// Instances that became stale.
    package var episodes = 0
    /// Of these, such that came back.
    package var recovered = 0
    /// Of these, such that were given up.
    package var endedSevere = 0
    /// Retries that the budget did not allow.
    package var retriesWithheld = 0
    /// Retries that had no content to send.
    package var retriesWithoutContent = 0
    /// Ends that the app's server has asked for.
    package var ridesOver = 0
    /// Tokens published or rotated.
    package var published = 0
    /// Tokens invalidated, by the app or after an end event.
    package var invalidated = 0
    /// Tokens that APNs has called dead.
    package var discarded = 0
    /// Refusals of a token as dead that were older than its publication.
    package var refusalsOutdated = 0
    /// Contents announced.
    package var announced = 0
    /// Instances that were forgotten.
    package var forgotten = 0
    /// Scans.
    package var scans = 0

    /// Nothing counted.
    package init() {}
}
