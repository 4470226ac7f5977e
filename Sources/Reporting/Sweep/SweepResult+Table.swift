public import Experiments
import LiveActivityModel

extension SweepResult {
    private static let shown = 40

    /// The results for a terminal; ends with a newline.
    public var table: String {
        let scenario = sweep.experiment.scenario
        let head =
            "\(scenario.name), seed \(scenario.seed), \(points.count) design points, "
            + "\(Format.replications(sweep.replications)) each"
            + (sweep.replications > 1 ? "; counts are per run" : "")
        // Four responses fit beside a few factors; the files have all.
        let shown = responses.indices.prefix(4)
        let table = TextTable(
            [("point", .right)] + sweep.factors.vary.map { (String($0.path.split(separator: ".").last ?? ""), .right) }
                + shown.map { (responses[$0], .right) },
            rows: points.prefix(SweepResult.shown)
                .map { point in
                    point.point.leadingCells + shown.map { Format.valueAndSpread(point.rows[$0]) }
                }
        )
        let rest = points.count - SweepResult.shown
        return [head, "", table.plain].joined(separator: "\n") + "\n" + (rest > 0 ? "… and \(rest) more\n" : "")
    }
}
