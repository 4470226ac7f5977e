import DequeModule
import Quantities

/// The requests of one cell's rides, one after the other: found among all requests of the run, or announced by the group.
///
/// A group announces them in blocks that are all used up before the next one, so the memory is that of one block.
struct RequestFeed {
    private let cell: Int
    private let assignment: CellAssignment
    private let runsThrough: Instant
    /// The requests of the whole run, where the cell looks for its own; nil where its group announces them.
    private var run: ArrivalSequence?
    private var announced: Deque<ArrivalSequence.Arrival> = []
    /// Whether nothing will be announced after these.
    private var areAllAnnounced = false
    /// The request that comes next; nil after the last, or while it is yet to be announced.
    private(set) var next: ArrivalSequence.Arrival?
    /// How far events can be run: through the horizon; not at all while the next request is yet to be announced.
    private(set) var runnableThrough: Instant

    /// - Parameter run: All requests of the run; nil for a cell whose group announces them.
    init(_ world: World, cell: Int, _ assignment: CellAssignment, run: ArrivalSequence?) {
        self.cell = cell
        self.assignment = assignment
        self.run = run
        runsThrough = world.runsThrough
        runnableThrough = runsThrough
    }

    /// Whether the cell cannot go on before its group has announced more requests.
    var awaitsAnnouncement: Bool { runnableThrough == .beforeStart }

    /// The group has found a request of the cell's.
    mutating func announce(_ arrival: ArrivalSequence.Arrival) {
        announced.append(arrival)
    }

    /// The group has found the last one.
    mutating func announcedAll() {
        areAllAnnounced = true
    }

    /// Goes on to the next request.
    mutating func advance() {
        guard run != nil else {
            next = announced.popFirst()
            // A cell that went on without the next request might miss it.
            runnableThrough = next == nil && !areAllAnnounced ? .beforeStart : runsThrough
            return
        }
        repeat {
            next = run?.next()
        } while next.map { assignment.cell(ofRide: $0.ride) != cell } ?? false
    }
}

extension Instant {
    /// An instant before all events.
    fileprivate static var beforeStart: Instant { Instant(microseconds: -1) }
}
