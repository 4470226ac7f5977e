public import Quantities

/// A number that is read off a run, by a text: `metric`, `metric{scope}`, then `.statistic`, then `@from..to`
/// or `@worst:width`.
///
/// `displayed_fresh_time_ratio` · `age_of_information_us.p95` · `pushes_sent_count{kind:retry}` ·
/// `displayed_fresh_time_ratio@2h..2h30m`. Metrics, scopes and statistics are those of `summary.csv`; a window counts from
/// the start of the run, as the times of faults do. Whether a scenario has it is for ``resolve(in:)`` to say.
public struct Response: Hashable, Sendable {
    /// The metric's name.
    public var metric: String
    /// Over what: `all`, or a part of it.
    public var scope: String
    /// Which statistic of the metric; nil for the one that it is known by: a total, a ratio, a mean, a maximum.
    public var statistic: String?
    /// The part of the run; nil for the whole run.
    public var window: Window?

    /// A part of a run.
    public enum Window: Hashable, Sendable {
        /// From one time to another, the end not included.
        case stretch(Range<TimeSpan>)
        /// The worst of all stretches of a width, in whole windows of the time series.
        case worst(TimeSpan)
    }

    /// A response by its parts.
    public init(metric: String, scope: String = "all", statistic: String? = nil, window: Window? = nil) {
        self.metric = metric
        self.scope = scope
        self.statistic = statistic
        self.window = window
    }

    /// Reads a response.
    ///
    /// - Throws: When the text is not of the form.
    public init(parsing text: String) throws(ResponseError) {
        guard
            let match = text.wholeMatch(
                of: /([a-z0-9_]{1,64})(?:\{([^{}]{1,128})\})?(?:\.([a-z0-9_]{1,32}))?(?:@(.+))?/
            )
        else { throw .malformedResponse(text) }
        self.init(
            metric: String(match.1),
            scope: match.2.map(String.init) ?? "all",
            statistic: match.3.map(String.init),
            window: try match.4.map { part throws(ResponseError) in try Response.window(String(part)) }
        )
    }

    /// The response in one way of writing it, which ``init(parsing:)`` reads as an equal one.
    public var text: String {
        metric + (scope == "all" ? "" : "{\(scope)}") + (statistic.map { ".\($0)" } ?? "")
            + (window.map { "@\(Response.text(of: $0))" } ?? "")
    }

    /// The part of the run as it is written, without the sign before it; nil for the whole run.
    package var windowText: String? { window.map(Response.text) }

    /// A window as it is written, without the sign before it.
    static func text(of window: Window) -> String {
        switch window {
        case .stretch(let stretch):
            "\(DurationText.text(stretch.lowerBound))..\(DurationText.text(stretch.upperBound))"
        case .worst(let width):
            "worst:\(DurationText.text(width))"
        }
    }

    private static func window(_ text: String) throws(ResponseError) -> Window {
        if text.hasPrefix("worst:") {
            guard let width = try? DurationText.span(String(text.dropFirst(6))), width > .zero else {
                throw .malformedWindow(text)
            }
            return .worst(width)
        }
        let parts = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let from = try? DurationText.span(parts[0]), let to = try? DurationText.span(parts[1]),
            from < to
        else { throw .malformedWindow(text) }
        return .stretch(from..<to)
    }
}

extension Response: CustomStringConvertible {
    /// The same as ``text``.
    public var description: String { text }
}
