import LiveActivityModel
import ScenarioLanguage
public import Studies
import TextFormats

extension SweepResult {
    private static let shown = 40
    /// The number of responses beside a few factors where no terminal limits the width.
    private static let responsesPerBlock = 4

    /// Returns the results for a terminal, with all responses in its width; ends with a newline.
    ///
    /// - Parameter width: The columns of the terminal; nil if there is none.
    public func table(width: Int? = nil) -> String {
        let scenario = sweep.experiment.scenario
        let head =
            "\(scenario.name), seed \(scenario.seed), \(points.count.counted("design point", "design points")), "
            + "\(Format.replications(sweep.replications)) each"
            + (sweep.replications > 1 ? "; counts are per run" : "")
        let rest = points.count - SweepResult.shown
        let against = AgainstPresent(self)
        var parts = [head] + blocks(table(of: Array(responses.indices)), width)
        if let changes = against.table(of: SweepResult.shown, shortNames: true) {
            parts += against.definition + blocks(changes, width)
            if !against.omission.isEmpty { parts.append(against.omission.replacing("`", with: "")) }
        } else {
            parts += against.definition
        }
        return parts.joined(separator: "\n\n") + "\n"
            + (rest > 0 ? "… and \(rest) more\n" : "")
    }

    /// Returns the indices of the first points, and of the present settings that are no design point.
    func shownPoints(_ count: Int) -> [Int] {
        Array(points.indices.prefix(count)) + presents.indices.map { points.count + $0 }
    }

    /// Returns the number of a point, marked if it has the present settings, and its levels.
    func leadingCells(of index: Int) -> [String] {
        let cells = self[index].point.leadingCells
        let isPresent = index >= points.count || sweep.present(of: index) == index
        return [isPresent ? "\(cells[0])*" : cells[0]] + cells.dropFirst()
    }

    /// Returns the table in blocks of a few responses, or of as many as the terminal has room for.
    private func blocks(_ table: TextTable, _ width: Int?) -> [String] {
        let leading = 1 + sweep.factors.vary.count
        if let width { return table.parts(width: width, repeating: leading).map(\.plain) }
        return table.parts(ofColumns: SweepResult.responsesPerBlock, repeating: leading).map(\.plain)
    }

    /// Returns the table of the first points, and of the present settings that are no design point.
    private func table(of responses: [Int]) -> TextTable {
        TextTable(
            ["point:"] + sweep.factors.vary.map { "\($0.path.split(separator: ".").last ?? ""):" }
                + responses.map { "\(self.responses[$0]):" },
            rows: shownPoints(SweepResult.shown)
                .map { index in
                    let point = self[index]
                    return leadingCells(of: index) + responses.map { Format.valueAndSpread(point.rows[$0]) }
                }
        )
    }
}
