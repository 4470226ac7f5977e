/// How often what happened in a shard of the core.
///
/// Names of metrics are those of the simulator where they mean the same.
package struct CoreCounts: Hashable, Sendable {
    /// Updates that confirmed newer content.
    package var confirmed = 0
    /// Updates that APNs refused, because their instance was silent.
    package var refused = 0
    /// Updates that changed nothing: older than what was known, stale when they came, or too late.
    package var withoutEffect = 0
    /// Episodes that updates ended.
    package var recoveredByUpdate = 0
    /// Scans of the table.
    package var scans = 0
    /// Instances whose class was another than at the scan before.
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
    /// Tokens invalidated after an end that worked, each of them replaced by a new instance.
    package var invalidated = 0
    /// Instances whose end events were all refused, replaced as well.
    package var abandoned = 0

    /// Updates of every kind.
    package var updates: Int { confirmed + refused + withoutEffect }

    /// All of them.
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

    /// Takes away what had happened at an earlier instant.
    mutating func subtract(_ earlier: CoreCounts) {
        for field in CoreCounts.fields { self[keyPath: field] -= earlier[keyPath: field] }
    }
}
