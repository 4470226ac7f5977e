import Quantities
import SimulationKernel
import Studies

@testable import LiveActivityModel

/// The results of a cell that was run to its end.
struct FinishedCell {
    let story: [StoryLine]
    let measurements: Measurements
    let fingerprint: Fingerprint
    let leftOver: CellSimulation.Inventory

    /// Runs a cell of a scenario and records the story of one ride.
    init(_ scenario: Scenario, ride: UInt64? = 0, cell: Int = 0, replication: UInt32 = 0) throws {
        try self.init(ScenarioLoader.world(scenario), ride: ride, cell: cell, replication: replication)
    }

    /// Runs a cell of a world and records the story of one ride.
    ///
    /// - Parameters:
    ///   - slices: The number of pieces of about equal length in which the cell is run.
    ///   - speculation: The limit of speculation; a cell with a story has none.
    init(
        _ world: World,
        ride: UInt64? = 0,
        cell: Int = 0,
        replication: UInt32 = 0,
        slices: Int64 = 1,
        speculation: Speculation = .none
    ) {
        var simulation = CellSimulation(
            world: world,
            cell: cell,
            replication: replication,
            watch: ride.map { .ride($0) } ?? .none,
            speculation: speculation
        )
        for slice in 1..<max(2, slices) {
            _ = simulation.run(through: Instant(microseconds: world.horizon.microseconds / slices * slice))
        }
        _ = simulation.run(through: .never)
        simulation.finish()
        story = simulation.story
        measurements = simulation.measurements
        fingerprint = simulation.fingerprint
        leftOver = simulation.inventory
    }

    /// A count.
    subscript(counter: Counter) -> Int64 { measurements[counter] }

    /// The sum of some counts.
    func sum(_ counters: [Counter]) -> Int64 { counters.reduce(0) { $0 + measurements[$1] } }

    /// The story in words, limited to some topics.
    func log(_ topics: StoryLine.Topic...) -> [String] { log(topics) }

    /// The story in words, limited to some topics.
    func log(_ topics: [StoryLine.Topic]) -> [String] {
        story.filter { topics.isEmpty || topics.contains($0.topic) }.map(\.words)
    }
}
