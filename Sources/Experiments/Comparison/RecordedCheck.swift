import TextFormats

/// A check as recorded in `checks.csv`.
public struct RecordedCheck: Hashable, Sendable {
    /// The name of the check in reports.
    public let name: String
    /// The text of the response that is checked.
    public let response: String
    /// The operator.
    public let relation: String
    /// The limit, in the unit.
    public let limit: String
    /// The value, in the unit; empty if it is undefined or was not measured.
    public let value: String
    /// The unit of value and limit.
    public let unit: String
    public let verdict: CheckOutcome.Verdict
    /// The confidence that the scenario requires, as written; nil for none.
    public var confidence: String?
    /// The number of replications that the value is a sum over; 1 if it is no sum.
    public var summands = 1
}

extension RecordedResults {
    /// Returns the recorded checks of a run, in the order of its scenario file, or the thresholds of a load.
    ///
    /// - Throws: ``ScenarioError`` if `checks.csv` is invalid, or is missing although the scenario has checks.
    public func checks() throws(ScenarioError) -> [RecordedCheck] {
        guard isLoad || !experiment.checks.isEmpty else { return [] }
        do throws(DataFileError) {
            return try checks(in: CSVTable(CSVReader(path: "\(path)/checks.csv")))
        } catch .missing where isLoad {
            return []
        } catch {
            throw ScenarioError(error)
        }
    }

    private func checks(in source: consuming CSVTable) throws(DataFileError) -> [RecordedCheck] {
        var table = source
        var checks = try RecordedCheck.checks(in: &table)
        if !isLoad, checks.count != experiment.checks.count {
            table.reportInHeader(
                field: 0,
                "there must be a row for each of the \(experiment.checks.count) checks of the scenario, got \(checks.count)"
            )
        }
        try table.throwIfInvalid()
        let catalog = MetricCatalog(of: scenario)
        for (index, check) in experiment.checks.enumerated() {
            let comparison = check.comparison
            checks[index].confidence = comparison.confidenceText
            let isSum = (try? comparison.response.resolve(in: scenario, by: catalog).isSum) ?? false
            checks[index].summands = isSum ? replications : 1
        }
        return checks
    }
}

extension RecordedCheck {
    /// The largest number of checks that a scenario can have.
    ///
    /// Tables with more are rejected.
    private static let mostChecks = 1000

    /// Reads the rows of a table and records its errors in it.
    fileprivate static func checks(in table: inout CSVTable) throws(DataFileError) -> [RecordedCheck] {
        let names = ["name", "response", "operator", "limit", "unit", "value", "verdict"]
        let columns = names.compactMap { table.column($0, besides: names) }
        try table.throwIfInvalid()
        let allowed = CheckOutcome.Verdict.allCases.map { $0.rawValue }.joined(separator: ", ")
        var checks: [RecordedCheck] = []
        while try table.advance() {
            let fields = columns.map { OneLine.excerpt(table.row.text($0), longest: 300) }
            guard let verdict = CheckOutcome.Verdict(rawValue: fields[6]) else {
                table.reportInRow(
                    field: columns[6],
                    "must be a verdict, got \(ScenarioNode.quoted(fields[6])); allowed: \(allowed)"
                )
                continue
            }
            checks.append(
                RecordedCheck(
                    name: fields[0],
                    response: fields[1],
                    relation: fields[2],
                    limit: fields[3],
                    value: fields[5],
                    unit: fields[4],
                    verdict: verdict
                )
            )
            if checks.count > mostChecks { break }
        }
        return checks
    }
}
