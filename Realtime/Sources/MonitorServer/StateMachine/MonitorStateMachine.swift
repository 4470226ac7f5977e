package import FreshnessCore
import HeapModule
package import LiveActivityModel
package import Quantities
import SimulationKernel

/// All instances of the monitor: receives events and returns what to send and what to write.
///
/// It makes no decisions. A `RemoteMonitorStation` per instance does, around the simulator's `MonitorStation`, and one
/// `SenderStation`, also the simulator's, for all of them. This type adds what a service needs around them: scheduling,
/// bytes and tokens, and the changes that must be on disk before a push is sent.
///
/// ```
///   requests, after their change is durable ──► MonitorStateMachine ──► pushes ──► connections ──► answers ─┐
///                              time ──────────►      ▲   └─────► changes ──► registry                        │
///                                                    └───────────────────────────────────────────────────────┘
/// ```
///
/// Instants are microseconds of UNIX time and never decrease. One shell makes one call at a time; after each it calls
/// ``advance(to:)`` and takes the actions. With scans, a `FreshnessTable` finds lapses and all other work waits for the
/// scan after its deadline. Without scans, all work is done at its deadline.
package struct MonitorStateMachine {
    /// The actions to perform now, in this order: changes first.
    struct Actions {
        /// Changes to make durable; a `.end` is reported back by ``MonitorStateMachine/endRecorded(_:at:)``.
        var changes: [RegistryChange] = []
        var pushes: [OutgoingPush] = []
        /// Rows of the event log, in the order of time; empty if none is kept.
        var rows: [ServerEvent] = []
    }

    let rules: MonitorRules
    var policy: FreshnessPolicy { rules.policy }
    var budget: RetryBudget?
    private let random: RandomSource
    var instances: [MonitoredInstance] = []
    private var rows: [InstanceID: Int] = [:]
    /// Rows of deleted instances, for reuse.
    private var freeRows: [Int] = []
    /// The idle time after which an instance is deleted; `nil` for never.
    let forgetAfter: TimeSpan?
    /// The time and the first row of the next sweep for such instances.
    var nextSweep: (at: Instant, row: Int)
    var table: FreshnessTable
    var deadlines = Heap<Deadline>()
    private var sequence: UInt64 = 0
    var nextScan: Instant
    var sender: MonitorSender
    /// The number of requests so far.
    var pushCount: UInt64 = 0
    /// The low 32 bits of the start time, which distinguish ids of two processes.
    let boot: UInt32
    var counts = MonitorCounts()
    /// The number of rows by class at the last scan.
    var classes = FreshnessTable.Counts()
    var actions = Actions()
    /// `true` if rows of an event log are kept.
    var isLogged = false

    /// Creates a monitor without instances.
    ///
    /// - Parameters:
    ///   - world: The scenario whose monitor and sender it replaces: thresholds, attempts, ends, scans, the budget of
    ///     all retries; streams, ranks, queue, limits, repeats; the seed of its draws. Scans lie on their grid in UNIX
    ///     time, which is the same after a restart.
    ///   - forgetAfter: The idle time after which an instance is deleted; `nil` for never.
    ///   - now: The start time.
    /// - Precondition: No push takes the stream of another: `sender.preempt` is `none`.
    /// - Throws: `PolicyError` if the recovery window is not in whole milliseconds, up to 12 days.
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

    /// Takes the pending actions.
    mutating func takeActions() -> Actions {
        let taken = actions
        actions = Actions()
        return taken
    }

    /// The time at which ``advance(to:)`` next has work.
    var nextWake: Instant { min(nextScan, deadlines.min?.due ?? .never, nextSweep.at, sender.nextDue) }

    /// The number of known instances, including closed ones.
    var instanceCount: Int { rows.count }
    /// The number of pushes in flight.
    var inFlightCount: Int { sender.requestCount }
    /// The number of pushes that wait for a stream or for the rate limit.
    var waitingCount: Int { sender.station.waitingCount }

    /// The number of instances whose end has been decided but is not durable yet.
    var unrecordedCount: Int { instances.count { $0.station.monitor.awaitsRecord } }

    /// Returns `true` if a push is in flight.
    func isUnderWay(_ number: UInt64) -> Bool { sender.isUnderWay(number) }

    /// Returns the row of an instance.
    func row(of id: InstanceID) -> Int? { rows[id] }

    /// Returns the row of an instance, and creates it if necessary.
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

    /// Frees the row of an instance.
    ///
    /// At worst, remaining deadlines wake its successor without effect.
    mutating func forget(_ row: Int) {
        rows[instances[row].id] = nil
        instances[row].isForgotten = true
        instances[row].token = nil
        instances[row].station = RemoteMonitorStation()
        instances[row].content = nil
        instances[row].wakeAt = .never
        table.vacate(row)
        freeRows.append(row)
    }

    /// Doubles the table; its scan reports once more what the previous one reported, which is harmless.
    private mutating func grow(at now: Instant) {
        // The policy was valid for the first table.
        guard let longer = try? FreshnessTable(rows: 2 * table.rowCount, policy: policy, at: now) else { return }
        table = longer
        for row in instances.indices { mirror(row, at: now) }
    }

    /// Copies the core's state of an instance to the table.
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

    /// Adds a row about an instance to the event log, if one is kept.
    mutating func log(_ kind: ServerEvent.Kind, _ row: Int, at now: Instant) {
        guard isLogged else { return }
        actions.rows.append(ServerEvent(kind, at: now, ride: instances[row].id.entity))
    }

    mutating func remember(_ row: Int, at due: Instant) {
        guard due < instances[row].wakeAt else { return }
        instances[row].wakeAt = due
        sequence += 1
        deadlines.insert(Deadline(due: due, sequence: sequence, row: row))
    }

    /// Returns the draw for an instance's next pause.
    func pauseDraw(_ row: Int) -> UInt64 {
        guard rules.needsDraws else { return 0 }
        return random.pauseDraw(entity: instances[row].id.entity, count: instances[row].station.monitor.wakeCount)
    }
}
