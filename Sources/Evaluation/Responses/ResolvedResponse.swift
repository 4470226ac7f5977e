import InputFiles
public import LiveActivityModel
public import Quantities
import Statistics
import TextFormats

/// A response that a scenario has: its unit is known, and runs of the scenario can evaluate it.
public struct ResolvedResponse: Sendable {
    /// The response, always with a statistic.
    public let response: Response
    /// The unit of its values: `count`, `us`, `1` for a pure number.
    public let unit: String
    /// `true` if its values are shares of a whole, 0...1.
    public let isShare: Bool
    /// The part of the run that must be measured separately, see ``RunEngine/run(progress:measuring:)``.
    ///
    /// Nil for the whole run, and for windows of the time series.
    public let stretch: Range<TimeSpan>?
    private let metric: Metric
    /// The metric over each interval among which the worst is searched; empty for other responses.
    private let candidates: [Metric]

    init(
        response: Response,
        metric: Metric,
        statistic: Metric.Statistic,
        stretch: Range<TimeSpan>?,
        candidates: [Metric] = []
    ) {
        self.response = response
        self.metric = metric
        self.candidates = candidates
        self.stretch = stretch
        unit = statistic.unit
        isShare = statistic.isShare
    }

    /// The text of the response, without the metric's default statistic.
    public var text: String {
        (response.statistic == metric.usualStatistic ? response.with(statistic: nil) : response).text
    }

    /// Returns the unmet requirement that kept a run from measuring the response; nil if it was measured.
    ///
    /// A value above 0 proves that it was measured: a live server may do what the settings rule out.
    ///
    /// - Parameters:
    ///   - value: The value in a run of the scenario; nil if it is undefined.
    ///   - scenario: The scenario of the run.
    public func unmet(by scenario: Scenario, value: Double?) -> Requirement.Unmet? {
        value ?? 0 == 0 ? metric.unmet(by: scenario) : nil
    }

    /// `true` if some scenarios have runs that cannot show it.
    package var hasRequirements: Bool { !metric.requirements.isEmpty }

    /// Returns the row without its value if the run could not measure it.
    package func measured(_ row: SummaryRow?, in scenario: Scenario) -> SummaryRow? {
        guard var row else { return nil }
        row.unmet = unmet(by: scenario, value: row.value?.double)
        return row.unmet == nil ? row : row.with(nil)
    }

    /// Returns a remark on the part of the response that a run leaves out; nil if it leaves nothing out.
    public func remark(in scenario: Scenario) -> String? {
        metric.requirements.lazy.compactMap { $0.remark(in: scenario) }.first
    }

    /// `true` if it adds up over replications.
    ///
    /// The worst values of replications are averaged instead.
    public var isSum: Bool { candidates.isEmpty && SummaryRow.sums.contains(response.statistic ?? "") }

    /// The sums that the response is a quotient of; nil if it is no quotient, or may be undefined although its parts
    /// are defined.
    package var quotient: Quotient? {
        guard candidates.isEmpty, metric.isDefined == nil, text == response.with(statistic: nil).text else {
            return nil
        }
        let parts = ["numerator", "denominator"].map { response.with(statistic: $0) }
        return switch metric.reading {
        case .ratio: Quotient(parts: parts, perUnit: 1)
        case .rate(_, over: _, let perUnit): Quotient(parts: parts, perUnit: perUnit)
        case .total, .tally, .ramp, .shares, .largest: nil
        }
    }

    /// `true` if the value is a sum or a mean over events, not a quantile, a maximum or a worst window.
    private var isOfEvents: Bool {
        let ofEvents = ["total", "ratio", "rate", "mean", "count", "numerator", "denominator"]
        return candidates.isEmpty && ofEvents.contains(response.statistic ?? "")
    }

    /// The response that is the divisor of a replication's sum, if ``heaviestMove(value:weight:in:)`` needs it.
    package var weight: Response? { isUsual ? metric.weight : nil }

    private var isUsual: Bool {
        candidates.isEmpty && metric.usualStatistic == response.statistic
    }

    /// Returns the change of one replication's value by the ride with the most weight; 0 if no ride outweighs the
    /// others.
    ///
    /// - Parameter weight: The mean divisor of a replication's sum, see ``weight``.
    package func heaviestMove(value: Double, weight: Double?, in scenario: Scenario) -> Double {
        isUsual ? metric.heaviestMove(value: value, weight: weight, in: scenario) : 0
    }

    /// Returns the change of one replication's value by the heaviest ride of a result.
    package func heaviestMove(in result: RunResult) -> Double {
        let result = measured(in: result)
        guard isUsual, let part = metric.part(of: result.total), part.denominator > 0 else { return 0 }
        return metric.heaviestMove(
            value: part.numerator / part.denominator,
            weight: part.denominator / Double(result.replications),
            in: result.scenario
        )
    }

