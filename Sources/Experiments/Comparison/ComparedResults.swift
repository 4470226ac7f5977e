import LiveActivityModel

/// Two sets of results, compared metric by metric: two runs, two tests in real time, two sweeps.
public protocol ComparedResults: Sendable {
    /// In what the second differs from what the first was asked.
    var changes: [ScenarioChange] { get }
    /// The metrics in the order of telling.
    var metrics: [MetricComparison] { get }
    /// How they were compared.
    var options: RunComparison.Options { get }
    /// What a reader must know about the numbers, in sentences.
    var notes: [String] { get }
    /// The versions of the program that wrote the two.
    var versions: ProgramVersions { get }
}

extension ComparedResults {
    /// The metrics that are not comparable because their bases differ, in their order.
    public var metricsOnOtherBases: [MetricComparison] { metrics.filter { $0.verdict == .otherBasis } }

    /// The metrics that one of the two cannot show, in their order.
    public var metricsUnmetInOne: [MetricComparison] {
        metrics.filter { $0.verdict == .notMeasured && $0.unmet?.isInBoth == false }
    }

    /// The metrics that could be found better or worse, in their order.
    public var judged: [MetricComparison] {
        metrics.filter { ($0.direction != .neutral || $0.isLost) && !$0.isUnjudged }
    }

    /// How many metrics can be better or worse: their intervals hold together, each at the level of
    /// ``RunComparison/Options/level(forJudged:)``.
    public var judgedCount: Int { metrics.count { $0.direction != .neutral } }

    /// `true` if independent runs of one replication each are compared, so that chance explains any difference.
    public var isOfSingleWorlds: Bool { metrics.contains { $0.isOfSingleWorlds } }

    /// What the metrics that have a direction come to together.
    ///
    /// Where all that was asked for is neutral and has a value on both sides, there was nothing to judge.
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
