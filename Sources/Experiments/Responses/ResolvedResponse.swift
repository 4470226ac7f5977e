public import LiveActivityModel
public import Quantities

/// A response that a scenario has: what it measures is known, and runs of the scenario can be asked for it.
public struct ResolvedResponse: Sendable {
    /// The response, with a statistic even where none was written.
    public let response: Response
    /// The unit of its values: `count`, `us`, `1` for a pure number.
    public let unit: String
    /// Whether its values are parts of a whole, 0...1.
    public let isShare: Bool
    /// The part of the run that must have been measured by itself, see ``RunEngine/run(progress:measuring:)``.
    ///
    /// Nil for the whole run, and for what the time series tells of its windows.
    public let stretch: Range<TimeSpan>?
    private let metric: Metric

    init(response: Response, metric: Metric, statistic: Metric.Statistic, stretch: Range<TimeSpan>?) {
        self.response = response
        self.metric = metric
        self.stretch = stretch
        unit = statistic.unit
        isShare = statistic.isShare
    }

    /// The response as it is written, without the statistic that the metric is known by.
    public var text: String {
        var response = response
        if response.statistic == metric.statistics.first(where: \.isUsual)?.name { response.statistic = nil }
        return response.text
    }

    /// The response of a run, with its interval.
    ///
    /// - Precondition: The run is of the scenario in which the response was resolved, or of one with the same stages,
    ///   thresholds and windows; it has measured ``stretch``.
    /// - Complexity: That of adding up the run's parts; far below that of a whole ``Summary``.
    public func row(in result: RunResult) -> SummaryRow? {
        row(SummarySource(measured(in: result)))
    }

    /// The response of one replication of a run, without an interval.
    ///
    /// - Precondition: As for ``row(in:)``; `replication` is one of the result's, counted from 0.
    public func row(in result: RunResult, replication: Int) -> SummaryRow? {
        row(SummarySource(measured(in: result), replication: replication))
    }

    /// The response of a run; nil when it is undefined, as a share of nothing is.
    public func value(in result: RunResult) -> Double? {
        row(in: result)?.value?.double
    }

    /// The response of a run by its summary; nil when it is undefined, and for a response over a window.
    public func value(in summary: Summary) -> Double? {
        guard response.window == nil else { return nil }
        return summary.row(response.metric, response.statistic ?? "", scope: response.scope)?.value?.double
    }

    /// Refuses a response that needs a part of the run measured by itself.
    func requireNoStretch() throws(ResponseError) {
        if stretch != nil { throw .notInTasks(text) }
    }

    /// The run, or the part of it that the response is about.
    private func measured(in result: RunResult) -> RunResult {
        guard let stretch else { return result }
        guard let part = result.stretches.first(where: { $0.window == stretch }) else {
            preconditionFailure("\(text) needs a part of the run that was not measured")
        }
        return part.result
    }

    private func row(_ source: SummarySource) -> SummaryRow? {
        metric.rows(source).first { $0.stat == response.statistic }
    }
}

extension Response {
    /// Finds the response among those of a scenario.
    ///
    /// - Throws: What the scenario does not have: metric, scope, statistic or window.
    public func resolve(in scenario: Scenario) throws(ResponseError) -> ResolvedResponse {
        try resolve(in: scenario, by: MetricCatalog(of: scenario))
    }

    /// Finds the response among those of a scenario.
    ///
    /// - Parameter catalog: The scenario's metrics.
    func resolve(in scenario: Scenario, by catalog: MetricCatalog) throws(ResponseError) -> ResolvedResponse {
        let named = catalog.metrics.filter { $0.name == metric }
        guard !named.isEmpty else {
            throw .unknownMetric(metric, nearest: Suggestion.nearest(to: metric, among: catalog.metrics.map(\.name)))
        }
        guard var found = named.first(where: { $0.scope == scope }) else {
            throw .unknownScope(scope, of: metric, known: named.map(\.scope))
        }
        let statistics = found.statistics
        let asked = statistics.first { statistic in self.statistic.map { $0 == statistic.name } ?? statistic.isUsual }
        guard let asked else {
            throw .unknownStatistic(statistic ?? "", of: metric, known: statistics.map(\.name))
        }
        var stretch = window
        if let window {
            if found.isOfHistory { throw .ofHistory(metric) }
            try checkWindow(window, in: scenario.clock)
            if let part = windows(of: window, in: scenario.clock).flatMap({ found.over(windows: $0) }) {
                found = part
                stretch = nil
            }
        }
        var response = self
        response.statistic = asked.name
        return ResolvedResponse(response: response, metric: found, statistic: asked, stretch: stretch)
    }

    /// Refuses a stretch of the run that reaches beyond what is measured.
    private func checkWindow(_ stretch: Range<TimeSpan>, in clock: Scenario.Clock) throws(ResponseError) {
        let end = clock.duration + clock.drain
        func unfit(_ reason: String) -> ResponseError { .unfitWindow("@\(Response.text(of: stretch))", of: reason) }
        guard stretch.upperBound <= end else {
            throw unfit("the run ends after \(DurationText.text(end))")
        }
        guard stretch.lowerBound >= clock.warmUp else {
            throw unfit("the first \(DurationText.text(clock.warmUp)) are left out by clock.warm_up")
        }
    }

    /// The windows of the time series that a stretch of the run consists of; nil when it cuts one.
    private func windows(of stretch: Range<TimeSpan>, in clock: Scenario.Clock) -> Range<Int>? {
        let width = clock.window.microseconds
        let end = clock.duration.microseconds + clock.drain.microseconds
        let (from, to) = (stretch.lowerBound.microseconds, stretch.upperBound.microseconds)
        // A window that the warm-up cuts begins with its end, as in timeseries.csv.
        let begins = from.isMultiple(of: width) || from == clock.warmUp.microseconds
        guard begins, to.isMultiple(of: width) || to == end else { return nil }
        return Int(from / width)..<Int((to - 1) / width + 1)
    }
}
