public import Quantities
public import SimulationKernel

/// Neighbouring cells of one replication that advance in turn, so that the arrivals of the run are drawn once for all
/// of them.
///
/// A cell simulates the rides that hash to it. To find them, it has to generate all arrivals of the run. The group
/// generates them for all of its cells, block by block:
///
/// ```
/// arrivals of the run ─► a block ─┬─► cell 0: runs through its last known request, then waits
///                                 ├─► cell 1
///                                 └─► …
/// ```
///
/// A cell stops where it needs its next ride, and continues when the group has announced it. Its history is therefore
/// identical to that of a cell that runs alone. A block is bounded, so memory does not grow with the number of rides.
public struct CellGroup: ~Copyable {
    /// The result of a cell at the horizon.
    public struct Outcome: Sendable {
        /// The index of the cell in the scenario.
        public let cell: Int
        /// The measurements of the cell; those that the cells share are in the last outcome.
        public let measurements: Measurements
        /// The hash of the cell's history.
        public let fingerprint: Fingerprint
    }

    private let world: World
    private let numbers: Range<Int>
    private let replication: UInt32
    private let watch: Watch
    private var arrivals: ArrivalSequence
    private let assignment: CellAssignment
    private var areAllAnnounced = false
    private let senderCourse: UnsafeMutablePointer<SenderCourse.Open>
    /// The cells.
    ///
    /// The first ones, one for each outcome, are finished and deallocated.
    private let cells: UnsafeMutablePointer<CellSimulation>
    /// The index of the cell that runs next.
    private var turn: Int
    /// The outcomes of the finished cells, in order.
    public private(set) var outcomes: [Outcome] = []
    /// The number of effective events so far in all cells; a restart of the group resets it.
    public private(set) var eventCount: UInt64 = 0
    /// The time simulated so far in all cells; a restart of the group resets it.
    public private(set) var simulatedTime = TimeSpan.zero
    /// `true` if the group has begun again without speculation since the rows of its event log were taken.
    private var hasRestarted = false
    /// The rows of finished cells that are not taken yet.
    private var finishedEvents: [ServerEvent] = []

    /// The hash of the first cell's history so far.
    public var firstFingerprint: Fingerprint { outcomes.first?.fingerprint ?? cells[0].fingerprint }

    /// Creates the cells of a group before their first event.
    ///
    /// - Precondition: The range is not empty.
    ///
    /// - Parameters:
    ///   - world: The compiled scenario.
    ///   - cells: The indices of the cells in the scenario.
    ///   - replication: The index of the replication.
    ///   - speculation: The limit of speculation in the cells. If the assumption of free streams fails in a cell, the group
    ///     restarts without it.
    ///   - watch: ``Watch/serverLog(withScreens:)`` for event logs; it does not change the history.
    public init(
        world: World,
        cells numbers: Range<Int>,
        replication: UInt32,
        speculation: Speculation = .accelerated,
        watch: Watch = .none
    ) {
        let random = world.scenario.randomSource(ofReplication: replication, seed: nil)
        self.world = world
        self.numbers = numbers
        self.replication = replication
        self.watch = watch
        // The loop for plain refreshes records no histories.
        let speculation = watch == .none || speculation == .none ? speculation : .handlersOnly
        arrivals = ArrivalSequence(world: world, random: random)
        assignment = CellAssignment(world, random)
        let course = SenderCourse.opened(world)
        senderCourse = course
        cells = .allocate(capacity: numbers.count)
        for (index, cell) in numbers.enumerated() {
            (cells + index)
                .initialize(
                    to: CellSimulation(
                        world: world,
                        cell: cell,
                        random: random,
                        watch: watch,
                        course: course,
                        speculation: speculation
                    )
                )
        }
        turn = numbers.count
        outcomes.reserveCapacity(numbers.count)
    }

    deinit {
        (cells + outcomes.count).deinitialize(count: numbers.count - outcomes.count)
        SenderCourse.close(senderCourse)
        cells.deallocate()
    }

