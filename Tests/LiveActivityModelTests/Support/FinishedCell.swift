import Experiments
import Quantities
import SimulationKernel

@testable import LiveActivityModel

/// What is left of a cell that was run to its end.
struct FinishedCell {
    let story: [StoryLine]
    let measurements: Measurements
    let fingerprint: Fingerprint
    let leftOver: LeftOver

    /// What had not come to its end.
    struct LeftOver: Hashable {
        /// Places that are taken by activities.
        var activities = 0
        /// Of these: activities whose ride goes on.
        var rides = 0
        /// Of these: activities that have not begun.
        var starts = 0
        /// Places that are taken by pushes.
        var pushes = 0
        /// Pushes that wait for a stream, interrupted requests left out.
        var queued = 0
        /// Interrupted requests.
        var interrupted = 0
        /// Pushes that are to be offered again.
        var inOrbit = 0
        /// Pushes that wait for their answer.
        var unanswered = 0
        /// Pushes that wait for their answer or their phone, or are with APNs.
        var underWay = 0
        /// Streams that are taken.
        var streams = 0
    }

    /// Runs a cell of a scenario, telling the story of one ride.
    init(_ scenario: Scenario, ride: UInt64? = 0, cell: Int = 0, replication: UInt32 = 0) throws {
        try self.init(ScenarioLoader.world(scenario), ride: ride, cell: cell, replication: replication)
    }

    /// Runs a cell of a world, telling the story of one ride.
    ///
    /// - Parameter slices: In how many pieces of about equal length the cell is run.
    init(_ world: World, ride: UInt64? = 0, cell: Int = 0, replication: UInt32 = 0, slices: Int64 = 1) {
        var simulation = CellSimulation(world: world, cell: cell, replication: replication, watchedRide: ride)
        for slice in 1..<max(2, slices) {
            _ = simulation.run(through: Instant(microseconds: world.horizon.microseconds / slices * slice))
        }
        _ = simulation.run(through: .never)
        simulation.finish()
        story = simulation.story
        measurements = simulation.measurements
        fingerprint = simulation.fingerprint
        let inUse = simulation.activities.filter(\.isInUse)
        let pushes = simulation.pushes.filter(\.isInUse)
        leftOver = LeftOver(
            activities: simulation.activityCount,
            rides: inUse.count { !$0.isRideOver },
            starts: inUse.count { $0.phase == .starting },
            pushes: pushes.count,
            queued: simulation.sender.queue.count - pushes.count { $0.standing == .interrupted },
            interrupted: pushes.count { $0.standing == .interrupted },
            inOrbit: simulation.sender.inOrbit,
            unanswered: pushes.count { $0.responseDue != .never },
            underWay: pushes.count {
                ($0.responseDue != .never || $0.deliveryDue != .never || $0.service != .none)
                    && $0.standing != .interrupted
            },
            streams: simulation.sender.inFlight
        )
    }

    /// A count.
    subscript(counter: Counter) -> Int64 { measurements[counter] }

    /// The sum of some counts.
    func sum(_ counters: [Counter]) -> Int64 { counters.reduce(0) { $0 + measurements[$1] } }

    /// The story in words, as far as it is about some topics.
    func log(_ topics: StoryLine.Topic...) -> [String] {
        story.filter { topics.isEmpty || topics.contains($0.topic) }.map(\.words)
    }
}
