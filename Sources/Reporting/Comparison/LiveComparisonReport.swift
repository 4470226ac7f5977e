public import Experiments
import TextFormats

/// A run in real time against its simulation, for people.
public struct LiveComparisonReport: Sendable {
    private let comparison: LiveComparison

    /// The report of a comparison.
    public init(_ comparison: LiveComparison) {
        self.comparison = comparison
    }

    /// The comparison for a terminal; ends with a newline.
    public var text: String {
        "Simulated and in real time; intervals are of the mean difference of a cell.\n\n\(table.plain)\n\n\(verdict)\n"
    }

    /// The comparison in Markdown; ends with a newline.
    public var markdown: String {
        "# Simulated and in real time\n\n**\(verdict)**\n\n\(table.markdown)\n\n"
            + "Intervals are of the mean difference of a cell, live minus simulated, at 95 %.\n"
    }

    /// What it comes to, in a sentence.
    public var verdict: String {
        func responses(_ verdict: LiveComparison.Verdict) -> String {
            comparison.rows.filter { $0.verdict == verdict }.map(\.response).joined(separator: ", ")
        }
        let differing = responses(.differs)
        guard differing.isEmpty else { return "Simulation and reality differ in \(differing)" }
        let open = responses(.open)
        guard open.isEmpty else {
            return "Whether simulation and reality agree in \(open) cannot be told from so few rides; "
                + "more (--set rides.scale=…) narrow the interval"
        }
        return "Simulation and reality agree: freshness within one percentage point, the mean age within 5 %"
    }

    private func word(_ verdict: LiveComparison.Verdict) -> String {
        switch verdict {
        case .agrees: "agrees"
        case .differs: "differs"
        case .open: "open"
        }
    }

    private var table: TextTable {
        var table = TextTable(
            [
                ("metric", .left), ("simulated", .right), ("live", .right), ("difference", .right),
                ("95 % interval", .right), ("allowed", .right), ("verdict", .left),
            ]
        )
        for row in comparison.rows {
            table.add(
                row.response,
                Prose.value(row.simulated, unit: row.unit, isShare: row.isShare),
                Prose.value(row.live, unit: row.unit, isShare: row.isShare),
                Prose.difference(row.difference, unit: row.unit, isShare: row.isShare),
                row.interval.map { interval in
                    [interval.lowerBound, interval.upperBound]
                        .map { Prose.difference($0, unit: row.unit, isShare: row.isShare) }.joined(separator: " … ")
                } ?? "",
                allowed(row),
                row.verdict.map(word) ?? ""
            )
        }
        return table
    }

    private func allowed(_ row: LiveComparison.Row) -> String {
        switch row.tolerance {
        case nil: ""
        case .absolute(let limit): "±" + Prose.difference(limit, unit: row.unit, isShare: row.isShare).dropFirst()
        case .relative(let share): "±" + (FixedPoint.text(share * 100, places: 0) ?? "") + " %"
        }
    }
}
