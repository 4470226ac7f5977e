import CMemoryHints
import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

/// A part of the live instances with the state that a monitor keeps of them.
///
/// It uses the `FreshnessTable` and `MonitorStation` of simulator and monitor in the same way as they do. A scan of the table
/// finds the instances that have changed class and wakes them; later attempts and ends are wake-ups at later scans. It has
/// neither clock nor thread: instants are arguments, and the caller reads the clock.
///
/// Updated instances and silences are keyed draws, so the same settings give the same load each time.
///
/// - Note: An update accesses two places that are not in the cache, the instance and its row of the table. Therefore
///   ``apply(_:due:at:)`` takes many updates at once and prefetches the lines of all of them before it applies the first.
struct CoreShard: ~Copyable {
    private enum Purpose {
        static let target: UInt16 = 1
        static let silence: UInt16 = 2
        static let firstContent: UInt16 = 3
    }

    let settings: CoreSettings
    var counts = CoreCounts()
    private let source: RandomSource
    private var table: FreshnessTable
    private var stations: ContiguousArray<MonitorStation>
    private let rules: MonitorRules
    /// 1 for a silent instance, all pushes to which are rejected.
    private var silent: ContiguousArray<UInt8>
    /// The scheduled attempts and end events.
    private(set) var wheel: TimingWheel
    /// The budget of retries, which is unlimited here.
    private var budget: RetryBudget?
    /// The rows that the current scan has found changed.
    private var changed: ContiguousArray<Int32> = []
    /// The number of draws of silence, over all instances.
    private var turns: Int
    /// The number of the last scan.
    private var lastScan = 0
    /// The number of updates whose targets are drawn together.
    static var batch: Int { 128 }
    private var targets: ContiguousArray<Int32>

    /// A shard whose instances have fresh content of all ages.
    ///
    /// - Throws: `PolicyError` if the table cannot hold the policy's recovery window, or if the interval between scans is out
    ///   of range.
    /// - Complexity: O(instances).
    init(_ settings: CoreSettings, shard: UInt32 = 0) throws(PolicyError) {
        precondition((1...CoreSettings.mostInstances).contains(settings.instances), "a shard has instances")
        let scans = try ScanGrid(first: .start + settings.scanInterval, interval: settings.scanInterval)
        let rows = settings.instances
        table = try FreshnessTable(rows: rows, policy: settings.policy, at: .start)
        self.settings = settings
        let source = RandomSource(seed: settings.seed, replication: shard)
        self.source = source
        wheel = TimingWheel(rows: rows)
        targets = ContiguousArray(repeating: 0, count: CoreShard.batch)
        turns = rows
        silent = ContiguousArray(repeating: 0, count: rows)
        stations = []
        stations.reserveCapacity(rows)
        rules = MonitorRules(policy: settings.policy, scans: scans)
        // A scan after a long outage may find all instances changed, so there is room for all and no scan allocates.
        changed.reserveCapacity(rows)
        let age = UInt64((settings.ttl + settings.policy.freshLimit).microseconds)
        for row in 0..<rows {
            let draw = source.draw(entity: UInt64(row), purpose: Purpose.firstContent, index: 0)
            let left = TimeSpan(microseconds: Int64(age.multipliedFullWidth(by: draw).high) + 1)
            let staleDate = Instant(microseconds: (left - settings.policy.freshLimit).microseconds)
            let stamp = ContentStamp(generatedAt: Instant(microseconds: -1), staleDate: staleDate)
            stations.append(CoreShard.station(showing: stamp, at: .start, rules))
            mirror(row)
            silent[row] = isSilent(row, turn: 0) ? 1 : 0
        }
    }

    // MARK: - Updates

