import InputFiles
public import Quantities

/// A number of a run, named by a text: `metric`, `metric{scope}`, then `.statistic`, then `@from..to` or
/// `@worst:width`.
///
/// `displayed_fresh_time_ratio` · `age_of_information_us.p95` · `pushes_sent_count{kind:retry}` ·
/// `displayed_fresh_time_ratio@2h..2h30m`. Metrics, scopes and statistics are those of `summary.csv`. A window counts
/// from the start of the run, like the times of faults; ``countingFromStart(_:at:)`` converts local times.
/// ``resolve(in:)`` determines whether a scenario has the response.
public struct Response: Hashable, Sendable {
    /// The metric's name.
    public var metric: String
    /// The scope: `all`, or a part.
    public var scope: String
    /// The statistic of the metric; nil for its default: a total, a ratio, a mean or a maximum.
    public var statistic: String?
    /// The part of the run; nil for the whole run.
    public var window: Window?

    /// A part of a run.
    public enum Window: Hashable, Sendable {
        /// The interval from one time to another, without its end.
        case stretch(Range<TimeSpan>)
        /// The worst of all intervals of a width, in whole windows of the time series.
        case worst(TimeSpan)
    }

    /// Creates a response from its parts.
    public init(metric: String, scope: String = "all", statistic: String? = nil, window: Window? = nil) {
        self.metric = metric
        self.scope = scope
        self.statistic = statistic
        self.window = window
    }

    /// Parses a response.
    ///
    /// - Throws: ``ResponseError`` if the text does not have the form of a response.
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

    /// The canonical text, which ``init(parsing:)`` parses to an equal response.
    public var text: String {
        metric + (scope == "all" ? "" : "{\(scope)}") + (statistic.map { ".\($0)" } ?? "")
            + (window.map { "@\(Response.text(of: $0))" } ?? "")
    }

    /// The text of the window, without the sign before it; nil for the whole run.
    package var windowText: String? { window.map(Response.text) }

    /// Returns the text of a window, without the sign before it.
    package static func text(of window: Window) -> String {
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
        else { throw localWindow(in: "@\(text)") == nil ? .malformedWindow(text) : .localWindow(text) }
        return .stretch(from..<to)
    }
}

extension Response {
    /// Returns the response in another scope.
    package func with(scope: String) -> Response {
        var response = self
        response.scope = scope
        return response
    }
}

extension Response: CustomStringConvertible {
    /// The canonical text.
    public var description: String { text }
}
