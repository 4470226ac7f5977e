public import Evaluation
import LiveActivityModel

extension Report {
    /// The most important rows, in order.
    private static let firstRows: [(metric: String, scope: String, words: String)] = [
        ("displayed_fresh_time_ratio", "during_ride", "freshness during rides"),
        ("ride_fresh_coverage_ratio", "all", "ride time with a fresh card"),
        ("displayed_fresh_time_ratio", "all", "freshness on phones"),
        ("wrong_stage_time_ratio", "all", "the wrong stage"),
        ("age_of_information_us", "all", "age of information"),
        ("age_of_information_us", "during_ride", "age of information during rides"),
        ("fresh_time_ratio", "all", "the monitor's belief"),
        ("recovery_time_us", "all", "recovery time"),
        ("pushes_sent_count", "all", "pushes sent"),
    ]

    /// A sentence on why values have no intervals, and on the remedy; empty if no important value lacks one.
    var intervalGaps: String {
        let missing = Self.firstRows.filter { hasMonitor || !Self.metricsOfMonitor.contains($0.metric) }
            .compactMap {
                first -> (words: String, gap: IntervalGap)? in
                summary.rows.first { $0.metric == first.metric && $0.scope == first.scope && $0.gap != nil }?
                    .gap.map { (first.words, $0) }
            }
        // The reason why windows differ is more useful than the lack of other parts.
        let ofWindows = missing.first { [.fault, .timeOfDay, .windows].contains($0.gap.reason) }
        guard let first = ofWindows ?? missing.first else { return "" }
        switch first.gap.reason {
        case .fault:
            return
                "No intervals: a fault is inside the measured time, and its effect is not random; use --replications 5."
        case .timeOfDay:
            return
                "No intervals: rides arrive by the time of day, so parts of one run differ; use --replications 5."
        case .windows:
            return "No intervals: the run is too short or too unsteady to be cut into parts; use --replications 5."
        case .onePart:
            return
                "Most values have no interval: one replication of one cell has no parts to compare; use --replications 5."
        case .fixedRides:
            return "Counts have no intervals: the number of rides is fixed, so cells do not show how they vary; use "
                + "--replications 5."
        case .heaviest, .fewEvents, .noVariation:
            break
        }
        let named = missing.prefix(2).map(\.words).joined(separator: missing.count == 2 ? " and " : ", ")
        let rows = summary.rows.count { $0.gap != nil } - min(2, missing.count)
        let others = rows > 0 ? " (and \(Format.count(Int64(rows))) other rows)" : ""
        let remedy =
            first.gap.reason == .noVariation
            ? "it may be constant, or the events that change it did not happen; a larger run may show which"
            : remedy(missing.map(\.gap))
        return "No interval for \(named)\(others): \(first.gap.reason.words); \(remedy)."
    }

    /// Returns an estimate of the run's size that would give all of them an interval.
    ///
    /// It is twice the estimate, and at least five replications. A run that cannot estimate a value cannot estimate the
    /// required size exactly either, and few parts need wider intervals than many.
    private func remedy(_ gaps: [IntervalGap]) -> String {
        let rides = total[.ridesRequested]
        let factors = gaps.compactMap(\.factor)
        guard let factor = factors.max().map({ 2 * $0 }), factors.count == gaps.count, factor < 1e5, rides > 0 else {
            return "many more rides are needed, too many to estimate from this run"
        }
        let replications = Int64((Double(result.replications) * factor).rounded(.up))
        return
            "about \(Format.count(Report.roundedUp(Double(rides) * factor))) rides or \(Format.count(max(5, replications))) "
            + "replications may be enough, twice this run's estimate; events that it has not seen may require more"
    }

    /// Rounds up to two significant digits.
    private static func roundedUp(_ number: Double) -> Int64 {
        var unit = 1.0
        while number / unit >= 100 { unit *= 10 }
        return Int64((number / unit).rounded(.up) * unit)
    }
}

extension IntervalGap.Reason {
    /// The reason, as a clause without its beginning and its full stop.
    public var words: String {
        switch self {
        case .heaviest: "one more card that is never ended would move it by more than its interval"
        case .noVariation: "nothing in this run makes it vary"
        case .fewEvents: "too few events make up its value"
        case .fixedRides: "the number of rides is fixed"
        case .fault: "a fault is inside the measured time"
        case .timeOfDay: "rides arrive by the time of day"
        case .windows: "the run is too short or too unsteady to be cut into parts"
        case .onePart: "one replication of one cell has no parts to compare"
        }
    }
}