    /// Applies updates, whose content was generated at their due times and reaches its instance now.
    ///
    /// - Parameters:
    ///   - first: The number of the first among all updates of the shard, by which its instance is drawn.
    ///   - due: The due times, at most ``batch`` of them.
    /// - Complexity: O(*updates*); nothing is allocated.
    mutating func apply(first: Int, due: UnsafeBufferPointer<Instant>, at now: Instant) {
        precondition(due.count <= CoreShard.batch, "a batch is no longer than the shard's own")
        turnSilences(until: now)
        findTargets(first: first, count: due.count)
        let ttl = settings.ttl
        for place in 0..<due.count {
            let row = Int(targets[place])
            guard silent[row] == 0 else {
                counts.refused += 1
                // A later attempt is a wake-up, whatever the verdict; nothing is due at once.
                refuse(row, isEnd: false, at: now)
                continue
            }
            let stamp = ContentStamp(generatedAt: due[place], staleDate: due[place] + ttl)
            switch confirm(stamp, row, at: now) {
            case .stillFresh:
                counts.confirmed += 1
            case .recovered:
                counts.confirmed += 1
                counts.recoveredByUpdate += 1
            case .alreadyStale, .older, .late, .closed:
                counts.withoutEffect += 1
            }
        }
    }

    /// Draws the instances of updates and prefetches their memory.
    @inline(__always)
    private mutating func findTargets(first: Int, count: Int) {
        let rows = UInt64(stations.count)
        let source = source
        targets.withUnsafeMutableBufferPointer { targets in
            for place in 0..<count {
                let number = UInt64(truncatingIfNeeded: first &+ place)
                let draw = source.draw(entity: number, purpose: Purpose.target, index: 0)
                targets[place] = Int32(truncatingIfNeeded: rows.multipliedFullWidth(by: draw).high)
            }
        }
        targets.withUnsafeBufferPointer { targets in
            stations.withUnsafeBytes { stations in
                guard let base = stations.baseAddress else { return }
                for place in 0..<count {
                    let address = base + Int(targets[place]) &* MemoryLayout<MonitorStation>.stride
                    prefetch_line(address)
                    prefetch_line(address + (MemoryLayout<MonitorStation>.size &- 1))
                }
            }
            table.prefetch(targets, count)
        }
    }

    /// Confirms content on an instance's screen, also in the table.
    @inline(__always)
    private mutating func confirm(_ stamp: ContentStamp, _ row: Int, at now: Instant) -> InstanceFreshness.Confirmation
    {
        let watch = stations[row].watch
        // A shard observes each station from its beginning to its end.
        let confirmation = stations[row].contentAccepted(stamp, of: watch, at: now, rules) ?? .closed
        switch confirmation {
        case .stillFresh:
            mirror(row)
        case .recovered:
            mirror(row)
            wheel.cancel(row)
        case .alreadyStale, .older, .late, .closed:
            break
        }
        return confirmation
    }

    /// Reports to an instance that APNs has rejected a push.
    private mutating func refuse(_ row: Int, isEnd: Bool, at now: Instant) {
        _ = stations[row].refused(isEnd: isEnd, reason: .serviceUnavailable, on: CoreShard.token, at: now, rules)
    }

    /// The one token of each instance.
    private static var token: UInt32 { 1 }

    /// An instance with its token.
    private static func station(showing stamp: ContentStamp, at now: Instant, _ rules: MonitorRules) -> MonitorStation {
        var station = MonitorStation()
        _ = station.tokenPublished(CoreShard.token, showing: stamp, newest: .confirmed, at: now, rules)
        return station
    }

    // MARK: - Scans

    /// Classifies all instances.
    ///
    /// ``decide(scan:at:decided:)`` must follow. The two are separate so that a caller can time the scan alone.
    ///
    /// - Complexity: O(instances), at the speed of memory.
    mutating func scan(at now: Instant) {
        turnSilences(until: now)
        changed.removeAll(keepingCapacity: true)
        var stale = changed
        changed = []
        _ = table.scan(at: now) { row, _, new in
            if new != .fresh { stale.append(Int32(truncatingIfNeeded: row)) }
        }
        changed = stale
        counts.scans += 1
    }

