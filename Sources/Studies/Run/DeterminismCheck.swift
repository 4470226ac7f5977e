import Evaluation
public import LiveActivityModel
import Quantities
import SimulationKernel

/// Runs every cell twice event by event, side by side, and once with speculation, and finds the first difference.
public enum DeterminismCheck {
    /// The point at which two runs of one cell differ.
    public struct Difference: Hashable, Sendable {
        public let replication: Int
        public let cell: Int
        /// The number of equal events before the difference.
        public let eventsAlike: UInt64
        /// The differing events of the first and the second run; nil for a run that had ended.
        public let events: [CellSimulation.LastEvent?]
        /// `true` if the two runs event by event agree, but the speculative run has another history or other
        /// measurements.
        public var isOfSpeculation = false
    }

    /// Runs the cells of all replications.
    ///
    /// - Returns: The first difference; nil if there is none.
    /// - Throws: `CancellationError` if the task is cancelled.
    public static func run(world: World, replications: Int) async throws -> Difference? {
        for replication in 0..<replications {
            for cell in 0..<world.scenario.cells {
                let fast = try await RunEngine.run(
                    cell..<cell + 1,
                    of: world,
                    replication: replication,
                    progress: RunProgress()
                )
                let difference = try await compare(
                    CellSimulation(world: world, cell: cell, replication: UInt32(replication)),
                    CellSimulation(world: world, cell: cell, replication: UInt32(replication)),
                    replication: replication,
                    speculative: fast.first
                )
                if let difference { return difference }
            }
        }
        return nil
    }

    /// Runs two cells side by side, event by event, up to the first difference or both ends.
    ///
    /// - Parameter speculative: The result of the same cell with speculation; nil to compare only the two runs.
    static func compare(
        _ first: consuming CellSimulation,
        _ second: consuming CellSimulation,
        replication: Int,
        speculative: CellResult? = nil
    ) async throws -> Difference? {
        var steps = 0
        while true {
            if steps % 65_536 == 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
            steps += 1
            let alike = min(first.eventCount, second.eventCount)
            let firstGoesOn = first.step(through: .never)
            let secondGoesOn = second.step(through: .never)
            guard firstGoesOn == secondGoesOn, first.fingerprint == second.fingerprint else {
                return Difference(
                    replication: replication,
                    cell: first.cell,
                    eventsAlike: alike,
                    events: [firstGoesOn ? first.lastEvent : nil, secondGoesOn ? second.lastEvent : nil]
                )
            }
            if !firstGoesOn {
                first.finish()
                second.finish()
                var difference = Difference(
                    replication: replication,
                    cell: first.cell,
                    eventsAlike: alike,
                    events: [nil, nil]
                )
                guard first.measurements == second.measurements else { return difference }
                guard let speculative,
                    speculative.fingerprint != first.fingerprint || speculative.measurements != first.measurements
                else { return nil }
                difference.isOfSpeculation = true
                return difference
            }
        }
    }
}
