/// Why a text names no response of a scenario, or is no comparison of one.
///
/// The text of the error goes on after the place of the value: "must …, got …".
public enum ResponseError: Error, Hashable, Sendable {
    case malformedResponse(String)
    case malformedObjective(String)
    /// A term that is neither a factor nor a metric; the nearest name that is, and the factors that there are.
    case unknownTerm(String, nearest: String?, factors: [String])
    case factorOfNoNumbers(String)
    case malformedComparison(String)
    /// The window begins after its end, or states no durations.
    case malformedWindow(String)
    case unknownMetric(String, nearest: String?)
    case unknownScope(String, of: String, known: [String])
    case unknownStatistic(String, of: String, known: [String])
    /// The window reaches beyond what is measured; why.
    case unfitWindow(String, of: String)
    /// The metric is not kept by windows, so none of them is known to be the worst.
    case notByWindows(String, known: [String])
    case hasNoWorst(String)
    /// The metric counts a history from its start, so there is none of a part.
    case ofHistory(String)
    /// The window needs a run of its own, which there is none of where a run is put together from tasks.
    case notInTasks(String)
    case unfitConfidence(String)
    case confidenceOfEquality(String)
    case unfitAmount(String, of: String, allowed: String)
}

extension ResponseError: CustomStringConvertible {
    /// What must hold, what was found and what is allowed.
    public var description: String {
        func quoted(_ text: String) -> String { "\"\(OneLine.excerpt(text, longest: 100))\"" }
        switch self {
        case .malformedResponse(let text):
            return
                "must name a response, got \(quoted(text)); allowed: metric, metric.statistic, metric{scope}.statistic, "
                + "each also with @from..to or @worst:width, as age_of_information_us{stage:on_trip}.p95"
        case .malformedObjective(let text):
            return
                "must name a response, a factor or a sum of them, got \(quoted(text)); allowed: as pushes_per_activity, "
                + "sender.connections, 3 * sender.connections + 0.001 * pushes_sent_count"
        case .unknownTerm(let name, let nearest, let factors):
            return "must be made of metrics and of factors that are varied, got \(quoted(name)); "
                + (nearest.map { "did you mean \"\($0)\"?" }
                    ?? "factors: \(factors.joined(separator: ", ")); `freshet metrics` lists the metrics")
        case .factorOfNoNumbers(let name):
            return "must count factors whose levels are numbers or durations, got \(quoted(name))"
        case .malformedComparison(let text):
            return "must compare a response with a number, got \(quoted(text)); allowed: a response, one of "
                + "\(Relation.allowed), a number, as displayed_fresh_time_ratio >= 95%"
        case .malformedWindow(let text):
            return "must state a window by its beginning and its end, got \(quoted(text)); allowed: @from..to, counted "
                + "from the start of the run, as @2h..2h30m, or the worst stretch of a width, as @worst:5m"
        case .unknownMetric(let name, let nearest):
            return "must name a metric, got \(quoted(name)); "
                + (nearest.map { "did you mean \"\($0)\"?" } ?? "`freshet metrics` lists all")
        case .unknownScope(let scope, let metric, let known):
            return
                "must name a scope of \(metric), got \(quoted(scope)); \(Suggestion.advice(for: scope, among: known))"
        case .unknownStatistic(let statistic, let metric, let known):
            return "must name a statistic of \(metric), got \(quoted(statistic)); "
                + Suggestion.advice(for: statistic, among: known)
        case .unfitWindow(let window, let reason):
            return "must be over a part of what is measured, got \(quoted(window)); \(reason)"
        case .notByWindows(let metric, let known):
            return "must be kept by windows, for the worst to be found: \(metric) is not; allowed: "
                + known.joined(separator: ", ")
        case .hasNoWorst(let metric):
            return "must have a better and a worse, for the worst to be found: \(metric) has not"
        case .ofHistory(let metric):
            return "must be over the whole run: \(metric) counts from its start, warm-up and all"
        case .notInTasks(let response):
            return
                "must be over the whole run or over whole windows of what timeseries.csv keeps, where a design or a plan "
                + "is run in tasks; \(response) needs a run of its own"
        case .unfitConfidence(let text):
            return "must ask for a confidence above 50% and below 99.9%, got \(quoted(text)); allowed: as "
                + "displayed_fresh_time_ratio >= 97% with 95%"
        case .confidenceOfEquality(let text):
            return "must compare by < <= > >= where it asks for a confidence, got \(quoted(text))"
        case .unfitAmount(let text, let response, let allowed):
            return "must compare \(response) with \(allowed), got \(quoted(text))"
        }
    }
}