    /// Makes the decisions for instances that the scan has found changed, and for instances with a due wake-up.
    ///
    /// - Parameters:
    ///   - scan: The number of the scan, from 1; one more than that of the last scan, or larger if scans were missed.
    ///   - decided: Called with the beginning of each episode that is noticed.
    mutating func decide(scan: Int, at now: Instant, decided: (_ staleSince: Instant) -> Void) {
        for place in changed.indices { attend(Int(changed[place]), at: now, decided) }
        // Missed scans had wake-ups, too. One turn of the wheel covers all of them.
        for missed in max(lastScan + 1, scan - TimingWheel.usualBuckets + 1)...max(lastScan + 1, scan) {
            while let row = wheel.takeRow(ofScan: missed) { attend(row, at: now, decided) }
        }
        lastScan = scan
    }

    /// Wakes an instance until nothing more is due, performs its decisions, and schedules its next wake-up.
    private mutating func attend(_ row: Int, at now: Instant, _ decided: (Instant) -> Void) {
        let isReached = silent[row] == 0
        var next = Instant.never
        // APNs answers at once, so no other row is handled in between.
        waking: while true {
            let count = stations[row].wakeCount
            let draw = rules.needsDraws ? source.pauseDraw(entity: UInt64(row), count: count) : 0
            switch stations[row].act(at: now, rules, budget: &budget, draw: draw) {
            case .nothing:
                next = stations[row].nextCheck(at: now, rules)
                break waking
            case .becameRecoverable(let since):
                counts.episodes += 1
                decided(since)
            case .retry:
                counts.retries += 1
                if isReached {
                    let stamp = ContentStamp(generatedAt: now, staleDate: now + settings.ttl)
                    // The content of an attempt does not count as an update.
                    if case .recovered = confirm(stamp, row, at: now) { counts.recoveredByRetry += 1 }
                } else {
                    refuse(row, isEnd: false, at: now)
                }
            case .withholdRetry:
                break
            case .becameSevere:
                counts.givenUp += 1
                table.giveUp(row)
            case .sendEnd:
                counts.ends += 1
                if isReached {
                    if stations[row].endAccepted(on: CoreShard.token) { counts.invalidated += 1 }
                } else {
                    refuse(row, isEnd: true, at: now)
                }
            }
        }
        guard let freshness = stations[row].freshness else { return }
        if freshness.isOver, next == .never {
            if !freshness.isClosed { counts.abandoned += 1 }
            replace(row, at: now)
        } else if !stations[row].isFoundByScan, next != .never {
            wheel.schedule(row, atScan: Int((next - .start).microseconds / settings.scanInterval.microseconds))
        }
    }

    /// Replaces an instance that has ended by a new one.
    private mutating func replace(_ row: Int, at now: Instant) {
        let stamp = ContentStamp(generatedAt: now, staleDate: now + settings.ttl)
        wheel.cancel(row)
        table.vacate(row)
        stations[row] = CoreShard.station(showing: stamp, at: now, rules)
        mirror(row)
    }

    /// Writes the end of an instance's freshness into the table.
    @inline(__always)
    private mutating func mirror(_ row: Int) {
        if let until = stations[row].freshness?.freshUntil { table.set(row, freshUntil: until) }
    }

    // MARK: - Silence

    private func isSilent(_ row: Int, turn: Int) -> Bool {
        settings.silentShare.happens(
            source.draw(entity: UInt64(row), purpose: Purpose.silence, index: UInt32(truncatingIfNeeded: turn))
        )
    }

    /// Draws the silence of instances in turn, each once per ``CoreSettings/silence``.
    private mutating func turnSilences(until now: Instant) {
        let rows = stations.count
        let product = UInt64(max(0, now.microseconds)).multipliedFullWidth(by: UInt64(rows))
        let period = UInt64(settings.silence.microseconds)
        guard product.high < period else { return }
        let until = rows + Int(period.dividingFullWidth(product).quotient)
        while turns < until {
            let row = turns % rows
            silent[row] = isSilent(row, turn: turns / rows) ? 1 : 0
            turns += 1
        }
    }
}
