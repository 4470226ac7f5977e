import Foundation
import LiveActivityModel
import TestSupport

@testable import ScenarioLanguage
@testable import Studies

/// The small town with factors.
enum SmallSweep {
    static let scenario = SmallTown.scenario(cells: 3)

    static let factors = """
        replications: 2
        factors:
          vary:
            monitor.fresh_limit: [1m, 2m, 4m]
            content.ttl: {short: 60s, long: 2m}
          where: ["monitor.fresh_limit >= content.ttl"]

        """

    /// Builds the sweep of a text, as if it were a file.
    static func sweep(
        _ yaml: String = scenario + factors,
        settings: [String] = [],
        replications: Int? = nil,
        only: [String] = []
    ) throws -> Sweep {
        let scratch = try TestDirectory()
        return try Sweep(
            ScenarioReader.read(file: scratch.write(yaml, to: "town.yaml"), settings: settings),
            replications: replications,
            only: only.compactMap { Condition(parsing: $0) }
        )
    }

    /// The levels of all design points, as their labels.
    static func labels(_ yaml: String) throws -> [[String]] {
        try sweep(yaml).points.map { $0.levels.map(\.label) }
    }
}

/// A temporary directory that is removed after the test.
final class TestDirectory {
    let path = FileManager.default.temporaryDirectory.appending(path: "freshet-experiments-\(UUID().uuidString)").path

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, with the directories around it, and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        let file = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Returns the contents of a directory by name.
    func contents(of name: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)") {
            contents[file] = FileManager.default.contents(atPath: "\(path)/\(name)/\(file)")
        }
        return contents
    }
}
