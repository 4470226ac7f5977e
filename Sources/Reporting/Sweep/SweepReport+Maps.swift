import Evaluation
import ScenarioLanguage
import Studies

/// The responses over two factors, as tables.
extension SweepReport {
    /// The largest number of maps in the report.
    ///
    /// `points.csv` has all values.
    private static let mostMaps = 2

    /// A table for each of the first responses and for those of checks: rows by the first factor, columns by the
    /// second.
    var maps: [Block] {
        guard let grid = SweepGrid(analysis.result) else { return [] }
        return SweepReport.mapped(analysis.result).flatMap { map($0, grid) }
    }

    /// Returns the responses that are shown as maps: those of checks, and the first comparable one, if there is any.
    static func mapped(_ result: SweepResult) -> [Int] {
        let checked = result.sweep.checks.map(\.comparison.response)
        let all = Array(result.responses.indices)
        let comparable = all.filter(result.isComparable)
        let first = (comparable.isEmpty ? all : comparable).prefix(mostMaps)
        return all.filter { first.contains($0) || checked.contains(result.sweep.factors.responses[$0]) }
    }

    private func map(_ response: Int, _ grid: SweepGrid) -> [Block] {
        let result = analysis.result
        let checks = result.checks(of: response)
        let explanation =
            "Down: \(grid.rows.title). Across: \(grid.columns.title)."
            + (checks.isEmpty ? "" : " ✗ marks a failed check, ? an undecided check.")
            + (result.isComparable(response) ? "" : " Levels are \(result.notComparable(response)).")
        let sheets = grid.sheetTitles.enumerated()
            .flatMap { sheet, title in
                func cell(_ row: Int, _ column: Int) -> String {
                    guard let index = grid.point(row: row, column: column, sheet: sheet) else { return "" }
                    let row = result.points[index].rows[response]
                    return (row?.unmet == nil ? Format.value(row) : "not measured") + result.mark(checks, at: index)
                }
                let table = TextTable(
                    [":"] + grid.columns.labels.map { "\($0):" },
                    rows: grid.rows.labels.enumerated()
                        .map { row, label in [label] + grid.columns.labels.indices.map { cell(row, $0) } }
                )
                return [Block](title.isEmpty ? nil : "**\(title)**", table)
            }
        let pictures = pictures(Chart.mapNames(result.responses[response], grid).contains)
        return .section(result.responses[response], explanation, sheets, pictures)
    }
}
