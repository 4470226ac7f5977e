/// The measurements of an interval of a run: latencies, counts and processor time.
package struct CoreTally: Sendable {
    /// Times from an update's due time until it was applied.
    package var updateLatency = LatencyRecord()
    /// Times from an instance's lapse until the monitor noticed it, mostly the wait for the next scan.
    package var decisionLatency = LatencyRecord()
    /// Times of scans of the table.
    package var scanTime = LatencyRecord()
    /// Times of the decisions after a scan.
    package var decidingTime = LatencyRecord()
    /// Times from the due time of a scan until the scan and its decisions were done.
    package var scanLateness = LatencyRecord()
    /// The counts of events.
    package var counts = CoreCounts()
    /// Updates that became due.
    package var due = 0
    /// Scans that were left out because the next one was due before they could begin.
    package var missedScans = 0
    /// Updates that were due and had not been applied at the end.
    package var backlog = 0
    /// The backlogs at the ends of the appended intervals.
    private var backlogs: [Int] = []
    /// The length of the interval [ns].
    package var wall: Int64 = 0
    /// The processor time of the thread [ns]; of several shards, the sum over their threads.
    package var worked: Int64 = 0

    /// A tally without measurements.
    package init() {}

    /// Adds the measurements of a later interval.
    mutating func append(_ later: CoreTally) {
        merge(later)
        wall += later.wall
        backlog = later.backlog
        backlogs.append(later.backlog)
    }

    /// Adds the measurements of another shard over the same interval.
    mutating func addShard(_ other: CoreTally) {
        merge(other)
        wall = max(wall, other.wall)
        backlog += other.backlog
        for (place, count) in other.backlogs.enumerated() {
            if place < backlogs.count { backlogs[place] += count } else { backlogs.append(count) }
        }
    }

    /// The sum of several shards over the same interval.
    package init(ofShards shards: [CoreTally]) {
        self = shards.first ?? CoreTally()
        for shard in shards.dropFirst() { addShard(shard) }
    }

    private static var records: [WritableKeyPath<CoreTally, LatencyRecord>] {
        [\.updateLatency, \.decisionLatency, \.scanTime, \.decidingTime, \.scanLateness]
    }

    private mutating func merge(_ other: CoreTally) {
        for record in CoreTally.records { self[keyPath: record].add(other[keyPath: record]) }
        counts += other.counts
        due += other.due
        missedScans += other.missedScans
        worked += other.worked
    }

    /// Resets the tally without freeing its memory.
    mutating func reset() {
        for record in CoreTally.records { self[keyPath: record].reset() }
        backlogs.removeAll(keepingCapacity: true)
        (counts, due, missedScans, backlog, wall, worked) = (CoreCounts(), 0, 0, 0, 0, 0)
    }

    /// The largest backlog at the end of an appended interval; of several shards, the largest of their sum.
    package var largestBacklog: Int { backlogs.max() ?? 0 }

    /// Updates per second; nil if no time has passed.
    package var updatesPerSecond: Double? { wall > 0 ? Double(counts.updates) / Double(wall) * 1e9 : nil }

    /// The share of one processor in use; nil if no time has passed.
    package var processorShare: Double? { wall > 0 ? Double(worked) / Double(wall) : nil }
}

/// The summary of a second of a run.
package struct CoreWindow: Hashable, Sendable {
    /// Its beginning [ns since the beginning of the run].
    package var start: Int64
    /// Its length [ns].
    package var length: Int64
    /// The counts of events.
    package var counts: CoreCounts
    /// Updates that became due.
    package var due: Int
    /// The median latency of updates [ns]; nil without updates.
    package var median: Int64?
    /// The p99 of the latency of updates [ns]; nil without updates.
    package var percentile99: Int64?
    /// The longest latency of an update [ns]; nil without updates.
    package var longest: Int64?
    /// The longest scan of the table [ns].
    package var longestScan: Int64?
    /// Updates that were due and not applied at its end.
    package var backlog: Int
    package var missedScans: Int
    /// The processor time of the thread [ns].
    package var worked: Int64
    /// The resident memory of the process at its end [bytes].
    package var residentBytes: Int

    /// The summary of a tally.
    init(_ tally: CoreTally, start: Int64, residentBytes: Int) {
        self.start = start
        length = tally.wall
        counts = tally.counts
        due = tally.due
        median = tally.updateLatency.quantile(0.5)
        percentile99 = tally.updateLatency.quantile(0.99)
        longest = tally.updateLatency.longest
        longestScan = tally.scanTime.longest
        backlog = tally.backlog
        missedScans = tally.missedScans
        worked = tally.worked
        self.residentBytes = residentBytes
    }

    /// Adds the same second of another shard; latencies become the larger ones of both.
    package mutating func addShard(_ other: CoreWindow) {
        func worst(_ left: Int64?, _ right: Int64?) -> Int64? { left.map { max($0, right ?? $0) } ?? right }
        length = max(length, other.length)
        counts += other.counts
        due += other.due
        median = worst(median, other.median)
        percentile99 = worst(percentile99, other.percentile99)
        longest = worst(longest, other.longest)
        longestScan = worst(longestScan, other.longestScan)
        backlog += other.backlog
        missedScans += other.missedScans
        worked += other.worked
        residentBytes = max(residentBytes, other.residentBytes)
    }
}
