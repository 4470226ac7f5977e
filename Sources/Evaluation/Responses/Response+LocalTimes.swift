import InputFiles
package import LiveActivityModel
import Quantities

/// Windows at local times: `@18:30..19:00`, `@Fri 23:30..00:30`.
extension Response {
    /// Returns the text of responses, checks or goals with all windows counted from the start of the run.
    ///
    /// A window begins at the first such time in the run and ends at the first such time after its beginning. A window
    /// with another form stays, and so does one on a weekday if the start has none; ``init(parsing:)`` refuses it.
    package static func countingFromStart(_ text: String, at start: Scenario.LocalTime) -> String {
        text.replacing(window) { match in
            guard isLocal(match), let from = span(match.1, after: .zero, start),
                let to = span(match.2, after: from, start)
            else { return String(match.0) }
            return "@\(DurationText.text(from))..\(DurationText.text(to))"
        }
    }

    /// Returns the first window with a local time, without the sign before it; nil if there is none.
    package static func localWindow(in text: String) -> String? {
        text.matches(of: window).first(where: isLocal).map { String($0.0.dropFirst()) }
    }

    private typealias Ends = (Substring, Substring, Substring)

    /// A window with its two ends, each with or without a weekday.
    private static var window: Regex<Ends> {
        /@((?:[A-Z][a-z]{2} )?[0-9a-z:.]+?)\.\.((?:[A-Z][a-z]{2} )?[0-9a-z:.]+)/
    }

    /// Returns `true` for a window of local times, or of a local time and a duration.
    private static func isLocal(_ match: Regex<Ends>.Match) -> Bool {
        let ends = [match.1, match.2].map(String.init)
        let local = ends.filter { LocalTimeText.time($0) != nil }
        return !local.isEmpty && ends.allSatisfy { local.contains($0) || (try? DurationText.span($0)) != nil }
    }

    /// Returns the time from the start of the run to an end of a window; nil if it has another form, or names a weekday
    /// that the start lacks.
    private static func span(
        _ text: Substring,
        after earlier: TimeSpan,
        _ start: Scenario.LocalTime
    ) -> TimeSpan? {
        guard let time = LocalTimeText.time(String(text)) else { return try? DurationText.span(String(text)) }
        return time.first(after: start.later(by: earlier)).map { earlier + $0 }
    }
}