    /// Returns the change of the mean of some replications' values by one event of the heaviest kind, for
    /// ``DifferenceRule``.
    ///
    /// - Parameter heaviest: The change of one value by the heaviest ride.
    package func eventSize(of values: [Double], heaviest: Double) -> Double {
        guard isOfEvents, !values.isEmpty else { return 0 }
        return max(DifferenceRule.eventSize(of: values, isShare: isShare), heaviest / Double(values.count))
    }

    /// Returns the change of the mean by one event of the heaviest kind, with the heaviest ride that the scenario makes
    /// likely.
    package func eventSize(of values: [Double], in scenario: Scenario) -> Double {
        let mean = values.reduce(0, +) / Double(max(1, values.count))
        return eventSize(of: values, heaviest: heaviestMove(value: mean, weight: nil, in: scenario))
    }

    /// Evaluates the response in a run, with its interval.
    ///
    /// - Precondition: The run is of the scenario that the response was resolved in, or of one with the same stages,
    ///   thresholds and windows; it has measured ``stretch``.
    /// - Complexity: The cost of adding up the run's parts; far below the cost of a whole ``Summary``.
    public func row(in result: RunResult, at level: Double = 0.95) -> SummaryRow? {
        guard candidates.isEmpty else {
            return result.replications == 1 ? row(in: result, replication: 0) : worstRow(in: result, at: level)
        }
        return row(SummarySource([metric], of: measured(in: result), level: level))
    }

    /// Evaluates the response in a run, with its interval at a given level.
    ///
    /// A summary has no intervals of quantiles. Their interval is computed from the replications' values.
    ///
    /// - Parameter level: The level; nil for the row of the summary.
    /// - Precondition: As for ``row(in:)``; the level is above 0 and below 1.
    package func row(in result: RunResult, level: Double?) -> SummaryRow? {
        guard let level, let found = row(in: result, at: level) else { return row(in: result) }
        return found.interval == nil && found.gap == nil ? found.spread(by: self, over: result, level: level) : found
    }

    /// Returns the mean over replications of the worst value of each, with Student's interval.
    ///
    /// The worst of all replications together would not do: jams at different times would average out, and the value
    /// would fall with their number.
    private func worstRow(in result: RunResult, at level: Double) -> SummaryRow? {
        let rows = (0..<result.replications).compactMap { row(in: result, replication: $0) }
        guard let first = rows.first else { return nil }
        let values = rows.compactMap { $0.value?.double }
        guard values.count == result.replications else { return first.with(nil) }
        let mean = values.reduce(0, +) / Double(values.count)
        return first.with(.decimal(mean)).spread(values, level: level)
    }

    /// Evaluates the response in one replication of a run, without an interval.
    ///
    /// - Precondition: As for ``row(in:)``; `replication` is one of the result's, counted from 0.
    public func row(in result: RunResult, replication: Int) -> SummaryRow? {
        let result = measured(in: result)
        return row(SummarySource([metric] + candidates, of: result.perReplication[replication], in: result.scenario))
    }

    /// Returns the response's value in a run; nil if it is undefined, as a share of nothing is.
    public func value(in result: RunResult) -> Double? {
        row(in: result)?.value?.double
    }

    /// Rejects a response that needs a part of the run to be measured separately.
    package func requireNoStretch() throws(ResponseError) {
        if stretch != nil { throw .notInTasks(text) }
    }

    /// Returns the run, or the part of it that the response covers.
    private func measured(in result: RunResult) -> RunResult {
        guard let stretch else { return result }
        guard let part = result.stretches.first(where: { $0.window == stretch }) else {
            preconditionFailure("\(text) needs a part of the run that was not measured")
        }
        return part.result
    }

    /// Returns the row of the metric, or of its worst interval.
    private func row(_ source: SummarySource) -> SummaryRow? {
        let rows = source.rows.map { rows in rows.first { $0.stat == response.statistic } }
        guard rows.count > 1 else { return rows[0] }
        // The worst of many values is not a mean, so it has no interval of its own.
        let values = rows.dropFirst().compactMap(\.self).filter { $0.value != nil }
        let isLowerBetter = metric.isWorstAtItsHighest || MetricDirection(of: response) == .lower
        let rising = values.map { $0.value?.double ?? 0 }
        let worst = isLowerBetter ? rising.max() : rising.min()
        return values.first { $0.value?.double == worst } ?? rows[0]?.with(nil)
    }
}

extension Response {
    /// Returns the response with another statistic.
    package func with(statistic: String?) -> Response {
        Response(metric: metric, scope: scope, statistic: statistic, window: window)
    }

    /// Resolves the response in a scenario.
    ///
    /// - Throws: ``ResponseError`` if the scenario lacks the metric, scope, statistic or window.
    public func resolve(in scenario: Scenario) throws(ResponseError) -> ResolvedResponse {
        try resolve(in: scenario, by: MetricCatalog(of: scenario))
    }

