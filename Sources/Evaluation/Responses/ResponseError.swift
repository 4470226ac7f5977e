import InputFiles
import TextFormats

/// The reason why a text names no response of a scenario, or is no comparison of one.
///
/// The text of the error continues after the location of the value: "must …, got …".
public enum ResponseError: Error, Hashable, Sendable {
    case malformedResponse(String)
    case malformedObjective(String)
    /// A term that is neither a factor nor a metric, with the nearest name and the known factors.
    case unknownTerm(String, nearest: String?, factors: [String])
    case factorOfNoNumbers(String)
    case malformedComparison(String)
    /// A window that ends before it begins, or has no durations.
    case malformedWindow(String)
    /// A window with a local time whose distance from the start of the run is unknown.
    case localWindow(String)
    case unknownMetric(String, nearest: String?)
    /// A name that no row of a load has, with the nearest one and the load's metrics.
    case notOfLoad(String, nearest: String?, known: [String])
    case unknownScope(String, of: String, known: [String])
    case unknownStatistic(String, of: String, known: [String])
    /// A window beyond the measured part of the run, with the reason.
    case unfitWindow(String, of: String)
    /// A metric that is not recorded by window, so that its worst window is unknown.
    case notByWindows(String, known: [String])
    case hasNoWorst(String)
    /// A metric that counts from the start of a history, so that it has no parts.
    case ofHistory(String)
    /// A window that needs a run of its own, which a run merged from tasks does not have.
    case notInTasks(String)
    case unfitConfidence(String)
    case confidenceOfEquality(String)
    /// A threshold of a load with a confidence: a load has no interval.
    case confidenceOfLoad(String)
    /// A threshold of a load over a window.
    case windowOfLoad(String)
    case unfitAmount(String, of: String, allowed: String)
}

extension ResponseError: CustomStringConvertible {
    /// The requirement, the value found and the allowed values.
    public var description: String {
        func quoted(_ text: String) -> String { "\"\(OneLine.excerpt(text, longest: 100))\"" }
        switch self {
        case .malformedResponse(let text):
            return
                "must name a response, got \(quoted(text)); allowed: metric, metric.statistic, metric{scope}.statistic, "
                + "each optionally with @from..to or @worst:width, for example "
                + "age_of_information_us{stage:on_trip}.p95"
        case .malformedObjective(let text):
            return
                "must name a response, a factor or a sum of them, got \(quoted(text)); examples: pushes_per_activity, "
                + "sender.connections, 3 * sender.connections + 0.001 * pushes_sent_count"
        case .unknownTerm(let name, let nearest, let factors):
            return "must consist of metrics and of factors of the design, got \(quoted(name)); "
                + (nearest.map { "did you mean \"\($0)\"?" }
                    ?? "factors: \(factors.joined(separator: ", ")); `freshet metrics` lists the metrics")
        case .factorOfNoNumbers(let name):
            return "must use only factors whose levels are numbers or durations, got \(quoted(name))"
        case .malformedComparison(let text):
            return "must compare a response with a number, got \(quoted(text)); allowed: a response, one of "
                + "\(Relation.allowed) and a number, for example displayed_fresh_time_ratio >= 95%"
        case .malformedWindow(let text):
            return "must be a window with a start and an end, got \(quoted(text)); allowed: @from..to, counted "
                + "from the start of the run, for example @2h..2h30m, or the worst interval of a width, "
                + "for example @worst:5m; in scenario files and goals also local times, for example @18:30..19:00"
        case .localWindow(let text):
            let hasWeekday = text.contains(/[A-Z]/)
            return "must be a window with a start and an end, got \(quoted(text)), which "
                + (hasWeekday
                    ? LocalTimeText.needsWeekday
                    : "needs the start of a scenario; count it from the start of the run, for example @2h..2h30m")
        case .unknownMetric(let name, let nearest):
            return "must name a metric, got \(quoted(name)); "
                + (nearest.map { "did you mean \"\($0)\"?" } ?? "`freshet metrics` lists all")
        case .notOfLoad(let name, let nearest, let known):
            return "must name a metric of this load, got \(quoted(name)); "
                + (nearest.map { "did you mean \"\($0)\"?" } ?? "allowed: \(known.joined(separator: ", "))")
        case .unknownScope(let scope, let metric, let known):
            return
                "must name a scope of \(metric), got \(quoted(scope)); \(Suggestion.advice(for: scope, among: known))"
        case .unknownStatistic(let statistic, let metric, let known):
            return "must name a statistic of \(metric), got \(quoted(statistic)); "
                + Suggestion.advice(for: statistic, among: known)
        case .unfitWindow(let window, let reason):
            return "must cover a measured part of the run, got \(quoted(window)); \(reason)"
        case .notByWindows(let metric, let known):
            return "must be recorded by window for @worst, but \(metric) is not; allowed: "
                + known.joined(separator: ", ")
        case .hasNoWorst(let metric):
            return "must have a better and a worse direction for @worst, but \(metric) has none"
        case .ofHistory(let metric):
            return "must cover the whole run: \(metric) counts from its start, including the warm-up"
        case .notInTasks(let response):
            return
                "must cover the whole run, or whole windows of a metric of timeseries.csv, if a design or a plan "
                + "runs in tasks; \(response) needs a run of its own"
        case .unfitConfidence(let text):
            return "must require a confidence above 50% and below 99.9%, got \(quoted(text)); example: "
                + "displayed_fresh_time_ratio >= 97% with 95%"
        case .confidenceOfEquality(let text):
            return "must compare by < <= > >= to require a confidence, got \(quoted(text))"
        case .confidenceOfLoad(let text):
            return "must not require a confidence, because a live run has no confidence interval; got \(quoted(text))"
        case .windowOfLoad(let text):
            return "must cover the whole load, without a window (`@…`), got \(quoted(text))"
        case .unfitAmount(let text, let response, let allowed):
            return "must compare \(response) with \(allowed), got \(quoted(text))"
        }
    }
}
