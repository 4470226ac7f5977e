import Benchmarking

/// A row of the table.
struct Row {
    /// The name by which the file of thresholds knows it.
    let name: String
    /// What was done.
    let workload: String
    /// Our figure, in the unit of the texts.
    let ours: Double
    let oursText: String
    let baselineText: String
    /// How many times as good ours is, or as the workload says; nil without a baseline.
    let ratio: Double?
}

extension Row {
    /// Two times [ns], and a ratio of them.
    init(name: String, workload: String, nanoseconds ours: Double, baseline: Double, places: Int = 1, ratio: Double) {
        self.init(
            name: name,
            workload: workload,
            ours: ours,
            oursText: "\(decimal(ours, places: 1)) ns",
            baselineText: "\(decimal(baseline, places: places)) ns",
            ratio: ratio
        )
    }

    /// What was measured by turns.
    init(name: String, workload: String, _ turns: Turns, places: Int = 1) {
        self.init(
            name: name,
            workload: workload,
            nanoseconds: turns.ours.median,
            baseline: turns.baseline.median,
            places: places,
            ratio: turns.ratios.median
        )
    }

    /// How many times as long one of our own rows takes as another.
    init(name: String, workload: String, _ turns: Turns, over usual: Turns) {
        self.init(
            name: name,
            workload: workload,
            nanoseconds: turns.ours.median,
            baseline: usual.ours.median,
            ratio: turns.ours.median / usual.ours.median
        )
    }
}

/// Rows in aligned columns.
struct Table {
    let thresholds: [String: SpeedGoal]
    private(set) var rows: [[String]] = [["workload", "ours", "baseline", "ratio", "goal", "met"]]
    /// The rows that missed their goals.
    private(set) var missed: [String] = []

    init(thresholds: [String: SpeedGoal]) {
        self.thresholds = thresholds
    }

    mutating func add(_ row: Row) {
        let threshold = thresholds[row.name]
        let isMet = threshold?.isMet(ours: row.ours, ratio: row.ratio)
        if isMet == false { missed.append(row.name) }
        rows.append([
            row.workload, row.oursText, row.baselineText, row.ratio.map { decimal($0, places: 2) } ?? "",
            threshold?.text ?? "", isMet.map { $0 ? "yes" : "no" } ?? "",
        ])
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return
            rows.map { row in
                row.indices
                    .map { column in
                        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
                        return (1...3).contains(column) ? blanks + row[column] : row[column] + blanks
                    }
                    .joined(separator: "  ")
            }
            .joined(separator: "\n")
    }
}

/// A number with a fixed number of decimal places.
func decimal(_ number: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let units = Int64((number.magnitude * scale).rounded())
    let sign = number < 0 && units != 0 ? "-" : ""
    guard places > 0 else { return sign + String(units) }
    let digits = String(units)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return sign + padded.dropLast(places) + "." + padded.suffix(places)
}
