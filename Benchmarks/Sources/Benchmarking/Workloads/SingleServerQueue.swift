import Quantities
import SimulationKernel

/// M/M/1: one server and customers who wait in line; arrivals and ends of service are events of the kernel.
///
/// The simplest benchmark of engines: with two pending events the complexity of the event list does not matter, so it
/// measures the path through the event loop. The load is 0.9: customers come every second on average and are served for
/// 0.9 s. In the long run 9 are in the system, for 9 s each.
public struct SingleServerQueue: Workload, ~Copyable {
    private static var arrival: UInt8 { 0 }
    private static var departure: UInt8 { 1 }
    private static var meanInterarrival: UInt64 { 1_000_000 }
    private static var meanService: UInt64 { 900_000 }

    private var loop = EventLoop()
    private var draws = DrawSequence(seed: 2026)
    private let table = ExponentialTable()
    /// The arrivals of the customers in the system, in a ring; the first one is in service.
    private var arrivals: UnsafeMutablePointer<Int64>
    private var capacity = 1024
    private var head = 0
    /// The number of customers in the system.
    public private(set) var customersInSystem = 0

    /// The number of customers who have left.
    public private(set) var servedCount = 0
    /// The total time in the system of those who have left [µs].
    public private(set) var timeInSystem: Int64 = 0
    /// The hash of the instants and kinds of all events so far.
    public private(set) var trajectoryHash: UInt64 = 0

    /// An empty system before its first customer.
    public init() {
        arrivals = .allocate(capacity: capacity)
        schedule(SingleServerQueue.arrival, mean: SingleServerQueue.meanInterarrival, draw: draws.next())
    }

    deinit {
        arrivals.deallocate()
    }

    /// The simulated time so far [µs].
    public var elapsedMicroseconds: Int64 { loop.now.microseconds }

    /// Continues until a number of further customers have left.
    ///
    /// - Complexity: O(`units`).
    @inline(never)
    public mutating func run(units: Int) {
        var draws = draws
        var hash = trajectoryHash
        var (inSystem, left, time) = (customersInSystem, units, timeInSystem)
        while left > 0 {
            guard let event = loop.next(through: .never) else {
                preconditionFailure("an event was lost")
            }
            let now = loop.now.microseconds
            hash = HoldModel.combined(hash, UInt64(bitPattern: now) ^ UInt64(event.kind) << 38)
            if event.kind == SingleServerQueue.arrival {
                if inSystem == capacity { grow() }
                arrivals[(head &+ inSystem) & (capacity &- 1)] = now
                inSystem &+= 1
                if inSystem == 1 {
                    schedule(SingleServerQueue.departure, mean: SingleServerQueue.meanService, draw: draws.next())
                }
                schedule(SingleServerQueue.arrival, mean: SingleServerQueue.meanInterarrival, draw: draws.next())
            } else {
                time &+= now &- arrivals[head]
                head = (head &+ 1) & (capacity &- 1)
                inSystem &-= 1
                left &-= 1
                if inSystem > 0 {
                    schedule(SingleServerQueue.departure, mean: SingleServerQueue.meanService, draw: draws.next())
                }
            }
        }
        self.draws = draws
        trajectoryHash = hash
        customersInSystem = inSystem
        timeInSystem = time
        servedCount += units
    }

    @inline(__always)
    private mutating func schedule(_ kind: UInt8, mean: UInt64, draw: UInt64) {
        let span = (table.value(for: draw) &* mean) &>> ExponentialTable.places
        loop.schedule(
            EventWord(kind: kind, subject: 0),
            at: Instant(microseconds: loop.now.microseconds &+ Int64(bitPattern: span)),
            priority: EventPriority(rank: 0)
        )
    }

    /// Doubles the capacity of the line.
    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Int64>.allocate(capacity: 2 * capacity)
        for place in 0..<capacity {
            larger[place] = arrivals[(head + place) & (capacity - 1)]
        }
        arrivals.deallocate()
        arrivals = larger
        capacity *= 2
        head = 0
    }
}
