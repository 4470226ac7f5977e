import Experiments

/// The responses over two factors, as tables.
extension SweepReport {
    /// The largest number of maps in the report.
    ///
    /// `points.csv` has all values.
    private static let mostMaps = 2

    /// A table for each of the first responses and for those of checks: rows by the first factor, columns by the
    /// second.
    var maps: String {
        let result = analysis.result
        guard let grid = SweepGrid(result) else { return "" }
        return SweepReport.mapped(result).map { map($0, grid) }.joined(separator: "\n\n")
    }

    /// Returns the responses that are shown as maps: those of checks, and the first comparable one, if there is any.
    static func mapped(_ result: SweepResult) -> [Int] {
        let checked = result.sweep.experiment.checks.map(\.comparison.response)
        let all = Array(result.responses.indices)
        let comparable = all.filter(result.isComparable)
        let first = (comparable.isEmpty ? all : comparable).prefix(mostMaps)
        return all.filter { first.contains($0) || checked.contains(result.sweep.factors.responses[$0]) }
    }

    private func map(_ response: Int, _ grid: SweepGrid) -> String {
        let result = analysis.result
        let checks = result.checks(of: response)
        var blocks = ["## \(result.responses[response])"]
        blocks.append(
            "Down: \(grid.rows.title). Across: \(grid.columns.title)."
                + (checks.isEmpty ? "" : " ✗ marks a check that does not hold.")
                + (result.isComparable(response) ? "" : " Levels are \(result.notComparable(response)).")
        )
        for (sheet, title) in grid.sheetTitles.enumerated() {
            if !title.isEmpty { blocks.append("**\(title)**") }
            func cell(_ row: Int, _ column: Int) -> String {
                guard let index = grid.point(row: row, column: column, sheet: sheet) else { return "" }
                return Format.value(result.points[index].rows[response]) + (result.fails(checks, at: index) ? " ✗" : "")
            }
            let table = TextTable(
                [":"] + grid.columns.labels.map { "\($0):" },
                rows: grid.rows.labels.enumerated()
                    .map { row, label in [label] + grid.columns.labels.indices.map { cell(row, $0) } }
            )
            blocks.append(table.markdown)
        }
        let names = Chart.mapNames(result.responses[response], grid)
        blocks += pictures(names.contains)
        return blocks.joined(separator: "\n\n")
    }
}
