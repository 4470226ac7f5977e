import Experiments

/// A row of `checks.csv`: a check of a run, or a threshold of a test in real time.
struct CheckRow {
    /// What reports call it.
    var name: String
    /// What is compared, as it is written.
    var response: String
    var relation: Relation
    /// The limit, in the unit.
    var limit: Double
    var unit: String
    var value: SummaryRow.Value?
    /// The bounds of the value's interval; nil where there is none.
    var interval: ClosedRange<Double>?
    /// How many parts the interval rests on; 1 where there is none.
    var n = 1
    /// The level of the interval that the limit was held against; nil where the value alone was.
    var confidence: Double?
    var verdict: CheckOutcome.Verdict

    /// The limit in the unit of the response; a whole number where it is one, but for pure numbers.
    private var limitText: String {
        if unit != "1", let whole = Int64(exactly: limit) { return "\(whole)" }
        return CSVText.field(limit)
    }

    fileprivate var fields: [String] {
        [name, response, relation.rawValue, limitText, unit, CSVText.field(value)]
            + [
                CSVText.field(interval?.lowerBound), CSVText.field(interval?.upperBound), "\(n)",
                CSVText.field(confidence),
            ]
            + [verdict.rawValue]
    }
}

extension CSVText {
    /// `checks.csv` of runs and of tests in real time: a row a check, in their order.
    static func checks(_ rows: [CheckRow]) -> String {
        var csv = CSVText(header: [
            "name", "response", "operator", "limit", "unit", "value", "ci_low", "ci_high", "n", "confidence", "verdict",
        ])
        for row in rows { csv.add(row.fields) }
        return csv.text
    }
}
