/// How often what happened in a shard of the core.
///
/// Names of metrics are those of the simulator where they mean the same.
public struct CoreCounts: Hashable, Sendable {
    /// Updates that confirmed newer content.
    public var confirmed = 0
    /// Updates that APNs refused, because their instance was silent.
    public var refused = 0
    /// Updates that changed nothing: older than what was known, stale when they came, or too late.
    public var withoutEffect = 0
    /// Episodes that updates ended.
    public var recoveredByUpdate = 0
    /// Scans of the table.
    public var scans = 0
    /// Instances whose class was another than at the scan before.
    public var changes = 0
    /// Episodes of staleness that the monitor noticed.
    public var episodes = 0
    /// Attempts to recover an instance.
    public var retries = 0
    /// Episodes that such attempts ended.
    public var recoveredByRetry = 0
    /// Instances given up.
    public var givenUp = 0
    /// End events.
    public var ends = 0
    /// Tokens invalidated after an end that worked, each of them replaced by a new instance.
    public var invalidated = 0
    /// Instances whose end events were all refused, replaced as well.
    public var abandoned = 0

    /// Nothing has happened.
    public init() {}

    /// Updates of every kind.
    public var updates: Int { confirmed + refused + withoutEffect }

    /// Adds the counts of another shard, or of a later part of the run.
    public static func += (left: inout CoreCounts, right: CoreCounts) {
        left.confirmed += right.confirmed
        left.refused += right.refused
        left.withoutEffect += right.withoutEffect
        left.recoveredByUpdate += right.recoveredByUpdate
        left.scans += right.scans
        left.changes += right.changes
        left.episodes += right.episodes
        left.retries += right.retries
        left.recoveredByRetry += right.recoveredByRetry
        left.givenUp += right.givenUp
        left.ends += right.ends
        left.invalidated += right.invalidated
        left.abandoned += right.abandoned
    }

    /// Takes away what had happened at an earlier instant.
    mutating func subtract(_ earlier: CoreCounts) {
        confirmed -= earlier.confirmed
        refused -= earlier.refused
        withoutEffect -= earlier.withoutEffect
        recoveredByUpdate -= earlier.recoveredByUpdate
        scans -= earlier.scans
        changes -= earlier.changes
        episodes -= earlier.episodes
        retries -= earlier.retries
        recoveredByRetry -= earlier.recoveredByRetry
        givenUp -= earlier.givenUp
        ends -= earlier.ends
        invalidated -= earlier.invalidated
        abandoned -= earlier.abandoned
    }
}
