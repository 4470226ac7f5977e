public import Experiments
import LiveActivityModel

/// The results of a sweep for a terminal.
public struct SweepTable: Sendable {
    private let result: SweepResult

    /// The table of a result.
    public init(_ result: SweepResult) {
        self.result = result
    }

    /// How many points are shown.
    private static let shown = 40

    /// The table as plain text that ends with a newline.
    public var text: String {
        let sweep = result.sweep
        let head =
            "\(sweep.experiment.scenario.name), seed \(sweep.experiment.scenario.seed), \(result.points.count) design points, "
            + (sweep.replications == 1 ? "1 replication" : "\(sweep.replications) replications") + " each"
        // Three responses fit beside a few factors; the files have all.
        let responses = result.responses.indices.prefix(4)
        var table = TextTable(
            [("point", .right)] + sweep.factors.vary.map { (SweepTable.last($0.path), .right) }
                + responses.map { (result.responses[$0], .right) }
        )
        for point in result.points.prefix(SweepTable.shown) {
            table.add(
                ["\(point.point.number)"] + point.point.levels.map(\.label)
                    + responses.map { Prose.valueAndSpread(point.rows[$0]) }
            )
        }
        let rest = result.points.count - SweepTable.shown
        return [head, "", table.plain].joined(separator: "\n") + "\n" + (rest > 0 ? "… and \(rest) more\n" : "")
    }

    /// The last part of a path.
    private static func last(_ path: String) -> String {
        String(path.split(separator: ".").last ?? "")
    }
}
