import Experiments
import LiveActivityModel
import Synchronization

/// The towns that were run, kept for those who go back to one: one collection for all pages, so that its memory has one
/// bound, and two pages with the same settings run the same town.
final class Towns: Sendable {
    /// How many results of cells all towns may come to hold.
    ///
    /// Each is about 100 to 200 kB in a scenario of a day, so all come to some 800 MB. A town counts with all the replications
    /// that it may be asked for.
    private static let mostCells = 16 * Question.mostReplications

    private struct Kept {
        let key: String
        let cells: Int
        let town: Town
    }

    private let jobs: Int
    /// The one that was used last at the end.
    private let kept = Mutex([Kept]())

    /// No town; each runs on a number of threads.
    init(jobs: Int) { self.jobs = jobs }

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
        let town = Town(try world(), jobs: jobs)
        kept.withLock { kept in
            kept.append(Kept(key: key, cells: size.cells * Question.mostReplications, town: town))
            var cells = kept.reduce(0) { $0 + $1.cells }
            while cells > Self.mostCells, kept.count > 2 { cells -= kept.removeFirst().cells }
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
