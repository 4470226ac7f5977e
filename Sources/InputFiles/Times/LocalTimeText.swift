package import LiveActivityModel
import Quantities

/// Local times as text: `18:00`, `18:00:30` or `Fri 18:00`.
package enum LocalTimeText {
    package static let allowed = #""00:00" … "23:59:59", also with a weekday: "Fri 18:00""#

    /// The notation in words, for lists of keys.
    package static let form = "a local time such as 18:00 or Fri 18:00"

    package static let pattern = "^((Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"

    /// The reason why a time on a weekday has no place in a run whose start has none.
    package static let needsWeekday = "needs the weekday of the start: write it in clock.starts_at, such as Fri 16:00"

    /// Returns the text of a local time, with seconds unless they are zero.
    package static func text(_ time: Scenario.LocalTime) -> String {
        let seconds = time.timeOfDay.microseconds / 1_000_000
        let parts = [seconds / 3600, seconds / 60 % 60] + (seconds % 60 == 0 ? [] : [seconds % 60])
        return (time.weekday.map { "\($0.name) " } ?? "")
            + parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// Reads a local time; nil for any other text.
    package static func time(_ text: String) -> Scenario.LocalTime? {
        let weekday = Scenario.Weekday.allCases.first { text.hasPrefix("\($0.name) ") }
        let text = weekday.map { String(text.dropFirst($0.name.count + 1)) } ?? text
        guard text.hasForm("00:00") || text.hasForm("00:00:00") else { return nil }
        let parts = text.split(separator: ":").map { Int64($0) ?? 0 }
        guard parts[0] < 24, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let time = zip(parts, [3600, 60, 1]).reduce(TimeSpan.zero) { $0 + .seconds($1.0 * $1.1) }
        return Scenario.LocalTime(weekday: weekday, timeOfDay: time)
    }
}
