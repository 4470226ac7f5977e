internal import Dispatch
import LiveActivityModel
public import Quantities
import SimulationKernel
import Synchronization

/// The everyday world with some number of activities live at once, brought to its plateau.
///
/// All cells are alive at the same time and advance by turns, as the groups of a run do: what is measured is a process
/// that really holds that number of activities. Unlike those of a group, each cell walks all arrivals by itself.
public final class ModelWorkload {
    private let world: World
    /// One cell, in a box: a cell cannot be copied.
    private final class Cell {
        var simulation: CellSimulation

        init(world: World, cell: Int) {
            simulation = CellSimulation(world: world, cell: cell, replication: 0, speculation: .optimistic)
        }
    }

    private let cells: [Cell]
    private var now = Instant.start

    /// How long after the first request the number of live activities has settled: few rides last longer.
    public static var warmUp: TimeSpan { .minutes(75) }

    /// Cells before their first event.
    ///
    /// - Parameters:
    ///   - activities: How many activities are to be live at once, about, over all cells.
    ///   - cells: How many cells they are hashed to.
    ///   - longest: How far the workload is going to be run; rides arrive until then.
    /// - Throws: What is wrong with the scenario.
    public init(activities: Int, cells count: Int, longest: TimeSpan) throws {
        world = try EverydayWorld.world(
            ridesPerHour: Double(activities) / EverydayWorld.meanHoursInMemory,
            duration: longest,
            scale: Double(activities) / EverydayWorld.usualActivities,
            cells: count
        )
        let world = world
        cells = (0..<count).map { Cell(world: world, cell: $0) }
    }

    /// How many events had a meaning so far, over all cells.
    public var eventCount: UInt64 {
        cells.reduce(0) { $0 + $1.simulation.eventCount }
    }

    /// How many requests were sent so far, over all cells.
    public var pushCount: Int64 {
        let kinds: [Counter] = [.updatesSent, .retriesSent, .endsSent, .startsSent]
        return cells.reduce(0) { sum, cell in
            let measurements = cell.simulation.measurements
            return kinds.reduce(sum) { $0 + measurements[$1] }
        }
    }

    /// How many activities are in memory now, over all cells.
    public var activityCount: Int {
        cells.reduce(0) { $0 + $1.simulation.activityCount }
    }

    /// How many activities begin in an hour of simulated time, over all cells.
    public var activitiesPerHour: Double { world.scenario.rides.arrivals.ratesPerHour[0] }

    /// A hash of the cells' fingerprints.
    public var fingerprint: UInt64 {
        cells.reduce(0) { ($0 ^ $1.simulation.fingerprint.value) &* 0x9E37_79B9_7F4A_7C15 }
    }

    /// Advances all cells by some simulated time; what happens is the same for any number of threads.
    ///
    /// One job is done on the calling thread. Of several, cells wait for each other only at the end, as whole runs do: a
    /// thread that has finished one takes the next.
    @inline(never)
    public func run(for span: TimeSpan, jobs: Int = 1) {
        now = now + span
        let end = now
        guard jobs > 1 else {
            for cell in cells { _ = cell.simulation.run(through: end) }
            checkForesight()
            return
        }
        let nextCell = Atomic<Int>(0)
        // Each cell is taken by one thread alone, and is not looked at until all have ended.
        nonisolated(unsafe) let cells = cells
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while true {
                let index = nextCell.add(1, ordering: .relaxed).oldValue
                guard index < cells.count else { break }
                _ = cells[index].simulation.run(through: end)
            }
        }
        checkForesight()
    }

    private func checkForesight() {
        precondition(
            !cells.contains { $0.simulation.hasErred },
            "a sender of the everyday world is never the bottleneck"
        )
    }
}

extension ModelWorkload {
    /// How much simulated time a benchmark may take [days], as a scenario may.
    public static var longestDays: Double { 3650 }

    /// How much simulated time all runs take together [days], about.
    public static func simulatedDays(events: Int, activities: Int, runs: Int) -> Double {
        Double(runs) * Double(events) / (Double(activities) * EverydayWorld.eventsPerSecond) / 86_400
    }

    /// The simulated time in which about a number of events happens, in whole seconds.
    ///
    /// - Precondition: ``simulatedDays(events:activities:runs:)`` is at most ``longestDays``.
    public static func span(events: Int, activities: Int) -> TimeSpan {
        .seconds(max(1, Int64((Double(events) / (Double(activities) * EverydayWorld.eventsPerSecond)).rounded(.up))))
    }
}
