/// What was measured in a stretch of a run: the latencies, the counts, and what they took.
package struct CoreTally: Sendable {
    /// From an update's due time until it was applied.
    package var updateLatency = LatencyRecord()
    /// From an instance's lapse until the monitor noticed it: waiting for the next scan is most of it.
    package var decisionLatency = LatencyRecord()
    /// How long scans of the table took.
    package var scanTime = LatencyRecord()
    /// How long it took to decide about the instances that a scan had found, and those that were due to wake.
    package var decidingTime = LatencyRecord()
    /// From the instant of a scan on the grid until it and its decisions were done.
    package var scanLateness = LatencyRecord()
    /// What has happened.
    package var counts = CoreCounts()
    /// Updates that became due.
    package var due = 0
    /// Scans that were left out because their time was over before they could begin.
    package var missedScans = 0
    /// Updates that were due and had not been applied at the end.
    package var backlog = 0
    /// The backlog at the end of each stretch that was appended.
    private var backlogs: [Int] = []
    /// How long it took [ns].
    package var wall: Int64 = 0
    /// What the thread worked [ns]; of several shards, all their threads together.
    package var worked: Int64 = 0

    /// Nothing measured.
    package init() {}

    /// Adds what was measured afterwards.
    mutating func append(_ later: CoreTally) {
        merge(later)
        wall += later.wall
        backlog = later.backlog
        backlogs.append(later.backlog)
    }

    /// Adds what was measured at the same time in another shard.
    mutating func addShard(_ other: CoreTally) {
        merge(other)
        wall = max(wall, other.wall)
        backlog += other.backlog
        for (place, count) in other.backlogs.enumerated() {
            if place < backlogs.count { backlogs[place] += count } else { backlogs.append(count) }
        }
    }

    /// What was measured at the same time in several shards.
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

    /// Forgets everything, and keeps the memory.
    mutating func reset() {
        for record in CoreTally.records { self[keyPath: record].reset() }
        backlogs.removeAll(keepingCapacity: true)
        (counts, due, missedScans, backlog, wall, worked) = (CoreCounts(), 0, 0, 0, 0, 0)
    }

    /// The largest backlog at the end of a stretch that was appended; of several shards, that of all of them together.
    package var largestBacklog: Int { backlogs.max() ?? 0 }

    /// Updates per second; nil when no time has passed.
    package var updatesPerSecond: Double? { wall > 0 ? Double(counts.updates) / Double(wall) * 1e9 : nil }

    /// The share of one processor that was used; nil when no time has passed.
    package var processorShare: Double? { wall > 0 ? Double(worked) / Double(wall) : nil }
}

/// A second of a run in a few numbers.
package struct CoreWindow: Hashable, Sendable {
    /// When it began [ns since the beginning of the run].
    package var start: Int64
    /// How long it was [ns].
    package var length: Int64
    /// What happened.
    package var counts: CoreCounts
    /// Updates that became due.
    package var due: Int
    /// Half of the updates were applied so long after they were due, or sooner [ns]; nil without updates.
    package var median: Int64?
    /// 99 in a hundred [ns].
    package var percentile99: Int64?
    /// The longest [ns].
    package var longest: Int64?
    /// The longest scan of the table [ns].
    package var longestScan: Int64?
    /// Updates that were due at its end and not applied.
    package var backlog: Int
    /// Scans left out.
    package var missedScans: Int
    /// What the thread worked [ns].
    package var worked: Int64
    /// What the process held in memory at its end [bytes].
    package var residentBytes: Int

    /// A window, from what was measured in it.
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

    /// Adds the same second of another shard; latencies become the worst of both.
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
