import Experiments
import LiveActivityModel
import Synchronization

/// The previews that have been run, kept for users who return to one.
///
/// All pages share one collection, so its memory has one limit, and two pages with the same settings share a preview.
final class Towns: Sendable {
    /// The maximum memory for the results of all previews [bytes], by the estimate that commands check before a run.
    ///
    /// The estimate assumes the maximum number of replications for each preview. Few reach it, so actual use is usually
    /// lower.
    static let usualBytes = 2e9

    private struct Kept {
        let key: String
        let bytes: Double
        let town: Town
    }

    private let jobs: Int
    private let mostBytes: Double
    /// The kept previews, the most recently used last.
    private let kept = Mutex([Kept]())

    /// Creates an empty collection; each preview runs on a number of threads.
    init(jobs: Int, mostBytes: Double = Towns.usualBytes) {
        self.jobs = jobs
        self.mostBytes = mostBytes
    }

    /// The number of kept previews.
    var count: Int { kept.withLock(\.count) }

    /// Returns the preview with some settings and a size, and creates it if it does not exist.
    ///
    /// The two most recently used previews are kept whatever their size, because they are compared with each other.
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
