/// The measurements of a run of one or more shards: latencies, counts and processor time.
package struct CoreTally: Sendable {
    /// Times from an update's due time until it was applied.
    package internal(set) var updateLatency = LatencyRecord()
    /// Times from an instance's lapse until the monitor noticed it, mostly the wait for the next scan.
    package internal(set) var decisionLatency = LatencyRecord()
    /// Times of scans of the table.
    package internal(set) var scanTime = LatencyRecord()
    /// Times of the decisions after a scan.
    package internal(set) var decidingTime = LatencyRecord()
    /// Times from the due time of a scan until the scan and its decisions were done.
    package internal(set) var scanLateness = LatencyRecord()
    /// The counts of events.
    package internal(set) var counts = CoreCounts()
    /// The updates that were due and had not been applied at the end.
    package internal(set) var backlog = 0
    /// The length of the run [ns].
    package internal(set) var wall: Int64 = 0
    /// The processor time, summed over the threads [ns].
    package internal(set) var worked: Int64 = 0

    /// Adds the measurements of another shard over the same interval.
    mutating func add(_ other: CoreTally) {
        for record in [\CoreTally.updateLatency, \.decisionLatency, \.scanTime, \.decidingTime, \.scanLateness] {
            self[keyPath: record].add(other[keyPath: record])
        }
        counts += other.counts
        backlog += other.backlog
        wall = max(wall, other.wall)
        worked += other.worked
    }

    /// The updates applied per second.
    package var updatesPerSecond: Double { Double(counts.updates) / Double(max(1, wall)) * 1e9 }

    /// The share of one processor in use.
    package var processorShare: Double { Double(worked) / Double(max(1, wall)) }

    /// A Boolean value that indicates whether the core has kept up with a rate [1/s].
    ///
    /// It keeps up if 99 of 100 updates are applied within 10 ms of their due time, no scan is missed, and the updates left
    /// over at the end are no more than become due within 10 ms.
    package func keepsUp(with rate: Double) -> Bool {
        updateLatency.quantile(0.99) ?? .max <= 10_000_000 && counts.missedScans == 0 && Double(backlog) <= rate / 100
    }
}

/// The counts of events in a shard of the core.
package struct CoreCounts: Hashable, Sendable {
    /// Updates that confirmed newer content.
    var confirmed = 0
    /// Updates that APNs rejected because their instance was silent.
    var refused = 0
    /// Updates without effect: older than known content, stale on arrival, or too late.
    var withoutEffect = 0
    /// Episodes that updates ended.
    var recoveredByUpdate = 0
    /// Scans of the table.
    var scans = 0
    /// Scans that were left out because the next one was due before they could begin.
    var missedScans = 0
    /// Episodes of staleness that the monitor noticed.
    var episodes = 0
    /// Attempts to recover an instance.
    var retries = 0
    /// Episodes that such attempts ended.
    var recoveredByRetry = 0
    /// Instances given up.
    var givenUp = 0
    /// End events.
    var ends = 0
    /// Tokens invalidated after an accepted end; a new instance replaces each.
    var invalidated = 0
    /// Instances whose end events were all rejected; a new instance replaces each.
    var abandoned = 0

    /// Updates of every kind.
    var updates: Int { confirmed + refused + withoutEffect }

    private static var fields: [(name: String, path: WritableKeyPath<CoreCounts, Int>)] {
        [
            ("updates_confirmed", \.confirmed), ("updates_refused", \.refused),
            ("updates_without_effect", \.withoutEffect), ("scans", \.scans), ("scans_missed", \.missedScans),
            ("stale_episodes", \.episodes), ("recovered_by_update", \.recoveredByUpdate), ("retries", \.retries),
            ("recovered_by_retry", \.recoveredByRetry), ("given_up", \.givenUp), ("ends", \.ends),
            ("tokens_invalidated", \.invalidated), ("abandoned", \.abandoned),
        ]
    }

    /// All counts by name.
    package var named: [(name: String, count: Int)] {
        CoreCounts.fields.map { ($0.name, self[keyPath: $0.path]) }
    }

    /// Counts of nothing.
    package init() {}

    /// Adds the counts of another shard or of another run.
    package static func += (left: inout CoreCounts, right: CoreCounts) {
        for (_, path) in fields { left[keyPath: path] += right[keyPath: path] }
    }
}
