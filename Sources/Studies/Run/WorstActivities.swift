public import LiveActivityModel

/// A search for activities in a run, by replication.
public enum WorstActivities {
    /// An activity of a replication.
    public struct Found: Hashable, Sendable {
        /// The replication, counted from 0.
        public let replication: UInt32
        /// The activity.
        public let record: ActivityRecord
    }

    /// Runs all cells of all replications again and keeps the activities with the largest value of a criterion.
    ///
    /// - Returns: The activities, largest first; ties are ordered by replication, then by ride.
    /// - Throws: `CancellationError` if the task is cancelled.
    /// - Complexity: The cost of the run.
    public static func find(
        _ criterion: ActivitySearch.Criterion,
        count: Int,
        filter: ActivitySearch.Filter? = nil,
        in world: World,
        replications: UInt32,
        jobs: Int
    ) async throws -> [Found] {
        let cells = world.scenario.cells
        let tasks = (0..<Int(replications))
            .flatMap { replication in
                (0..<cells).map { (replication: UInt32(replication), cell: $0) }
            }
        let found = try await concurrently(tasks.count, jobs: jobs) { index in
            let (replication, cell) = tasks[index]
            return try await search(
                ActivitySearch(criterion, count: count, filter: filter),
                in: world,
                cell: cell,
                replication: replication
            )
        }
        return Array(found.flatMap { $0 }.sorted { precedes($0, $1, by: criterion) }.prefix(count))
    }

    private static func precedes(_ one: Found, _ other: Found, by criterion: ActivitySearch.Criterion) -> Bool {
        let (value, otherValue) = (criterion.value(one.record), criterion.value(other.record))
        if value != otherValue { return value > otherValue }
        return (one.replication, one.record.ride) < (other.replication, other.record.ride)
    }

    private static func search(
        _ search: ActivitySearch,
        in world: World,
        cell: Int,
        replication: UInt32
    ) async throws -> [Found] {
        var simulation = CellSimulation(
            world: world,
            cell: cell,
            replication: replication,
            search: search
        )
        while simulation.run(through: world.horizon, atMost: 1 << 16) {
            try Task.checkCancellation()
            await Task.yield()
        }
        simulation.finish()
        return simulation.search?.found.map { Found(replication: replication, record: $0) } ?? []
    }
}
