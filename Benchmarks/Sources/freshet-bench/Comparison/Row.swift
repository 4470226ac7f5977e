import Benchmarking
import Reporting
import TextFormats

/// A row of the table of ``BenchCompareCommand``.
struct Row {
    /// The name in the file of thresholds.
    let name: String
    /// The description of the workload.
    let workload: String
    /// Our figure, in the unit of the text.
    let ours: Double
    let oursText: String
    let baselineText: String
    /// The factor by which ours is better, or as the workload states; nil without a baseline.
    let ratio: Double?
}

extension Row {
    /// Creates a row with two figures in one unit and their ratio.
    ///
    /// - Parameter baselinePlaces: The decimal places of the baseline, if they differ from ours.
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

    /// Creates a row from measurements in turn.
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

    /// Creates a row with the time of one of our own rows relative to another.
    init(_ name: String, _ workload: String, _ turns: Turns, over usual: Turns) {
        let (time, usual) = (turns.ours.median, usual.ours.median)
        self.init(name, workload, time, "ns", baseline: usual, ratio: time / usual)
    }
}

/// Rows compared with their goals.
struct ComparisonTable {
    let thresholds: [String: SpeedGoal]
    private var table = TextTable([
        "workload", "ours:", "baseline:", "ratio:", "goal", "met",
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
