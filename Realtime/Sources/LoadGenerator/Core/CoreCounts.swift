/// The counts of events in a shard of the core.
///
/// Metrics that mean the same as the simulator's have the same names.
package struct CoreCounts: Hashable, Sendable {
    /// Updates that confirmed newer content.
    package var confirmed = 0
    /// Updates that APNs rejected because their instance was silent.
    package var refused = 0
    /// Updates without effect: older than known content, stale on arrival, or too late.
    package var withoutEffect = 0
    /// Episodes that updates ended.
    package var recoveredByUpdate = 0
    /// Scans of the table.
    package var scans = 0
    /// Instances whose class differed from that at the previous scan.
    package var changes = 0
    /// Episodes of staleness that the monitor noticed.
    package var episodes = 0
    /// Attempts to recover an instance.
    package var retries = 0
    /// Episodes that such attempts ended.
    package var recoveredByRetry = 0
    /// Instances given up.
    package var givenUp = 0
    /// End events.
    package var ends = 0
    /// Tokens invalidated after an accepted end; a new instance replaces each.
    package var invalidated = 0
    /// Instances whose end events were all rejected; a new instance replaces each.
    package var abandoned = 0

    /// Updates of every kind.
    package var updates: Int { confirmed + refused + withoutEffect }

    /// All counts.
    private static var fields: [WritableKeyPath<CoreCounts, Int>] {
        [
            \.confirmed, \.refused, \.withoutEffect, \.recoveredByUpdate, \.scans, \.changes, \.episodes, \.retries,
            \.recoveredByRetry, \.givenUp, \.ends, \.invalidated, \.abandoned,
        ]
    }

    /// Adds the counts of another shard, or of a later part of the run.
    static func += (left: inout CoreCounts, right: CoreCounts) {
        for field in fields { left[keyPath: field] += right[keyPath: field] }
    }

    /// Subtracts the counts of an earlier instant.
    mutating func subtract(_ earlier: CoreCounts) {
        for field in CoreCounts.fields { self[keyPath: field] -= earlier[keyPath: field] }
    }
}
