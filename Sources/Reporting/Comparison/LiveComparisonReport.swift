public import Evaluation
public import Results
import TextFormats

/// The comparison of a scenario's load with its simulation, for people.
public struct LiveComparisonReport: Sendable {
    private let comparison: ResultComparison
    private let lateness: DriverLateness?

    /// Creates the report of a comparison.
    ///
    /// - Parameter lateness: The lateness of the load's driver; nil if unknown.
    public init(_ comparison: ResultComparison, lateness: DriverLateness?) {
        self.comparison = comparison
        self.lateness = lateness
    }

    /// `true` if every metric that has to agree does.
    ///
    /// An open verdict is not agreement.
    public var agrees: Bool { comparison.agrees }

    /// The comparison for a terminal; ends with a newline.
    public var text: String {
        let head = "\(Self.title); intervals are of the mean difference per cell."
        return [Block](head, table, comparison.notes, verdict).plain
    }

    /// The comparison in Markdown; ends with a newline.
    public var markdown: String {
        [Block](Block.heading(1, Self.title), Array(section.dropFirst()), lateness?.warning).markdown
    }

    /// The comparison as a section of a load's report.
    var section: [Block] {
        let explanation = "Intervals are of the mean difference per cell, live minus simulated, at 95 %."
        return .section(Self.title, "**\(verdict)**", table, explanation, comparison.notes)
    }

    private static let title = "Simulation and live run"

    /// The verdict, in a sentence.
    public var verdict: String {
        func responses(_ verdict: MetricComparison.Agreement) -> String {
            comparison.metrics.filter { $0.agreement == verdict }.map(\.response).joined(separator: ", ")
        }
        let differing = responses(.differs)
        let remark = lateness?.remark ?? ""
        guard differing.isEmpty else { return "Simulation and live run differ in \(differing)" + remark }
        let open = responses(.open)
        guard open.isEmpty else {
            return "Too few rides to decide whether simulation and live run agree in \(open); "
                + "more rides (--set rides.scale=…) narrow the interval" + remark
        }
        return "Simulation and live run agree: freshness within one percentage point, the mean age within 5 %"
            + remark
    }

    private var table: TextTable {
        TextTable(
            ["metric", "simulated:", "live:", "difference:", "95 % interval:", "allowed:", "verdict"],
            rows: comparison.metrics.map { metric in
                [
                    metric.response, metric.text(metric.first), metric.text(metric.second),
                    metric.text(difference: metric.difference), metric.intervalText,
                    allowed(metric), metric.agreement.map { "\($0)" } ?? "",
                ]
            }
        )
    }

    private func allowed(_ metric: MetricComparison) -> String {
        switch metric.tolerance {
        case nil: ""
        case .absolute(let limit): "±" + Format.distance(limit, unit: metric.unit, isShare: metric.isShare)
        case .relative(let share): "±" + (FixedPoint.text(share * 100, places: 0) ?? "") + " %"
        }
    }
}
