import LiveActivityModel

/// Two sets of results, compared metric by metric: two runs, two loads or two sweeps.
public protocol ComparedResults: Sendable {
    /// The settings that differ between the two.
    var changes: [ScenarioChange] { get }
    /// The metrics, in the order of the report.
    var metrics: [MetricComparison] { get }
    /// The options of the comparison.
    var options: RunComparison.Options { get }
    /// Remarks that readers need to interpret the numbers, in sentences.
    var notes: [String] { get }
    /// The versions of the program that wrote the two.
    var versions: ProgramVersions { get }
}

extension ComparedResults {
    /// The metrics that are not comparable because their bases differ, in order.
    public var metricsOnOtherBases: [MetricComparison] { metrics.filter { $0.verdict == .otherBasis } }

    /// The metrics that only one of the two can show, in order.
    public var metricsUnmetInOne: [MetricComparison] {
        metrics.filter { $0.verdict == .notMeasured && $0.unmet?.isInBoth == false }
    }

    /// The metrics that have a verdict, in order.
    public var judged: [MetricComparison] {
        metrics.filter { ($0.direction != .neutral || $0.isLost) && !$0.isUnjudged }
    }

    /// The number of metrics that can be better or worse.
    ///
    /// Their intervals hold together, each at the level of ``RunComparison/Options/level(forJudged:)``.
    public var judgedCount: Int { metrics.count { $0.direction != .neutral } }

    /// `true` if independent runs of one replication each are compared, so that chance explains any difference.
    public var isOfSingleWorlds: Bool { metrics.contains { $0.isOfSingleWorlds } }

    /// The overall verdict of the metrics that have a direction.
    ///
    /// Nothing is judged if all metrics are neutral and both sides have values.
    public var verdict: RunComparison.Verdict {
        if judged.isEmpty, metrics.contains(where: \.isUnjudged) { return .nothingJudged }
        let verdicts = judged.map(\.verdict)
        switch (verdicts.contains(.better), verdicts.contains(.worse)) {
        case (true, true): return .trade
        case (true, false): return .better
        case (false, true): return .worse
        case (false, false): return verdicts.contains(.unsure) ? .unsure : .noDifference
        }
    }
}
