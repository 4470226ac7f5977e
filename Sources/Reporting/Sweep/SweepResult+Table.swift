import LiveActivityModel
import ScenarioLanguage
public import Studies

extension SweepResult {
    private static let shown = 40
    /// The number of responses that fit beside a few factors; others follow in further blocks.
    private static let responsesPerBlock = 4

    /// The results for a terminal; ends with a newline.
    public var table: String {
        let scenario = sweep.experiment.scenario
        let head =
            "\(scenario.name), seed \(scenario.seed), \(Format.counted(points.count, "design point", "design points")), "
            + "\(Format.replications(sweep.replications)) each"
            + (sweep.replications > 1 ? "; counts are per run" : "")
        let tables = stride(from: 0, to: max(1, responses.count), by: SweepResult.responsesPerBlock)
            .map { first in
                table(of: first..<min(first + SweepResult.responsesPerBlock, responses.count)).plain
            }
        let rest = points.count - SweepResult.shown
        return ([head] + tables.flatMap { ["", $0] }).joined(separator: "\n") + "\n"
            + (rest > 0 ? "… and \(rest) more\n" : "")
    }

    /// Returns the table of the first points with some of their responses.
    private func table(of responses: Range<Int>) -> TextTable {
        TextTable(
            ["point:"] + sweep.factors.vary.map { "\($0.path.split(separator: ".").last ?? ""):" }
                + responses.map { "\(self.responses[$0]):" },
            rows: points.prefix(SweepResult.shown)
                .map { point in
                    point.point.leadingCells + responses.map { Format.valueAndSpread(point.rows[$0]) }
                }
        )
    }
}
