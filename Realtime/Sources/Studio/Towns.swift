import Experiments
import LiveActivityModel
import Synchronization

/// The towns that were run, kept for those who go back to one: one collection for all pages, so that its memory has one
/// bound, and two pages with the same settings run the same town.
final class Towns: Sendable {
    /// How much the results of all towns may come to take [bytes], by the estimate that commands go by before a run.
    ///
    /// A town counts with all the replications that it may be asked for; few are, so it is seldom as much.
    static let usualBytes = 2e9

    private struct Kept {
        let key: String
        let bytes: Double
        let town: Town
    }

    private let jobs: Int
    private let mostBytes: Double
    /// The one that was used last at the end.
    private let kept = Mutex([Kept]())

    /// No town; each runs on a number of threads.
    init(jobs: Int, mostBytes: Double = Towns.usualBytes) {
        self.jobs = jobs
        self.mostBytes = mostBytes
    }

    /// How many are kept.
    var count: Int { kept.withLock(\.count) }

    /// The town with some settings and a size, which is made where there is none.
    ///
    /// The two that were used last stay however large they are: they are compared.
    func town(
        _ settings: [String],
        _ size: Town.Size,
        world: () throws(ScenarioError) -> World
    ) throws(ScenarioError) -> Town {
        let key = (settings + ["\(size.cells) \(size.scale)"]).joined(separator: "\n")
        if let town = use(key) { return town }
        let world = try world()
        let town = Town(world, jobs: jobs)
        let bytes = RunEstimate(world.scenario).bytes(replications: Question.mostReplications, jobs: jobs)
        kept.withLock { kept in
            kept.append(Kept(key: key, bytes: bytes, town: town))
            while kept.count > 2, kept.reduce(0, { $0 + $1.bytes }) > mostBytes { kept.removeFirst() }
        }
        return town
    }

    private func use(_ key: String) -> Town? {
        kept.withLock { kept in
            guard let index = kept.firstIndex(where: { $0.key == key }) else { return nil }
            let town = kept.remove(at: index)
            kept.append(town)
            return town.town
        }
    }
}
