internal import Dispatch
import LiveActivityModel
public import Quantities
import SimulationKernel
import Synchronization

/// The everyday world with a number of simultaneously live activities, run to its plateau.
///
/// All cells are in memory at the same time and advance in turn, like the groups of a run, so the measured process
/// actually holds that number of activities. Unlike in a group, each cell generates all arrivals itself.
public final class ModelWorkload {
    /// Optional mechanisms of the model.
    public enum Mechanisms: String, CaseIterable, Sendable {
        /// Only mechanisms of the everyday scenario.
        case none = "model"
        /// All that a rider sees beyond freshness.
        case card
        /// Riders with several rides, starts by push and cohorts.
        case fleet
        /// Riders, starts by push, cohorts, and an endpoint of content.
        case endpoint
    }

    private let world: World
    /// One cell in a box, because a cell cannot be copied.
    private final class Cell {
        var simulation: CellSimulation

        init(world: World, cell: Int) {
            simulation = CellSimulation(world: world, cell: cell, replication: 0, speculation: .accelerated)
        }
    }

    private let cells: [Cell]
    private var now = Instant.start

    /// The time after the first request at which the number of live activities has settled: few rides last longer.
    public static var warmUp: TimeSpan { .minutes(75) }

    /// Creates cells before their first event.
    ///
    /// - Parameters:
    ///   - activities: The approximate number of simultaneously live activities, over all cells.
    ///   - cells: The number of cells that they are hashed to.
    ///   - longest: The total time that the workload will be run; rides arrive until then.
    ///   - mechanisms: The optional mechanisms that are on.
    /// - Throws: The errors in the scenario.
    public init(activities: Int, cells count: Int, longest: TimeSpan, mechanisms: Mechanisms = .none) throws {
        world = try EverydayWorld.world(
            ridesPerHour: Double(activities) / EverydayWorld.meanHoursInMemory,
            duration: longest,
            scale: Double(activities) / EverydayWorld.usualActivities,
            cells: count,
            mechanisms: mechanisms
        )
        let world = world
        cells = (0..<count).map { Cell(world: world, cell: $0) }
    }

    /// The number of effective events so far, over all cells.
    public var eventCount: UInt64 {
        cells.reduce(0) { $0 + $1.simulation.eventCount }
    }

    /// The number of requests sent so far, over all cells.
    public var pushCount: Int64 {
        let kinds: [Counter] = [.updatesSent, .retriesSent, .endsSent, .startsSent]
        return cells.reduce(0) { sum, cell in
            let measurements = cell.simulation.measurements
            return kinds.reduce(sum) { $0 + measurements[$1] }
        }
    }

    /// The number of activities in memory, over all cells.
    public var activityCount: Int {
        cells.reduce(0) { $0 + $1.simulation.activityCount }
    }

    /// The number of activities that start per hour of simulated time, over all cells.
    public var activitiesPerHour: Double { world.scenario.rides.arrivals.ratesPerHour[0] }

    /// A hash of the cells' fingerprints.
    public var fingerprint: UInt64 {
        cells.reduce(0) { ($0 ^ $1.simulation.fingerprint.value) &* 0x9E37_79B9_7F4A_7C15 }
    }

    /// Advances all cells by a span of simulated time; the history is the same for any number of threads.
    ///
    /// A single job runs on the calling thread. With several, cells wait for each other only at the end, as in whole
    /// runs: a thread that has finished one cell takes the next.
    @inline(never)
    public func run(for span: TimeSpan, jobs: Int = 1) {
        now = now + span
        let end = now
        guard jobs > 1 else {
            for cell in cells { _ = cell.simulation.run(through: end) }
            checkSpeculation()
            return
        }
        let nextCell = Atomic<Int>(0)
        // Only one thread uses each cell, and nothing reads it until all have ended.
        nonisolated(unsafe) let cells = cells
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while true {
                let index = nextCell.add(1, ordering: .relaxed).oldValue
                guard index < cells.count else { break }
                _ = cells[index].simulation.run(through: end)
            }
        }
        checkSpeculation()
    }

    private func checkSpeculation() {
        precondition(
            !cells.contains { $0.simulation.hasMisspeculated },
            "a sender of the everyday world is never the bottleneck"
        )
    }
}

extension ModelWorkload {
    /// The maximum simulated time of a benchmark [days], as for a scenario.
    public static var longestDays: Double { 3650 }

    /// The approximate simulated time of all runs together [days].
    public static func simulatedDays(events: Int, activities: Int, runs: Int) -> Double {
        Double(runs) * Double(events) / (Double(activities) * EverydayWorld.eventsPerSecond) / 86_400
    }

    /// The simulated time for an approximate number of events, in whole seconds.
    ///
    /// - Precondition: ``simulatedDays(events:activities:runs:)`` is at most ``longestDays``.
    public static func span(events: Int, activities: Int) -> TimeSpan {
        .seconds(max(1, Int64((Double(events) / (Double(activities) * EverydayWorld.eventsPerSecond)).rounded(.up))))
    }
}
