import Experiments
import TextFormats

/// A check of a run, or a threshold of a test in real time, as people read it.
struct CheckLine {
    /// What is compared.
    var subject: String
    /// How it must compare: `>= 95 %`.
    var demand: String
    var value: String
    /// The interval of the value; nil where there can be none.
    var interval: String?
    /// The verdict in words.
    var verdict: String

    /// A value with all its places where the rounded one would hide that it differs from the limit.
    static func text(of value: SummaryRow.Value?, beside limit: Double, unit: String, isShare: Bool) -> String {
        let text = Prose.value(value?.double, unit: unit, isShare: isShare)
        guard let value = value?.double, value != limit, text == Prose.value(limit, unit: unit, isShare: isShare),
            let exact = FixedPoint.text(value, places: 6)
        else { return text }
        return unit == "us" ? "\(exact) µs" : exact
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
        }
    }
}

extension TextTable {
    /// The table of checks and of thresholds: a line each; a column of intervals where there can be any.
    static func checks(_ lines: [CheckLine], title: String) -> TextTable {
        let hasIntervals = lines.contains { $0.interval != nil }
        var table = TextTable(
            [(title, .left), ("must be", .right), ("is", .right)]
                + (hasIntervals ? [("95 % interval", .right)] : []) + [("verdict", .left)]
        )
        for line in lines {
            table.add(
                [line.subject, line.demand, line.value] + (hasIntervals ? [line.interval ?? ""] : []) + [line.verdict]
            )
        }
        return table
    }
}
