import Experiments
import TextFormats

/// A check of a run, or a threshold of a load: a row of `checks.csv` and of the table for people.
public struct CheckRow: Sendable {
    /// The name in reports.
    public internal(set) var name: String
    /// The name in the table for people; nil if it is the response.
    var subject: String?
    /// The basis of a sum, in brackets after a space; empty for other values.
    var basis = ""
    /// The text of the response.
    var response: String
    var relation: Relation
    /// The requirement, as people read it: `>= 95 %`.
    var demand: String
    /// The limit, in the unit.
    var limit: Double
    var unit: String
    var isShare = false
    var value: SummaryRow.Value?
    /// A lower bound of the value, if nothing else is known of it.
    var lowerBound: SummaryRow.Value?
    /// The bounds of the value's interval; nil if there is none.
    var interval: ClosedRange<Double>?
    /// The interval as people read it; nil if there can be none.
    var intervalText: String?
    /// The number of parts that the interval rests on; 1 if there is none.
    var n = 1
    /// The level of the interval that must keep to the limit; nil if only the value must.
    var confidence: Double?
    var verdict: CheckOutcome.Verdict
    /// The verdict as people read it.
    var words: String
    /// The text that replaces a value that was not measured; empty for other values.
    var unmet = ""

    /// The name in the table for people.
    var title: String { (subject ?? response) + basis }

    /// A Boolean value that indicates whether nothing is known of the value.
    var hasNoData: Bool { verdict == .undefined && lowerBound == nil }

    /// `true` if it holds.
    ///
    /// An undefined value does not hold, nor does a value that was not measured.
    public var holds: Bool { verdict == .holds }

    /// A Boolean value that indicates whether it fails for good.
    ///
    /// A count below a lower limit may still reach it.
    public var isBroken: Bool {
        guard verdict == .fails else { return false }
        let isLowerLimit = relation != .less && relation != .lessOrEqual
        return !(unit == "count" && isLowerLimit && (value?.double ?? .infinity) <= limit)
    }

    fileprivate var fields: [String] {
        // Whole numbers are written as such, except for pure numbers.
        let whole = unit == "1" ? nil : Int64(exactly: limit)
        return [name, response, relation.rawValue, whole.map { "\($0)" } ?? CSVText.field(limit), unit]
            + [CSVText.field(value)] + CSVText.bounds(interval)
            + ["\(n)", CSVText.field(confidence), verdict.rawValue]
    }

    /// The value as people read it, with all decimal places if rounding would hide that it differs from the limit.
    var valueText: String {
        if value == nil, let lowerBound {
            return "≥ " + Format.value(lowerBound.double, unit: unit, isShare: isShare)
        }
        let text = Format.value(value?.double, unit: unit, isShare: isShare)
        guard let value = value?.double, value != limit, text == Format.value(limit, unit: unit, isShare: isShare),
            let exact = FixedPoint.text(value, places: 6)
        else { return text }
        return unit == "us" ? "\(exact) µs" : exact
    }
}

extension CheckRow {
    static let failedRequests = "failed_requests"

    /// Creates the row for the number of failed requests (`--max-failures`).
    public static func failures(_ count: Int, atMost limit: Int) -> CheckRow {
        let verdict: CheckOutcome.Verdict = count <= limit ? .holds : .fails
        return CheckRow(
            name: "\(failedRequests) <= \(limit)",
            subject: "failed requests (--max-failures)",
            response: failedRequests,
            relation: .lessOrEqual,
            demand: "<= \(Format.count(Int64(limit)))",
            limit: Double(limit),
            unit: "count",
            value: .integer(Int64(count)),
            verdict: verdict,
            words: verdict.words
        )
    }
}

extension CheckOutcome.Verdict {
    /// The verdict in words.
    var words: String {
        switch self {
        case .holds: "holds"
        case .fails: "does not hold"
        case .undefined: "does not hold: undefined, there is no data"
        case .notSure: "not sure"
        case .notMeasured: "not measured"
        }
    }
}

extension CSVText {
    /// Returns `checks.csv` of runs and of loads, one row per check.
    static func checks(_ rows: [CheckRow]) -> String {
        text(
            header: [
                "name", "response", "operator", "limit", "unit", "value", "ci_low", "ci_high", "n", "confidence",
                "verdict",
            ],
            rows: rows.map(\.fields)
        )
    }
}

extension TextTable {
    /// Returns the table of checks and thresholds, with a column of intervals if any row can have one.
    static func checks(_ rows: [CheckRow], title: String) -> TextTable {
        let hasIntervals = rows.contains { $0.intervalText != nil }
        var table = TextTable(
            ["\(title)", "must be:", "is:"] + (hasIntervals ? ["95 % interval:"] : []) + ["verdict"],
            rows: rows.map { row in
                [row.title, row.demand, row.valueText]
                    + (hasIntervals ? [row.intervalText ?? ""] : []) + [row.words]
            }
        )
        table.othersWords = [0]
        return table
    }
}
