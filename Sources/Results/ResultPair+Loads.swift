import Evaluation
import LiveActivityModel
import TextFormats

/// Two results of one load command.
///
/// A load has no replications, so no difference has an interval: it may be chance, or other work on the machine.
extension ResultPair {
    /// The metrics that are compared by default: the load requested and achieved, latencies and failures.
    ///
    /// If a metric has no row for everything, its parts are compared. Waits in the sender are already part of the
    /// latencies from the due times of requests; on their own they depend on pauses of this machine.
    private static let usualOfLoads: [(metric: String, statistics: [String])] = [
        ("displayed_fresh_time_ratio", ["ratio"]), ("age_of_information_us", ["mean", "p95"]),
        ("requests_asked_per_second", ["mean"]), ("requests_per_second", ["mean"]),
        ("request_latency_us", ["p50", "p95", "p99", "max"]), ("push_latency_us", ["p99"]),
        ("send_time_us", ["p99"]), ("errors_ratio", ["ratio"]), ("pushes_sent_count", ["total"]),
        ("apns_response_missing_count", ["total"]), ("monitor_requests_count", ["total"]),
        ("monitor_response_missing_count", ["total"]), ("pushes_given_up_count", ["total"]),
        ("connections_lost_count", ["total"]), ("stale_episodes_count", ["total"]),
        ("ended_severe_count", ["total"]),
    ]

    /// The settings that define the load.
    ///
    /// If they differ, counts and rates are of another load.
    private static let plan: Set<String> = [
        "duration", "duration_us", "groups", "instances", "profile", "ramp", "rate", "replay_fingerprint",
        "replay_pushes",
        "replay_speed", "requests", "scenario", "share", "speed", "tokens", "warm_up",
    ]

    /// Returns `true` if a setting determines which part of a load is measured: another part is another experiment.
    private static func isLength(_ setting: String) -> Bool {
        ["duration", "duration_us", "replay_fingerprint", "replay_speed", "requests", "warm_up"].contains(setting)
            || setting.hasPrefix("clock.")
    }

    /// Returns the settings that differ.
    static func changes(ofLoads first: RecordedResults, _ second: RecordedResults) -> [ScenarioChange] {
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

    /// Returns the requested responses, each with a statistic, or the headline metrics that one of the two has.
    static func askedOfLoads(
        _ responses: [Response],
        _ first: RecordedResults,
        _ second: RecordedResults
    ) throws(ComparisonError) -> [Response] {
        let rows = first.rows + second.rows
        guard responses.isEmpty else {
            return try responses.map { (response) throws(ComparisonError) in
                guard response.window == nil else { throw .overWindow(response) }
                guard let row = rows.first(of: response) else {
                    let names = rows.map(\.name).unique
                    let short = names.map { String($0[..<($0.lastIndex(of: ".") ?? $0.endIndex)]) }
                    let nearest = Suggestion.nearest(to: response.text, among: names + short)
                    throw .unknownMetric(
                        response.text,
                        run: first.path,
                        advice: nearest.map { "did you mean \($0)?" } ?? "allowed: \(names.joined(separator: ", "))"
                    )
                }
                return response.with(statistic: row.stat)
            }
        }
        return usualOfLoads.flatMap { metric, statistics -> [Response] in
            let scopes = rows.filter { $0.metric == metric }.map(\.scope)
            let parts = scopes.contains("all") ? ["all"] : scopes.unique
            return parts.flatMap { scope in
                statistics.map { Response(metric: metric, scope: scope, statistic: $0) }
                    .filter { rows.first(of: $0) != nil }
            }
        }
    }

    /// Returns the counts of failed requests, for a metric that leaves them out; none for scenarios.
    ///
    /// A rejection is quick, and a request without an answer has no latency.
    func failures(without response: Response) -> [Response] {
        guard first.results.isLoad, Unanswered.isOfAnswers(response.metric) else { return [] }
        return [Response(metric: "errors_ratio")] + Unanswered.requests.map { Response(metric: $0.missing) }
    }

    /// Compares the rows of a metric; nil if neither load has it, or for a population if one lacks it.
    func rows(_ response: Response, isOfPopulation: Bool) -> MetricComparison? {
        let rows = [first.results, second.results].map { $0.rows.first(of: response) }
        guard rows.contains(where: { $0 != nil }), !isOfPopulation || !rows.contains(nil) else { return nil }
        let (ours, theirs) = (rows[0]?.value?.double, rows[1]?.value?.double)
        // Even at the same rate, an outage may fall into the part that did not run.
        let hasPart = first.results.isEndedEarly || second.results.isEndedEarly
        let direction =
            response.scope != "all" && response.metric.hasSuffix("_count")
            ? MetricDirection.neutral : MetricDirection(inLoads: response.metric)
        let unit = rows.lazy.compactMap(\.?.unit).first ?? "1"
        return MetricComparison(
            response: response.text,
            unit: unit,
            isShare: SummaryRow.isShare(response.metric, unit: unit),
            direction: direction,
            first: ours,
            second: theirs,
            counts: .liveRuns,
            noise: (ours?.magnitude ?? 0) * options.noise,
            isSame: ours != nil && ours == theirs,
            differingBases: (hasPart ? [MetricComparison.basisOfEarlyEnd] : [])
                + differingBases(of: response, direction),
            // A metric without any value has lost its data. A count of missing things is 0 then, not undefined.
            isLost: !hasPart && ours != nil && theirs == nil && direction != .neutral
        )
    }

    /// Returns the settings that change what a response measures.
    ///
    /// Counts and rates grow with the load. An answer after the timeout has no latency, so a shorter timeout leaves out
    /// slow answers.
    private func differingBases(of response: Response, _ direction: MetricDirection) -> [String] {
        let (metric, isJudged) = (response.metric, direction != .neutral)
        let loads = [first.results, second.results]
        // A search finds its rate and a closed loop has none: in both, the rate setting is only a start value.
        let isSearch =
            loads.allSatisfy {
                $0.settings.contains { ["find_limit", "max_rate"].contains($0.name) && $0.value == "true" }
            }
        let isRate = metric.hasSuffix("_per_second")
        let isOfPlan = isJudged && (metric.hasSuffix("_count") || isRate && !isSearch)
        return (isOfPlan && loads.contains(where: \.isOfSomeShares) ? [MetricComparison.basisOfSomeShares] : [])
            + changes.map(\.path)
            .filter {
                Self.isLength($0) && isJudged || isOfPlan && Self.plan.contains($0)
                    || $0 == "timeout" && Unanswered.isOfAnswers(metric) || response.isRedefined(by: $0)
            }
    }
}

extension [SummaryRow] {
    /// Returns the row of a response; without a statistic, the first row of the metric.
    fileprivate func first(of response: Response) -> SummaryRow? {
        first { row in
            row.metric == response.metric && row.scope == response.scope
                && response.statistic.map { $0 == row.stat } ?? true
        }
    }
}
