public import Experiments
import LiveActivityModel

/// The results of a sweep for a terminal.
public struct SweepTable: Sendable {
    private let result: SweepResult

    /// The table of a result.
    public init(_ result: SweepResult) {
        self.result = result
    }

    private static let shown = 40

    /// The table as plain text that ends with a newline.
    public var text: String {
        let sweep = result.sweep
        let scenario = sweep.experiment.scenario
        let head =
            "\(scenario.name), seed \(scenario.seed), \(result.points.count) design points, "
            + "\(Prose.replications(sweep.replications)) each"
        // Four responses fit beside a few factors; the files have all.
        let responses = result.responses.indices.prefix(4)
        let table = TextTable(
            [("point", .right)] + sweep.factors.vary.map { (String($0.path.split(separator: ".").last ?? ""), .right) }
                + responses.map { (result.responses[$0], .right) },
            rows: result.points.prefix(SweepTable.shown)
                .map { point in
                    point.point.leadingCells + responses.map { Prose.valueAndSpread(point.rows[$0]) }
                }
        )
        let rest = result.points.count - SweepTable.shown
        return [head, "", table.plain].joined(separator: "\n") + "\n" + (rest > 0 ? "… and \(rest) more\n" : "")
    }
}
