import Evaluation
import LiveActivityModel
import TextFormats

/// Two results of one load command.
///
/// A load has no replications, so no difference has an interval: it may be chance, or other work on the machine.
struct LoadPair {
    private let first: RecordedResults
    private let second: RecordedResults
    private let options: ResultComparison.Options
    /// The settings that differ between the two.
    let changes: [ScenarioChange]
    /// The responses to compare, each with a statistic.
    private(set) var asked: [Response] = []

    init(
        _ first: RecordedResults,
        _ second: RecordedResults,
        _ options: ResultComparison.Options
    ) throws(ComparisonError) {
        (self.first, self.second, self.options) = (first, second, options)
        changes = Self.changes(from: first, to: second)
        asked = options.responses.isEmpty ? usual : try options.responses.map(full)
    }

    /// Returns the settings that differ.
    private static func changes(from first: RecordedResults, to second: RecordedResults) -> [ScenarioChange] {
        let settings = [first, second].map { [(name: "seed", value: "\($0.seed)")] + $0.settings }
        return settings.joined().map(\.name).unique
            .compactMap { name in
                let values = settings.map { settings in
                    settings.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
                }
                return values[0] == values[1]
                    ? nil : ScenarioChange(path: name, first: values[0], second: values[1])
            }
    }

    /// The headline metrics that one of the two has.
    private var usual: [Response] {
        let rows = first.rows + second.rows
        return LoadMetrics.usual.flatMap { metric, statistics -> [Response] in
            let scopes = rows.filter { $0.metric == metric }.map(\.scope)
            let parts = scopes.contains("all") ? ["all"] : scopes.unique
            return parts.flatMap { scope in
                statistics.map { Response(metric: metric, scope: scope, statistic: $0) }
                    .filter { !self.rows($0).isEmpty }
            }
        }
    }

    /// Returns a requested response with its statistic.
    private func full(_ response: Response) throws(ComparisonError) -> Response {
        guard response.window == nil else { throw .overWindow(response) }
        guard let row = rows(response).first else {
            let names = (first.rows + second.rows).map(\.name).unique
            let short = names.map { String($0[..<($0.lastIndex(of: ".") ?? $0.endIndex)]) }
            let nearest = Suggestion.nearest(to: response.text, among: names + short)
            throw .unknownMetric(
                response.text,
                run: first.path,
                advice: nearest.map { "did you mean \($0)?" } ?? "allowed: \(names.joined(separator: ", "))"
            )
        }
        return Response(metric: response.metric, scope: response.scope, statistic: row.stat)
    }

    /// Returns the rows of a response, of one or both; without a statistic, the first row of the metric.
    private func rows(_ response: Response) -> [SummaryRow] {
        [first, second].compactMap { row(of: response, in: $0) }
    }

    private func row(of response: Response, in results: RecordedResults) -> SummaryRow? {
        results.rows.first { row in
            row.metric == response.metric && row.scope == response.scope
                && response.statistic.map { $0 == row.stat } ?? true
        }
    }

    /// Compares a metric, together with the counts that it is a mean over; nil if neither has it.
    ///
    /// No mean is better if more activities are stale on fewer screens, or if fewer requests have an answer.
    func compared(_ response: Response) -> MetricComparison? {
        guard !rows(response).isEmpty else { return nil }
        func alone(_ response: Response) -> MetricComparison? {
            rows(response).count == 2 ? metric(response) : nil
        }
        var comparison = metric(response)
        for population in response.populations {
            guard let count = alone(population.count) else { continue }
            comparison = comparison.of(population: count, among: population.whole.flatMap(alone))
        }
        for failures in LoadMetrics.failures(without: response.metric) {
            guard let failures = alone(failures), failures.verdict == .worse else { continue }
            comparison = comparison.of(population: failures, among: nil)
        }
        return comparison
    }

    private func metric(_ response: Response) -> MetricComparison {
        // Even at the same rate, an outage may fall into the part that did not run.
        let hasPart = first.isEndedEarly || second.isEndedEarly
        let direction =
            response.scope != "all" && response.metric.hasSuffix("_count")
            ? MetricDirection.neutral : LoadMetrics.direction(of: response.metric)
        return MetricComparison(
            response,
            (row(of: response, in: first), row(of: response, in: second)),
            options,
            direction,
            differingBases: (hasPart ? [MetricComparison.basisOfEarlyEnd] : [])
                + differingBases(of: response, direction),
            isPart: hasPart
        )
    }

    /// Returns the settings that change what a response measures.
    private func differingBases(of response: Response, _ direction: MetricDirection) -> [String] {
        let (metric, isJudged) = (response.metric, direction != .neutral)
        // A search finds its rate and a closed loop has none: in both, the rate setting is only a start value.
        let isSearch = [first, second]
            .allSatisfy { $0.settings.contains { ["find_limit", "max_rate"].contains($0.name) && $0.value == "true" } }
        let isOfPlan =
            LoadMetrics.isOfPlan(metric) && isJudged && !(isSearch && metric.hasSuffix("_per_second"))
        return (isOfPlan && (first.isOfSomeShares || second.isOfSomeShares) ? [MetricComparison.basisOfSomeShares] : [])
            + changes.map(\.path)
            .filter {
                LoadMetrics.isLength($0) && isJudged || isOfPlan && LoadMetrics.plan.contains($0)
                    || LoadMetrics.isMeasured(metric, by: $0) || response.isRedefined(by: $0)
            }
    }
}

extension MetricComparison {
    /// Compares the rows of a metric in two loads.
    fileprivate init(
        _ response: Response,
        _ rows: (first: SummaryRow?, second: SummaryRow?),
        _ options: ResultComparison.Options,
        _ direction: MetricDirection,
        differingBases: [String],
        isPart: Bool
    ) {
        self.response = response.text
        unit = rows.first?.unit ?? rows.second?.unit ?? "1"
        isShare = LoadMetrics.isShare(response.metric, unit: unit)
        self.direction = direction
        self.differingBases = differingBases
        (first, second) = (rows.first?.value?.double, rows.second?.value?.double)
        interval = nil
        reach = nil
        counts = .liveRuns
        noise = (first?.magnitude ?? 0) * options.noise
        isSame = first != nil && first == second
        isPartial = false
        // A metric without any value has lost its data. A count of missing things is 0 then, not undefined.
        isLost = !isPart && first != nil && second == nil && direction != .neutral
    }
}
