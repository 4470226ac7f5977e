import LiveActivityModel
import Quantities

/// Instants of a run as local times of day.
struct ClockTime: Hashable, Sendable {
    /// The time of day at the run's start.
    let startsAt: TimeSpan
    /// The weekday at the run's start; nil if it is unknown.
    private let startsOn: Scenario.Weekday?
    /// `true` if the run has more than seven days, so that a weekday comes twice.
    private let isLong: Bool

    init(_ scenario: Scenario) {
        startsAt = scenario.clock.startsAt
        startsOn = scenario.clock.startsOn
        let end = startsAt + scenario.clock.duration + scenario.clock.drain
        isLong = end.microseconds >= 7 * ClockTime.day
    }

    /// Returns hours and minutes, with seconds unless they are zero: `07:15`, `07:15:30`.
    ///
    /// A later day is named as on the time axes of charts: by its weekday if that is known, `00:10 Sat`, otherwise by
    /// its number, `00:10 day 2`.
    func short(_ instant: Instant) -> String {
        let seconds = sinceMidnight(instant) / 1_000_000
        let rest = seconds % 60
        let text = hoursAndMinutes(seconds) + (rest == 0 ? "" : ":\(Format.twoDigits(rest))")
        return text + laterDay(instant)
    }

    /// The start of the run, with its weekday if it is known: `Fri 22:30`.
    var begin: String { (startsOn.map { "\($0.name) " } ?? "") + short(.start) }

    /// Returns the time truncated to milliseconds: `12:31:07.250`.
    func exact(_ instant: Instant) -> String {
        let milliseconds = sinceMidnight(instant) / 1000
        let seconds = milliseconds / 1000
        let fraction = "\(1000 + milliseconds % 1000)".dropFirst()
        return "\(hoursAndMinutes(seconds)):\(Format.twoDigits(seconds % 60)).\(fraction)\(laterDay(instant))"
    }

    /// Returns an interval: `07:15 to 07:30`.
    func stretch(from: Instant, until: Instant) -> String {
        "\(short(from)) to \(short(until))"
    }

    /// Returns milliseconds since the midnight before the run's start, for time axes.
    func axisMilliseconds(_ instant: Instant) -> Int64 {
        (startsAt.microseconds + instant.microseconds) / 1000
    }

    private static let day: Int64 = 86_400_000_000

    private func sinceMidnight(_ instant: Instant) -> Int64 {
        (startsAt.microseconds + instant.microseconds) % ClockTime.day
    }

    private func laterDay(_ instant: Instant) -> String {
        let days = (startsAt.microseconds + instant.microseconds) / ClockTime.day
        guard let startsOn, days > 0 else { return days == 0 ? "" : " day \(days + 1)" }
        return " \(startsOn.later(by: days).name)" + (days < 7 ? "" : " day \(days + 1)")
    }

    /// The expression of Vega for the day of a midnight on a time axis.
    ///
    /// From the eighth day on, a weekday has its number too, as in ``short(_:)``.
    var axisDay: String {
        let number = "'day ' + (floor(datum.value / 86400000) + 1)"
        guard let startsOn else { return isLong ? number : "utcFormat(datum.value, 'day %-d')" }
        // The axis counts from the midnight before the start.
        let names = (0..<Int64(7)).map { "'\(startsOn.later(by: $0).name)'" }.joined(separator: ", ")
        let weekday = "[\(names)][floor(datum.value / 86400000) % 7]"
        return isLong ? "\(weekday) + (datum.value < \(7 * ClockTime.day / 1000) ? '' : ' ' + \(number))" : weekday
    }

    private func hoursAndMinutes(_ seconds: Int64) -> String {
        "\(Format.twoDigits(seconds / 3600)):\(Format.twoDigits(seconds / 60 % 60))"
    }
}
