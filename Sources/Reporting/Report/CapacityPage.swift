public import Evaluation
public import TextFormats

/// The use of the senders' limits in several runs, for a page that shows them side by side.
public enum CapacityPage {
    /// Returns the runs in order, each with its answer in a sentence or a few, its limits in a table and its charts.
    public static func json(of results: [RunResult]) -> JSONValue {
        let charts = Chart.capacity(sideBySide: results)
        return .array(
            zip(results, charts)
                .map { result, charts in
                    let report = Report(result)
                    let table = report.limitsTable
                    return [
                        "answer": .string(report.capacityLine(Congestion.all(in: result))),
                        "limits": [
                            "columns": .strings(["of the simulated cells"] + table.columns.dropFirst().map(\.title)),
                            "rows": .array(table.rows.map { .strings($0) }),
                        ],
                        "charts": .array(charts.map { ["name": .string($0.name), "chart": $0.specification] }),
                    ]
                }
        )
    }
}
