package import FreshnessCore
import HeapModule
package import LiveActivityModel
package import Quantities
import SimulationKernel

/// All instances of the monitor: told what happened, it says what to send and what to write.
///
/// It decides nothing itself: a `RemoteMonitorStation` for each instance does, around the simulator's `MonitorStation`,
/// and one `SenderStation` for all of them, the simulator's too. Here is what a service needs around them: whose turn
/// it is, bytes and tokens, and what has to be on disk before a push goes.
///
/// ```
///   requests, after their change is durable ──► MonitorStateMachine ──► pushes ──► connections ──► answers ─┐
///                              time ──────────►      ▲   └─────► changes ──► registry                        │
///                                                    └───────────────────────────────────────────────────────┘
/// ```
///
/// Instants are microseconds of UNIX time that only go forward. One shell calls, one call at a time; after each it lets
/// the state machine ``advance(to:)`` and takes its actions. With scans, a `FreshnessTable` finds lapses and everything
/// else waits for the scan after its deadline; without, all is done at its deadline.
package struct MonitorStateMachine {
    /// What is to be done now, in this order: changes first.
    struct Actions {
        /// To be made durable; a `.end` is reported back by ``MonitorStateMachine/endRecorded(_:at:)``.
        var changes: [RegistryChange] = []
        var pushes: [OutgoingPush] = []
    }

    let rules: MonitorRules
    var policy: FreshnessPolicy { rules.policy }
    var budget: RetryBudget?
    private let random: RandomSource
    var instances: [MonitoredInstance] = []
    private var rows: [InstanceID: Int] = [:]
    /// Rows of instances that were forgotten, for new ones.
    private var freeRows: [Int] = []
    /// After what time without anything to do an instance is forgotten; nil: never.
    let forgetAfter: TimeSpan?
    /// When the next look for such instances is, and where it begins.
    var nextSweep: (at: Instant, row: Int)
    var table: FreshnessTable
    var deadlines = Heap<Deadline>()
    private var sequence: UInt64 = 0
    var nextScan: Instant
    var sender: MonitorSender
    /// How many requests there were.
    var pushCount: UInt64 = 0
    /// When the monitor began, the low 32 bits of it: tells ids of two lives apart.
    let boot: UInt32
    var counts = MonitorCounts()
    /// Rows by class, as the last scan saw them.
    var classes = FreshnessTable.Counts()
    var actions = Actions()

    /// A monitor without instances.
    ///
    /// - Parameters:
    ///   - world: The scenario whose monitor and sender it replaces: thresholds, attempts, ends, scans, the
    ///     budget of all retries; streams, ranks, queue, limits, repeats; the seed of its draws. Scans lie on their
    ///     grid in UNIX time: the same one after a restart.
    ///   - forgetAfter: After what time without anything to do an instance is forgotten; nil: never.
    ///   - now: When it begins.
    /// - Precondition: No push takes the stream of another: `sender.preempt` is `none`.
    /// - Throws: `PolicyError` where the recovery window is not in whole milliseconds, up to 12 days.
    package init(_ world: World, forgetAfter: TimeSpan? = nil, at now: Instant) throws(PolicyError) {
        let monitor = world.scenario.monitor
        rules = try MonitorRules(monitor, survivesRestarts: true)
        budget = try monitor.budget()
        sender = MonitorSender(SenderRules(world: world))
        self.forgetAfter = forgetAfter
        nextSweep = (forgetAfter.map { now + $0 } ?? .never, 0)
        random = RandomSource(seed: world.scenario.seed, replication: 0)
        table = try FreshnessTable(rows: MonitorStateMachine.firstRows, policy: rules.policy, at: now)
        nextScan = rules.scans?.firstScan(notBefore: now) ?? .never
        boot = UInt32(truncatingIfNeeded: now.microseconds)
    }

    private static var firstRows: Int { 1024 }

    /// Takes what is to be done.
    mutating func takeActions() -> Actions {
        let taken = actions
        actions = Actions()
        return taken
    }

    /// When ``advance(to:)`` next has something to do.
    var nextWake: Instant { min(nextScan, deadlines.min?.due ?? .never, nextSweep.at, sender.nextDue) }

    /// How many instances are known, closed ones among them.
    var instanceCount: Int { rows.count }
    /// How many pushes are not answered.
    var inFlightCount: Int { sender.requestCount }
    /// How many pushes wait for a stream, or for the rate limit.
    var waitingCount: Int { sender.station.waitingCount }

    /// How many instances are given up without that being durable yet.
    var unrecordedCount: Int { instances.count { $0.station.monitor.awaitsRecord } }

    /// Whether a push is not answered.
    func isUnderWay(_ number: UInt64) -> Bool { sender.isUnderWay(number) }

    /// Where an instance is.
    func row(of id: InstanceID) -> Int? { rows[id] }

    /// Where an instance is, or will be from now on.
    mutating func rowMaking(_ id: InstanceID, at now: Instant) -> Int {
        if let row = rows[id] { return row }
        let instance = MonitoredInstance(id: id, at: now)
        let row: Int
        if let free = freeRows.popLast() {
            row = free
            instances[row] = instance
        } else {
            row = instances.count
            instances.append(instance)
            if row >= table.rowCount { grow(at: now) }
        }
        rows[id] = row
        return row
    }

    /// Gives the row of an instance back; deadlines that are left of it at worst wake its successor for nothing.
    mutating func forget(_ row: Int) {
        rows[instances[row].id] = nil
        instances[row].isForgotten = true
        instances[row].token = nil
        instances[row].station = RemoteMonitorStation()
        instances[row].contentState = nil
        instances[row].wakeAt = .never
        table.vacate(row)
        freeRows.append(row)
    }

    /// A table twice as long; its scan reports once more what the last one had reported, which does no harm.
    private mutating func grow(at now: Instant) {
        // The policy was good enough for the first table.
        guard let longer = try? FreshnessTable(rows: 2 * table.rowCount, policy: policy, at: now) else { return }
        table = longer
        for row in instances.indices { mirror(row, at: now) }
    }

    /// Puts into the table what the core thinks of an instance.
    mutating func mirror(_ row: Int, at now: Instant) {
        guard let freshness = instances[row].station.monitor.freshness else {
            table.vacate(row)
            return
        }
        switch freshness.classification(at: now) {
        case nil: table.vacate(row)
        case .severe: table.giveUp(row)
        case .fresh, .recoverable:
            // An episode keeps the lapse with which it began.
            if let until = freshness.freshUntil { table.set(row, freshUntil: until) }
        }
    }

    mutating func remember(_ row: Int, at due: Instant) {
        guard due < instances[row].wakeAt else { return }
        instances[row].wakeAt = due
        sequence += 1
        deadlines.insert(Deadline(due: due, sequence: sequence, row: row))
    }

    /// The draw for an instance's next pause.
    func pauseDraw(_ row: Int) -> UInt64 {
        guard rules.needsDraws else { return 0 }
        return random.pauseDraw(entity: instances[row].id.entity, count: instances[row].station.monitor.wakeCount)
    }
}
