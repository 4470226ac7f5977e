import DequeModule
import Quantities

/// The requests of one cell's rides in order, found among all requests of the run or announced by the group.
///
/// A group announces them in blocks. A cell uses up each block before the next, so memory is bounded by one block.
struct RequestFeed {
    private let cell: Int
    private let assignment: CellAssignment
    private let runsThrough: Instant
    /// The requests of the whole run, among which the cell finds its own; nil if its group announces them.
    private var run: ArrivalSequence?
    private var announced: Deque<ArrivalSequence.Arrival> = []
    /// `true` if these are the last to be announced.
    private var areAllAnnounced = false
    /// The next request; nil after the last, or until it is announced.
    private(set) var next: ArrivalSequence.Arrival?
    /// The instant up to which events can be run: the horizon, or before the start while the next request is not
    /// announced.
    private(set) var runnableThrough: Instant

    /// - Parameter run: All requests of the run; nil for a cell whose group announces them.
    init(_ world: World, cell: Int, _ assignment: CellAssignment, run: ArrivalSequence?) {
        self.cell = cell
        self.assignment = assignment
        self.run = run
        runsThrough = world.runsThrough
        runnableThrough = runsThrough
    }

    /// `true` if the cell cannot continue before its group announces more requests.
    var awaitsAnnouncement: Bool { runnableThrough == .beforeStart }

    /// Accepts a request of the cell from the group.
    mutating func announce(_ arrival: ArrivalSequence.Arrival) {
        announced.append(arrival)
    }

    /// Records that the group has announced the last request.
    mutating func announcedAll() {
        areAllAnnounced = true
    }

    /// Advances to the next request.
    mutating func advance() {
        guard run != nil else {
            next = announced.popFirst()
            // A cell that continued without the next request might miss it.
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
