import Evaluation
import LiveActivityModel
import Quantities
import Studies

/// A preview: a scenario at a reduced scale, run replication by replication.
///
/// Replications are independent histories, and the same ones in every preview of one size. A change of settings meets
/// the same riders, phones and networks (common random numbers), so differences are known far more precisely than
/// levels.
actor Town {
    /// The preview scale: fewer cells at full load, and below one cell fewer rides.
    struct Size: Hashable, Sendable {
        /// The number of cells.
        let cells: Int
        /// The factor that multiplies `rides.scale`.
        let scale: Double
        /// The load of a cell, as a share of its load in the file.
        let load: Double

        /// The approximate number of events per replication: a hundredth of a second on a slow machine.
        static let events = 60_000.0

        /// The approximate number of events per replication of the whole scenario.
        let wholeEvents: Double

        /// Creates the size that has about a multiple of the usual number of events, at most the whole scenario.
        ///
        /// - Precondition: The trace of the scenario has its rides.
        init(of scenario: Scenario, times factor: Double) {
            wholeEvents = max(1, RunEstimate(scenario).events)
            let part = min(1, Size.events * factor / wholeEvents)
            let exact = Double(scenario.cells) * part
            cells = max(1, Int(exact.rounded()))
            // Cells keep their full load as long as there is more than one.
            scale = exact >= 1 ? Double(cells) / Double(scenario.cells) : part
            load = scale * Double(scenario.cells) / Double(cells)
        }

        /// Returns the usual size, or a whole cell if that is larger, so that senders have their full load.
        static func wholeCell(of scenario: Scenario) -> Size {
            let events = max(1, RunEstimate(scenario).events) / Double(max(1, scenario.cells))
            // A little more, so that rounding leaves no cell below its full load.
            return Size(of: scenario, times: max(1, 1.000_001 * events / Size.events))
        }

        /// `true` if the preview has all rides of the scenario.
        var isWhole: Bool { scale == 1 }

        /// A warning about a changed world with fewer or more rides than the base in as many cells; `nil` if the
        /// numbers are about equal.
        ///
        /// The preview scale is derived from the base, so ``warning`` does not cover this.
        static func warning(rides: Int64, ofBase all: Int64) -> String? {
            guard rides < all * 9 / 10 || rides > all * 11 / 10 else { return nil }
            let part = Double(rides) / Double(all)
            let percent = part < 0.1 ? "\((part * 1000).rounded() / 10)" : "\(Int((part * 100).rounded()))"
            let consequence =
                rides < all
                ? "its intervals are wider, and its senders have correspondingly less load"
                : "its senders have correspondingly more load"
            return
                "The changed world has \(percent) % of the base's rides, \(rides) in all: \(consequence). "
                + "Counts are not comparable."
        }

        /// A warning about reduced load; `nil` if every cell has its full load.
        var warning: String? {
            guard load < 0.99 else { return nil }
            let percent = load < 0.1 ? "\((load * 1000).rounded() / 10)" : "\(Int((load * 100).rounded()))"
            return
                "Preview scale: each sender has \(percent) % of its load in the file, so its waits, queues and "
                + "retry budgets do not predict the full scale. Choose a whole cell to see them."
        }
    }

    /// The world to simulate.
    let world: World
    private let jobs: Int
    private var finished = ReplicationResults()

    /// Creates a preview of a scenario.
    init(_ world: World, jobs: Int) {
        self.world = world
        self.jobs = jobs
    }

    /// Adds the cells that a result over a number of replications still needs to a progress.
    func announce(_ wanted: Int, to progress: RunProgress) {
        let missing = max(0, wanted - finished.count)
        progress.begin(tasks: missing * world.scenario.cells, horizon: world.horizon)
    }

    /// Returns the result over a number of replications; replications from earlier calls are reused.
    ///
    /// - Parameter progress: The progress, to which the missing cells have been announced.
    /// - Throws: `CancellationError` when the task is cancelled; finished replications are kept.
    func result(over wanted: Int, progress: RunProgress = RunProgress()) async throws -> RunResult {
        while finished.count < wanted {
            let batch = finished.count..<min(wanted, finished.count + jobs)
            let world = world
            let results = try await withThrowingTaskGroup(of: (Int, [CellResult]).self) { group in
                for replication in batch {
                    group.addTask {
                        let all = 0..<world.scenario.cells
                        return (
                            replication,
                            try await RunEngine.run(all, of: world, replication: replication, progress: progress)
                        )
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            // A concurrent call may have run the same replications meanwhile.
            for replication in batch where replication == finished.count {
                if let cells = results[replication] { finished.append(cells) }
            }
        }
        return RunResult(scenario: world.scenario, finished.prefix(wanted))
    }
}
