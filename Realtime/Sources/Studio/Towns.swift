import LiveActivityModel
import Reporting
import ScenarioLanguage
import Synchronization

/// The previews that have been run, kept for users who return to one.
///
/// All pages share one collection, so its memory has one limit, and two pages with the same settings share a preview.
final class Towns: Sendable {
    /// The memory of this process beyond which a new preview replaces half of the kept ones [bytes].
    static let usualBytes = 2e9

    private struct Kept {
        let key: String
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
        let isFull = Machine.residentMemory > mostBytes
        kept.withLock { kept in
            kept.append(Kept(key: key, town: town))
            if isFull { kept.removeFirst(min(kept.count / 2, max(0, kept.count - 2))) }
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
