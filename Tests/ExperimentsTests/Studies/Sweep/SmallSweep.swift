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
        let scratch = Scratch()
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