    /// Runs one turn of one cell, or a part of it.
    ///
    /// - Parameter limit: The maximum number of pending events to process before returning. Each may include further
    ///   events that it runs ahead.
    /// - Returns: `true` if events are left; otherwise every cell has its outcome.
    public mutating func run(atMost limit: Int) -> Bool {
        if turn == numbers.count {
            guard !areAllAnnounced else { return false }
            announceArrivals()
            turn = 0
        }
        let goesOn = advance(turn, atMost: limit)
        if !goesOn, areAllAnnounced { finish(turn) }
        if cells[turn].hasMisspeculated {
            self = CellGroup(
                world: world,
                cells: numbers,
                replication: replication,
                speculation: .none,
                watch: watch
            )
            hasRestarted = true
            return true
        }
        if !goesOn {
            if areAllAnnounced { takeOutcome(of: turn) }
            turn += 1
        }
        return outcomes.count < numbers.count
    }

    /// Moves the rows of the event log since the last call to the end of an array.
    ///
    /// The rows of one ride are in their order. Those of different rides are not: a ride runs ahead of its cell. Every row that is
    /// still to come is at ``clock`` or later.
    ///
    /// - Returns: `true` if the group has begun again since the last call, so that all rows that were taken before are void.
    public mutating func takeServerEvents(into rows: inout [ServerEvent]) -> Bool {
        defer { hasRestarted = false }
        rows.append(contentsOf: finishedEvents)
        finishedEvents.removeAll(keepingCapacity: true)
        for index in outcomes.count..<numbers.count { cells[index].takeServerEvents(into: &rows) }
        return hasRestarted
    }

    /// The instant that all cells have reached.
    public var clock: Instant {
        (outcomes.count..<numbers.count).reduce(world.horizon) { min($0, cells[$1].now) }
    }

    /// Runs events of a cell; returns `true` if it could process more now.
    private mutating func advance(_ index: Int, atMost limit: Int) -> Bool {
        let (events, instant) = (cells[index].eventCount, cells[index].now)
        let goesOn = cells[index].run(through: world.horizon, atMost: limit)
        eventCount += cells[index].eventCount - events
        simulatedTime += cells[index].now - instant
        return goesOn
    }

    /// Ends the measurement of a cell.
    private mutating func finish(_ index: Int) {
        let instant = cells[index].now
        cells[index].finish()
        simulatedTime += cells[index].now - instant
    }

    /// Stores the outcome of a cell and frees its memory.
    private mutating func takeOutcome(of index: Int) {
        var measurements = cells[index].measurements
        if outcomes.count == numbers.count - 1 { measurements.senderCourse = senderCourse.pointee.course }
        outcomes.append(
            Outcome(
                cell: numbers.lowerBound + index,
                measurements: measurements,
                fingerprint: cells[index].fingerprint
            )
        )
        cells[index].takeServerEvents(into: &finishedEvents)
        (cells + index).deinitialize(count: 1)
    }

    // MARK: - Arrivals

    /// The average number of requests that a cell receives per turn; fewer in groups of more than 128 cells.
    ///
    /// A ride causes about a hundred events, so a turn takes some milliseconds. That is long compared with the time to
    /// load a cell's memory into the cache.
    private static var requestsPerTurn: Int { 2048 }
    /// The number of requests of the run that are generated per block.
    private static var walkedRequests: Int { 1 << 18 }

    /// Generates the next block of arrivals and announces to each cell its own.
    private mutating func announceArrivals() {
        var wanted = CellGroup.requestsPerTurn * numbers.count
        var walked = 0
        while wanted > 0, walked < CellGroup.walkedRequests {
            walked += 1
            guard let arrival = arrivals.next() else {
                areAllAnnounced = true
                break
            }
            let cell = assignment.cell(ofRide: arrival.ride)
            if numbers.contains(cell) {
                cells[cell - numbers.lowerBound].announce(arrival)
                wanted -= 1
            }
        }
        for index in 0..<numbers.count {
            cells[index].announcementEnded(isLast: areAllAnnounced)
        }
    }
}
