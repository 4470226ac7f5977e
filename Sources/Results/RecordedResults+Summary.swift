package import Evaluation
import InputFiles
package import ScenarioLanguage
import TextFormats

extension RecordedResults {
    /// The largest number of rows of a summary, which has a few hundred.
    private static let mostRows = 100_000

    /// Returns the rows of `summary.csv` with their intervals.
    ///
    /// - Throws: ``ScenarioError`` if the file of a run is missing or invalid; the rows of a load are known.
    package func summary() throws(ScenarioError) -> [SummaryRow] {
        isLoad ? rows : try ScenarioError.of { () throws(DataFileError) in try Self.rows(of: "\(path)/summary.csv") }
    }

    /// Reads the rows of `summary.csv`.
    static func rows(of path: String) throws(DataFileError) -> [SummaryRow] {
        var table = try CSVTable(CSVReader(path: path))
        let names = ["metric", "scope", "stat", "unit", "value", "ci_low", "ci_high"]
        let columns = try table.columns(names)
        var rows: [SummaryRow] = []
        while try table.advance() {
            guard rows.count < mostRows else {
                table.reportInRow(field: 0, "there are too many rows; allowed: \(mostRows)")
                break
            }
            let fields = columns.prefix(4).map { OneLine.excerpt(table.row.text($0), longest: 128) }
            let numbers = columns.dropFirst(4).map { table.value(in: $0) }
            let interval = numbers[1].flatMap { low in numbers[2].flatMap { low <= $0 ? low...$0 : nil } }
            rows.append(
                SummaryRow(
                    scope: fields[1],
                    metric: fields[0],
                    stat: fields[2],
                    unit: fields[3],
                    value: numbers[0].map { .decimal($0) },
                    interval: interval
                )
            )
        }
        try table.throwIfInvalid()
        return rows
    }
}
