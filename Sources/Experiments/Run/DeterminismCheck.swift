public import LiveActivityModel
public import Quantities
import SimulationKernel

/// Runs every cell twice, side by side, and finds the first event in which the two differ.
public enum DeterminismCheck {
    /// Where two runs of one cell went apart.
    public struct Difference: Hashable, Sendable {
        /// Which replication and cell.
        public let replication: Int
        /// Which cell.
        public let cell: Int
        /// How many events were alike before.
        public let eventsAlike: UInt64
        /// The time of the first run's event, and of the second's.
        public let times: [Instant]
    }

    /// Runs the cells of all replications in pairs.
    ///
    /// - Returns: The first difference; nil when there is none.
    public static func run(world: World, replications: Int) -> Difference? {
        for replication in 0..<replications {
            for cell in 0..<world.scenario.cells {
                if let difference = compare(world: world, cell: cell, replication: replication) {
                    return difference
                }
            }
        }
        return nil
    }

    private static func compare(world: World, cell: Int, replication: Int) -> Difference? {
        var first = CellSimulation(world: world, cell: cell, replication: UInt32(replication))
        var second = CellSimulation(world: world, cell: cell, replication: UInt32(replication))
        while true {
            let firstGoesOn = first.step(through: world.horizon)
            let secondGoesOn = second.step(through: world.horizon)
            if firstGoesOn != secondGoesOn || first.fingerprint != second.fingerprint || first.now != second.now {
                return Difference(
                    replication: replication,
                    cell: cell,
                    eventsAlike: min(first.eventCount, second.eventCount),
                    times: [first.now, second.now]
                )
            }
            if !firstGoesOn { return nil }
        }
    }
}
