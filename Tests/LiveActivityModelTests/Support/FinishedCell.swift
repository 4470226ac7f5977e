import Experiments
import Quantities
import SimulationKernel

@testable import LiveActivityModel

/// What is left of a cell that was run to its end.
struct FinishedCell {
    let story: [StoryLine]
    let measurements: Measurements
    let fingerprint: Fingerprint
    /// Places that are still taken by activities.
    let activityCount: Int
    /// Places that are still taken by pushes.
    let pushCount: Int
    /// Requests that wait for their response.
    let unansweredCount: Int
    /// Pushes that wait for a stream.
    let queuedCount: Int

    /// Runs a cell of a scenario, telling the story of one ride.
    init(_ scenario: Scenario, ride: UInt64? = 0, cell: Int = 0, replication: UInt32 = 0) throws {
        try self.init(ScenarioLoader.world(scenario), ride: ride, cell: cell, replication: replication)
    }

    /// Runs a cell of a world, telling the story of one ride.
    init(_ world: World, ride: UInt64? = 0, cell: Int = 0, replication: UInt32 = 0) {
        var simulation = CellSimulation(world: world, cell: cell, replication: replication, watchedRide: ride)
        _ = simulation.run(through: .never)
        simulation.finish()
        story = simulation.story
        measurements = simulation.measurements
        fingerprint = simulation.fingerprint
        activityCount = simulation.activityCount
        pushCount = simulation.pushes.count { $0.isInUse }
        unansweredCount = simulation.sender.inFlight
        queuedCount = simulation.sender.waiting
    }

    /// A count.
    subscript(counter: Counter) -> Int64 { measurements[counter] }

    /// The story in words, as far as it is about some topics.
    func log(_ topics: StoryLine.Topic...) -> [String] {
        story.filter { topics.isEmpty || topics.contains($0.topic) }.map(\.words)
    }
}