    /// Resolves the response in a scenario with known metrics.
    ///
    /// Apart from these, only the scenario's clock matters.
    package func resolve(in scenario: Scenario, by catalog: MetricCatalog) throws(ResponseError) -> ResolvedResponse {
        let named = catalog.metrics.filter { $0.name == metric }
        guard !named.isEmpty else {
            throw .unknownMetric(
                metric,
                nearest: Suggestion.nearestOrLonger(to: metric, among: catalog.metrics.map(\.name).unique)
            )
        }
        guard var found = named.first(where: { $0.scope == scope }) else {
            throw .unknownScope(scope, of: metric, known: named.map(\.scope))
        }
        let statistics = found.statistics
        let asked = statistics.first { statistic in self.statistic.map { $0 == statistic.name } ?? statistic.isUsual }
        guard let asked else { throw .unknownStatistic(statistic ?? "", of: metric, known: statistics.map(\.name)) }
        let response = with(statistic: asked.name)
        var stretch: Range<TimeSpan>?
        var candidates: [Metric] = []
        switch window {
        case nil: break
        case .stretch(let part):
            if found.isOfHistory { throw .ofHistory(metric) }
            try checkWindow(part, in: scenario.clock)
            if let known = windows(of: part, in: scenario.clock).flatMap({ found.over(windows: $0) }) {
                found = known
            } else {
                stretch = part
            }
        case .worst(let width):
            candidates = try response.candidates(of: found, width: width, in: scenario.clock, by: catalog)
        }
        return ResolvedResponse(
            response: response,
            metric: found,
            statistic: asked,
            stretch: stretch,
            candidates: candidates
        )
    }

    /// Returns the metric over each interval of a width that begins with a window of the time series.
    private func candidates(of found: Metric, width: TimeSpan, in clock: Scenario.Clock, by catalog: MetricCatalog)
        throws(ResponseError) -> [Metric]
    {
        func unfit(_ reason: String) -> ResponseError {
            .unfitWindow("@\(Response.text(of: .worst(width)))", of: reason)
        }
        guard found.over(windows: 0..<1) != nil else {
            throw .notByWindows(
                found.name,
                known: catalog.metrics
                    .filter { $0.over(windows: 0..<1) != nil && Response(metric: $0.name).hasWorst(of: $0) }
                    .map(\.name).unique
            )
        }
        guard hasWorst(of: found) else { throw .hasNoWorst(text) }
        let step = clock.window.microseconds
        guard width.microseconds.isMultiple(of: step) else {
            throw unfit("it must be a whole number of windows of clock.window: \(DurationText.text(clock.window))")
        }
        // A window cut by the warm-up or by the end of the run is narrower than the others.
        let first = Int((clock.warmUp.microseconds + step - 1) / step)
        // In the drain, the last rides and cards left behind say little about a share of time.
        let end = found.columns == nil ? clock.duration + clock.drain : clock.duration
        let last = Int(end.microseconds / step)
        let count = Int(width.microseconds / step)
        guard first + count <= last else { throw unfit("the measured part has fewer whole windows") }
        return (first...(last - count)).compactMap { found.over(windows: $0..<($0 + count)) }
    }

    /// Returns `true` if the metric has a worse direction.
    private func hasWorst(of metric: Metric) -> Bool {
        let isUsual = metric.statistics.contains { $0.isUsual && $0.name == statistic ?? $0.name }
        return metric.isWorstAtItsHighest && isUsual || MetricDirection(of: self) != .neutral
    }

    /// Rejects an interval that reaches beyond the measured part of the run.
    private func checkWindow(_ stretch: Range<TimeSpan>, in clock: Scenario.Clock) throws(ResponseError) {
        let end = clock.duration + clock.drain
        func unfit(_ reason: String) -> ResponseError {
            .unfitWindow("@\(Response.text(of: .stretch(stretch)))", of: reason)
        }
        guard stretch.upperBound <= end else { throw unfit("the run ends after \(DurationText.text(end))") }
        guard stretch.lowerBound >= clock.warmUp else {
            throw unfit("clock.warm_up leaves out the first \(DurationText.text(clock.warmUp))")
        }
    }

    /// Returns the windows of the time series that an interval consists of; nil if it cuts one.
    private func windows(of stretch: Range<TimeSpan>, in clock: Scenario.Clock) -> Range<Int>? {
        let width = clock.window.microseconds
        let end = clock.duration.microseconds + clock.drain.microseconds
        let (from, to) = (stretch.lowerBound.microseconds, stretch.upperBound.microseconds)
        // A window cut by the warm-up begins at the end of the warm-up, as in `timeseries.csv`.
        let begins = from.isMultiple(of: width) || from == clock.warmUp.microseconds
        guard begins, to.isMultiple(of: width) || to == end else { return nil }
        return Int(from / width)..<Int((to - 1) / width + 1)
    }
}
