public import LiveActivityModel
import Quantities

/// Compares a cell that processes events ahead of time with the same cell event by event.
public enum SpeculationCheck {
    /// The first line that differs between the stories of the two runs, by ride; nil if all are the same.
    ///
    /// The loop for plain refreshes records no stories, so the run ahead of time uses the handlers alone. If the stories are
    /// the same although results differ, the fault is in that loop.
    public static func firstDifference(in world: World, cell: Int, replication: UInt32) -> String? {
        guard let byEvents = story(of: world, cell: cell, replication: replication, .none),
            let ahead = story(of: world, cell: cell, replication: replication, .handlersOnly)
        else { return "the assumption of free streams fails by handlers alone" }
        let index = zip(byEvents, ahead).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        guard let index = index ?? (byEvents.count == ahead.count ? nil : min(byEvents.count, ahead.count)) else {
            return nil
        }
        func line(_ story: [StoryLine]) -> String { index < story.count ? "\(story[index])" : "nothing" }
        return "event by event: \(line(byEvents)); ahead of time: \(line(ahead))"
    }

    /// The stories of all rides, one after the other; nil if the assumption of free streams fails.
    private static func story(of world: World, cell: Int, replication: UInt32, _ speculation: Speculation)
        -> [StoryLine]?
    {
        var simulation = CellSimulation(
            world: world,
            cell: cell,
            replication: replication,
            watch: .all,
            speculation: speculation
        )
        while simulation.run(through: .never, atMost: 65_536) {}
        simulation.finish()
        guard !simulation.hasMisspeculated else { return nil }
        let lines = simulation.story.enumerated().sorted { ($0.element.ride, $0.offset) < ($1.element.ride, $1.offset) }
        return lines.map(\.element)
    }
}
