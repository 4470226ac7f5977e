public import Evaluation
import InputFiles
public import ScenarioLanguage
import TextFormats

extension RecordedResults {
    /// The largest number of checks that a scenario can have.
    ///
    /// Tables with more are rejected.
    private static let mostChecks = 1000

    /// Returns the recorded outcomes of a run's checks, in the order of its scenario file, or of a load's thresholds.
    ///
    /// - Throws: ``ScenarioError`` if `checks.csv` is invalid, or is missing although the scenario has checks.
    public func checks() throws(ScenarioError) -> [CheckOutcome] {
        guard isLoad || !experiment.checks.isEmpty else { return [] }
        do throws(DataFileError) {
            return try checks(in: CSVTable(CSVReader(path: "\(path)/checks.csv")))
        } catch .missing where isLoad {
            return []
        } catch {
            throw ScenarioError(error)
        }
    }

    private func checks(in source: consuming CSVTable) throws(DataFileError) -> [CheckOutcome] {
        var table = source
        let names = ["name", "response", "operator", "limit", "unit", "value", "verdict"]
        let columns = try table.columns(names)
        let allowed = CheckOutcome.Verdict.allCases.map { $0.rawValue }.joined(separator: ", ")
        let (checks, catalog) = (experiment.checks, MetricCatalog(of: scenario))
        var outcomes: [CheckOutcome] = []
        var count = 0
        while try table.advance() {
            guard count < Self.mostChecks || !isLoad else {
                table.reportInRow(field: 0, "there are too many rows; allowed: \(Self.mostChecks)")
                break
            }
            defer { count += 1 }
            let name = table.row.text(columns[0])
            let check = isLoad ? try? Check(parsing: name) : count < checks.count ? checks[count] : nil
            guard let verdict = CheckOutcome.Verdict(rawValue: table.row.text(columns[6])) else {
                let got = ScenarioNode.quoted(table.row.text(columns[6]))
                table.reportInRow(field: columns[6], "must be a verdict, got \(got); allowed: \(allowed)")
                continue
            }
            let (limit, value) = (table.value(in: columns[3]), table.value(in: columns[5]))
            guard let check, let limit else {
                if isLoad || count < checks.count {
                    let got = ScenarioNode.quoted(OneLine.excerpt(name, longest: 300))
                    table.reportInRow(field: columns[0], "must be a check with its limit, got \(got)")
                }
                continue
            }
            let unit = OneLine.excerpt(table.row.text(columns[4]), longest: 300)
            let isSum = (try? check.comparison.response.resolve(in: scenario, by: catalog).isSum) ?? false
            var outcome = CheckOutcome(
                check,
                limit: limit,
                of: SummaryRow(check.comparison.response.metric, value.map { .decimal($0) }),
                in: unit,
                isShare: SummaryRow.isShare(check.comparison.response.metric, unit: unit),
                replications: isLoad ? 0 : replications
            )
            outcome.isSum = isSum && !isLoad
            outcome.recorded = verdict
            outcomes.append(outcome)
        }
        if !isLoad, count != checks.count {
            table.reportInHeader(
                field: 0,
                "there must be a row for each of the \(checks.count) checks of the scenario, got \(count)"
            )
        }
        try table.throwIfInvalid()
        return outcomes
    }
}
