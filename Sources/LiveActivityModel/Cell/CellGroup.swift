public import Quantities
public import SimulationKernel

/// Neighbouring cells of one replication that advance by turns, so that the arrivals of the run are drawn once for all of
/// them.
///
/// A cell takes the rides that hash to it, and to find them it has to walk all rides of the run. The group walks them in
/// its cells' place, block by block:
///
/// ```
/// arrivals of the run ─► a block ─┬─► cell 0: runs through its last known request, then waits
///                                 ├─► cell 1
///                                 └─► …
/// ```
///
/// A cell stops at the point at which it would look for its next ride, and goes on from there when it has been told; so
/// its history is the same as alone, to the byte. A block is bounded, and so is the memory, whatever the number of rides.
public struct CellGroup: ~Copyable {
    /// What is left of a cell at the horizon.
    public struct Outcome: Sendable {
        /// Which cell of the scenario.
        public let cell: Int
        /// What was measured; what the cells of the group share is in the last one's.
        public let measurements: Measurements
        /// The hash of the cell's history.
        public let fingerprint: Fingerprint
    }

    private let world: World
    private let numbers: Range<Int>
    private let replication: UInt32
    private var arrivals: ArrivalSequence
    private let assignment: CellAssignment
    private var areAllAnnounced = false
    private let senderCourse: UnsafeMutablePointer<SenderCourse.Open>
    /// The cells; the first ones, as many as there are outcomes, have been finished and are gone.
    private let cells: UnsafeMutablePointer<CellSimulation>
    /// Whose turn it is, counted from 0.
    private var turn: Int
    /// What the cells that have been finished measured, in their order.
    public private(set) var outcomes: [Outcome] = []
    /// How many events had a meaning so far, over all cells; begins anew with the group.
    public private(set) var eventCount: UInt64 = 0
    /// How much time was simulated so far, over all cells; begins anew with the group.
    public private(set) var simulatedTime = TimeSpan.zero

    /// The hash of the history of the first cell, as far as it has come.
    public var firstFingerprint: Fingerprint { outcomes.first?.fingerprint ?? cells[0].fingerprint }

    /// Cells before their first event.
    ///
    /// - Precondition: There is a cell.
    ///
    /// - Parameters:
    ///   - world: The scenario, made ready.
    ///   - cells: Which of the scenario's cells, counted from 0.
    ///   - replication: Which of the possible histories.
    ///   - speculation: The limit of speculation in the cells. If the assumption of an optimistic cell fails, the group begins again
    ///     without it.
    public init(world: World, cells numbers: Range<Int>, replication: UInt32, speculation: Speculation = .optimistic) {
        let random = world.scenario.randomSource(ofReplication: replication, seed: nil)
        self.world = world
        self.numbers = numbers
        self.replication = replication
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
                        watch: .none,
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
    /// - Parameter limit: How many events may come up, so that a caller can look up between them; each may bring others along
    ///   that are worked out.
    /// - Returns: Whether anything is left to happen; else every cell has its outcome.
    public mutating func run(atMost limit: Int) -> Bool {
        if turn == numbers.count {
            guard !areAllAnnounced else { return false }
            announceArrivals()
            turn = 0
        }
        let goesOn = advance(turn, atMost: limit)
        if !goesOn, areAllAnnounced { finish(turn) }
        if cells[turn].hasErred {
            self = CellGroup(world: world, cells: numbers, replication: replication, speculation: .certain)
            return true
        }
        if !goesOn {
            if areAllAnnounced { takeOutcome(of: turn) }
            turn += 1
        }
        return outcomes.count < numbers.count
    }

    /// Runs events of a cell; whether there are more that it could run now.
    private mutating func advance(_ index: Int, atMost limit: Int) -> Bool {
        let (events, instant) = (cells[index].eventCount, cells[index].now)
        let goesOn = cells[index].run(through: world.horizon, atMost: limit)
        eventCount += cells[index].eventCount - events
        simulatedTime += cells[index].now - instant
        return goesOn
    }

    /// Closes the books of a cell.
    private mutating func finish(_ index: Int) {
        let instant = cells[index].now
        cells[index].finish()
        simulatedTime += cells[index].now - instant
    }

    /// Keeps what was measured in a cell and gives its memory back.
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
        (cells + index).deinitialize(count: 1)
    }

    // MARK: - Arrivals

    /// How many requests a cell is told of at a time, on average; fewer in groups of more than 128 cells.
    ///
    /// A ride means some hundred events, so a turn of some milliseconds is long against the time that it takes to bring the
    /// memory of a cell into the cache.
    private static var requestsPerTurn: Int { 2048 }
    /// How many requests are walked at a time, in whatever cells.
    private static var walkedRequests: Int { 1 << 18 }

    /// Walks the next block of arrivals and tells the cells of their own.
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
