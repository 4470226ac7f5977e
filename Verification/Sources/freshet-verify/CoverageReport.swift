import TextFormats
import Verification

/// The results of a coverage study as a Markdown table; failing rows are listed below it.
struct CoverageReport: Sendable {
    let outcomes: [CoverageOutcome]

    /// `true` if all intervals reach their required coverage.
    var holds: Bool { outcomes.allSatisfy(\.holds) }

    /// The table, then the rows that miss more often than chance explains.
    var text: String {
        var lines = [
            "| scenario | rides | parts | runs | rows | counts held [%] | others held [%] | rows below 92, to 98, above [%] | verdict |",
            "|---|---|---|---|---|---|---|---|---|",
        ]
        lines += outcomes.map { outcome in
            let rows = outcome.rows.filter { 2 * $0.printed >= outcome.runs }
            let below = rows.count { $0.coverage < 0.92 }
            let above = rows.count { $0.coverage > 0.98 }
            let cells = [
                outcome.scenario, "\(outcome.rides)", outcome.basis.rawValue, "\(outcome.runs)", "\(rows.count)",
                CoverageReport.percent(outcome.coverage(ofCounts: true)),
                CoverageReport.percent(outcome.coverage(ofCounts: false)),
                "\(below), \(rows.count - below - above), \(above)", outcome.holds ? "holds" : "fails",
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        for outcome in outcomes where !outcome.failures.isEmpty {
            lines += ["", "\(outcome.scenario), \(outcome.rides) rides, \(outcome.basis.rawValue):"]
            lines += outcome.failures.map { "- \($0.name): \($0.held) of \($0.printed) hold the long-run value" }
        }
        return lines.map { "\($0)\n" }.joined()
    }

    /// JSON for scripts, one object per row of the table: `{id, verdict, rides, runs, rows, counts_held, others_held, failures}`.
    ///
    /// `failures` has the names of the failing rows.
    var rows: [JSONValue] {
        outcomes.map { outcome in
            func share(ofCounts isCount: Bool) -> JSONValue {
                outcome.coverage(ofCounts: isCount).map { .decimal($0, places: 6) } ?? .null
            }
            return [
                "id": .string("coverage/\(outcome.scenario)/\(outcome.rides)/\(outcome.basis.rawValue)"),
                "verdict": .string(outcome.holds ? "pass" : "fail"), "rides": .integer(Int64(outcome.rides)),
                "runs": .integer(Int64(outcome.runs)), "rows": .integer(Int64(outcome.rows.count)),
                "counts_held": share(ofCounts: true), "others_held": share(ofCounts: false),
                "failures": .array(outcome.failures.map { .string($0.name) }),
            ]
        }
    }

    /// CSV for scripts: every row of summary.csv for which a run had an interval.
    var csv: String {
        let rows = outcomes.flatMap { outcome in
            outcome.rows.map { row in
                "\(outcome.scenario),\(outcome.rides),\(outcome.basis.rawValue),\(outcome.runs),\(row.name),"
                    + "\(row.printed),\(row.held)\n"
            }
        }
        return "scenario,rides,parts,runs,row,printed,held\n" + rows.joined()
    }

    /// A share in percent, to one place.
    private static func percent(_ share: Double?) -> String {
        guard let share else { return "–" }
        let tenths = Int((share * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
