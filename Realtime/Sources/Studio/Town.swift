import Experiments
import LiveActivityModel
import Quantities

/// A scenario at the size of a town, run replication by replication.
///
/// Replications are independent histories, and the same ones in every town of one size: a change of settings meets the same
/// riders, phones and networks (common random numbers), so differences are known far better than levels.
actor Town {
    /// What makes a scenario a town: fewer cells as long as each keeps its load, then fewer rides in one.
    struct Size: Hashable, Sendable {
        /// Cells.
        let cells: Int
        /// By what `rides.scale` is multiplied.
        let scale: Double
        /// The load of a cell, as a part of that in the file.
        let load: Double

        /// How many events a replication is to have, about: a hundredth of a second's worth on a slow machine.
        static let events = 60_000.0

        /// The town of a scenario that has about a number of times the usual events; never more than the scenario itself.
        init(of scenario: Scenario, times factor: Double) {
            let all = max(1, RunEstimate(scenario).events)
            let part = min(1, Size.events * factor / all)
            let exact = Double(scenario.cells) * part
            cells = max(1, Int(exact.rounded()))
            // Cells keep their load as long as there is more than one.
            scale = exact >= 1 ? Double(cells) / Double(scenario.cells) : part
            load = scale * Double(scenario.cells) / Double(cells)
        }

        /// What a reader must know of a changed world with fewer or more rides than the base, in as many cells; nil where it has
        /// about as many.
        ///
        /// The town's size is that of the base, and says nothing of it.
        static func warning(rides: Int64, ofBase all: Int64) -> String? {
            guard rides < all * 9 / 10 || rides > all * 11 / 10 else { return nil }
            let part = Double(rides) / Double(all)
            let percent = part < 0.1 ? "\((part * 1000).rounded() / 10)" : "\(Int((part * 100).rounded()))"
            let consequence =
                rides < all
                ? "its intervals are wider, and its senders have as much less load"
                : "its senders have as much more load"
            return
                "The changed world has \(percent) % of the base's rides, \(rides) in all: \(consequence). "
                + "Counts are not comparable."
        }

        /// What a reader must know of it; nil where every cell has its full load.
        var warning: String? {
            guard load < 0.99 else { return nil }
            let percent = load < 0.1 ? "\((load * 1000).rounded() / 10)" : "\(Int((load * 100).rounded()))"
            return
                "A small town: each sender has \(percent) % of the load that the file gives it, so its waits, queues and "
                + "retry budgets say nothing of the full size. Choose a whole cell to see them."
        }
    }

    /// The world.
    let world: World
    private let jobs: Int
    private var finished = ReplicationResults()

    /// A town of a scenario.
    init(_ world: World, jobs: Int) {
        self.world = world
        self.jobs = jobs
    }

    /// The result over a number of replications, of which those that were run before are kept.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; what was finished stays.
    func result(over wanted: Int) async throws -> RunResult {
        while finished.count < wanted {
            let batch = finished.count..<min(wanted, finished.count + jobs)
            let world = world
            let results = try await withThrowingTaskGroup(of: (Int, [CellResult]).self) { group in
                for replication in batch {
                    group.addTask {
                        let all = 0..<world.scenario.cells
                        return (
                            replication,
                            try await RunEngine.run(all, of: world, replication: replication, progress: RunProgress())
                        )
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            // Another ask may have run the same ones meanwhile.
            for replication in batch where replication == finished.count {
                if let cells = results[replication] { finished.append(cells) }
            }
        }
        return RunResult(scenario: world.scenario, finished.prefix(wanted))
    }
}
