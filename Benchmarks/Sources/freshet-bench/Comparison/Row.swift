import Benchmarking
import Reporting
import TextFormats

/// A row of the table of ``BenchCompareCommand``.
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
    /// Two figures in one unit, and a ratio of them.
    ///
    /// - Parameter baselinePlaces: The decimal places of the baseline, where they are others than ours has.
    init(
        _ name: String,
        _ workload: String,
        _ ours: Double,
        _ unit: String,
        places: Int = 1,
        baseline: Double? = nil,
        baselinePlaces: Int? = nil,
        ratio: Double? = nil
    ) {
        func text(_ number: Double, _ places: Int) -> String {
            "\(FixedPoint.text(number, places: places) ?? "") \(unit)"
        }
        (self.name, self.workload, self.ours, self.ratio) = (name, workload, ours, ratio)
        oursText = text(ours, places)
        baselineText = baseline.map { text($0, baselinePlaces ?? places) } ?? ""
    }

    /// What was measured by turns.
    init(_ name: String, _ workload: String, _ turns: Turns, baselinePlaces: Int = 1) {
        self.init(
            name,
            workload,
            turns.ours.median,
            "ns",
            baseline: turns.baseline.median,
            baselinePlaces: baselinePlaces,
            ratio: turns.ratios.median
        )
    }

    /// How many times as long one of our own rows takes as another.
    init(_ name: String, _ workload: String, _ turns: Turns, over usual: Turns) {
        let (time, usual) = (turns.ours.median, usual.ours.median)
        self.init(name, workload, time, "ns", baseline: usual, ratio: time / usual)
    }
}

/// Rows held against their goals.
struct ComparisonTable {
    let thresholds: [String: SpeedGoal]
    private var table = TextTable([
        ("workload", .left), ("ours", .right), ("baseline", .right), ("ratio", .right), ("goal", .left), ("met", .left),
    ])
    /// The rows that missed their goals.
    private(set) var missed: [String] = []

    init(thresholds: [String: SpeedGoal]) {
        self.thresholds = thresholds
    }

    mutating func add(_ row: Row) {
        let threshold = thresholds[row.name]
        let isMet = threshold?.isMet(ours: row.ours, ratio: row.ratio)
        if isMet == false { missed.append(row.name) }
        table.add(
            row.workload,
            row.oursText,
            row.baselineText,
            row.ratio.flatMap { FixedPoint.text($0, places: 2) } ?? "",
            threshold?.text ?? "",
            isMet.map { $0 ? "yes" : "no" } ?? ""
        )
    }

    var text: String { table.plain }
}
