public import Experiments
public import LiveActivityModel
import Quantities

/// The coverage of the 95% confidence intervals of a scenario's runs, row by row of summary.csv.
///
/// Each seed is a separate replication. Its cells are the parts of one interval, and five replications together are the
/// parts of another. The long-run value is that of all seeds together, whether or not they have an interval.
public struct CoverageStudy: Sendable {
    public let scenario: Scenario
    /// The mean number of rides per run.
    public let rides: Int
    /// The number of runs.
    public let seeds: Int
    /// The number of replications in an interval of replications.
    static let replications = 5

    /// Creates a study of a scenario at another size; nil if its rides are not a Poisson process, whose rate can be
    /// scaled.
    ///
    /// - Precondition: There are at least five seeds.
    public init?(_ world: World, rides: Int, seeds: Int) {
        let scenario = world.scenario
        precondition(seeds >= Self.replications, "too few seeds for one interval")
        let arrivals = scenario.rides.arrivals
        guard arrivals.process == .poisson, scenario.rides.trace == nil else { return nil }
        var scaled = scenario
        scaled.rides.scale = 1
        let perHour = arrivals.ratesPerHour.reduce(0, +) / Double(arrivals.ratesPerHour.count)
        let whole = perHour * Double(scenario.clock.duration.microseconds) / 3.6e9
        scaled.rides.scale = Double(rides) / whole
        self.scenario = scaled
        self.rides = rides
        self.seeds = seeds
    }

    /// The approximate size of each run.
    public var estimate: RunEstimate { RunEstimate(scenario) }

    /// Runs the study.
    ///
    /// - Returns: The coverage of intervals from cells, from replications and from windows, in this order.
    /// - Throws: A `ScenarioError`; `CancellationError` when the task is cancelled.
    public func run(jobs: Int) async throws -> [CoverageOutcome] {
        var alone = scenario
        alone.cells = 1
        let world = try ScenarioLoader.world(scenario)
        let groups = try await concurrently(seeds / Self.replications, jobs: jobs) { group in
            try await CoverageStudy.group(group, of: world)
        }
        // Whether windows are alike depends on the scenario, so the first run decides for all.
        let loneWorld = try ScenarioLoader.world(alone)
        let first = try await CoverageStudy.windows(of: loneWorld, replication: 0)
        let windows =
            first.intervals.isEmpty
            ? [first]
            : try await concurrently(seeds, jobs: jobs) {
                try await CoverageStudy.windows(of: loneWorld, replication: $0)
            }
        return [
            CoverageOutcome(self, .cells, groups.flatMap(\.cells), sums: groups.map(\.sum)),
            CoverageOutcome(self, .replications, groups.map(\.replications), sums: groups.map(\.sum)),
            CoverageOutcome(self, .windows, windows.map(\.intervals), sums: windows.map(\.sum)),
        ]
    }

    /// The intervals of a run by the indices of their rows in the summary.
    typealias Intervals = [Int: ClosedRange<Double>]

    /// Runs five replications: returns the intervals from the cells of each, and those from all five.
    private static func group(
        _ group: Int,
        of world: World
    ) async throws -> (cells: [Intervals], replications: Intervals, sum: Measurements) {
        var cells: [Intervals] = []
        var whole = ReplicationResults()
        for number in 0..<replications {
            let results = try await run(world, group * replications + number)
            cells.append(intervals(RunResult(scenario: world.scenario, cells: results)))
            whole.append(results)
        }
        let result = RunResult(scenario: world.scenario, whole)
        return (cells, intervals(result), result.total)
    }

    private static func windows(
        of world: World,
        replication: Int
    ) async throws -> (intervals: Intervals, sum: Measurements) {
        let cells = try await run(world, replication)
        let result = RunResult(scenario: world.scenario, cells: cells)
        return (intervals(result), result.total)
    }

    /// Runs the cells of one replication.
    private static func run(_ world: World, _ replication: Int) async throws -> [CellResult] {
        let cells = 0..<world.scenario.cells
        return try await RunEngine.run(cells, of: world, replication: replication, progress: RunProgress())
    }

    private static func intervals(_ result: RunResult) -> Intervals {
        var intervals: Intervals = [:]
        for (place, row) in Summary(result).rows.enumerated() { intervals[place] = row.interval }
        return intervals
    }
}
