/// What `checks.csv` tells of a check.
public struct RecordedCheck: Hashable, Sendable {
    /// What reports call it.
    public let name: String
    /// What is compared, as it is written.
    public let response: String
    /// The operator.
    public let relation: String
    /// What it is compared with, in the unit.
    public let limit: String
    /// The value, in the unit; empty if it is undefined or was not measured.
    public let value: String
    /// The unit of value and limit.
    public let unit: String
    /// Whether it held.
    public let verdict: CheckOutcome.Verdict
    /// The confidence that the scenario asks for, as it is written; nil for none.
    public var confidence: String?
    /// Over how many replications the value is a sum; 1 where it is none.
    public var summands = 1
}

extension ResultComparison {
    /// What came of the own checks of the results that are judged; those of a sweep are of its points, and are not among them.
    ///
    /// - Throws: What is wrong with `checks.csv`.
    public func checks() throws(ScenarioError) -> [RecordedCheck] {
        switch self {
        case .runs(let runs): try runs.second.checks()
        case .loads(let loads): try loads.second.checks()
        case .sweeps: []
        }
    }
}

extension RecordedLoad {
    /// What came of its thresholds; empty when it had none.
    ///
    /// - Throws: What is wrong with `checks.csv`.
    func checks() throws(ScenarioError) -> [RecordedCheck] {
        do throws(DataFileError) {
            var table = try CSVTable(CSVReader(path: "\(path)/checks.csv"))
            let checks = try RecordedCheck.checks(in: &table)
            try table.throwIfInvalid()
            return checks
        } catch .missing {
            return []
        } catch {
            throw ScenarioError(error)
        }
    }
}

extension RecordedRun {
    /// What came of the run's own checks, in the order of its scenario file; empty when it has none.
    ///
    /// - Throws: What is wrong with `checks.csv`, or that it is missing though the scenario has checks.
    public func checks() throws(ScenarioError) -> [RecordedCheck] {
        guard !experiment.checks.isEmpty else { return [] }
        do throws(DataFileError) {
            return try checks(in: CSVTable(CSVReader(path: "\(path)/checks.csv")))
        } catch {
            throw ScenarioError(error)
        }
    }

    private func checks(in source: consuming CSVTable) throws(DataFileError) -> [RecordedCheck] {
        var table = source
        var checks = try RecordedCheck.checks(in: &table)
        if checks.count != experiment.checks.count {
            table.reportInHeader(
                field: 0,
                "there must be a row for each of the \(experiment.checks.count) checks of the scenario, got \(checks.count)"
            )
        }
        try table.throwIfInvalid()
        let catalog = MetricCatalog(of: scenario)
        for index in checks.indices {
            let comparison = experiment.checks[index].comparison
            checks[index].confidence = comparison.confidenceText
            let isSum = (try? comparison.response.resolve(in: scenario, by: catalog).isSum) ?? false
            checks[index].summands = isSum ? replications : 1
        }
        return checks
    }
}

extension RecordedCheck {
    /// More checks than a scenario may have are refused.
    private static let mostChecks = 1000

    /// The rows of a table; what is wrong with it is noted in it.
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
