import LiveActivityModel
import Quantities

/// Instants of a run as local times of day.
struct ClockTime: Hashable, Sendable {
    /// The time of day at the run's start.
    let startsAt: TimeSpan
    /// The weekday at the run's start; nil if it is unknown.
    private let startsOn: Scenario.Weekday?

    init(_ scenario: Scenario) {
        startsAt = scenario.clock.startsAt
        startsOn = scenario.clock.startsOn
    }

    /// Returns hours and minutes, with seconds unless they are zero: `07:15`, `07:15:30`, or `00:10 +1 d` for the next
    /// day.
    ///
    /// If the weekday is known, a later day has its name: `00:10 Sat`.
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
        guard let startsOn, days > 0 else { return days == 0 ? "" : " +\(days) d" }
        return " \(startsOn.later(by: days).name)" + (days < 7 ? "" : " +\(days) d")
    }

    private func hoursAndMinutes(_ seconds: Int64) -> String {
        "\(Format.twoDigits(seconds / 3600)):\(Format.twoDigits(seconds / 60 % 60))"
    }
}
