import LiveActivityModel
import Quantities
import Testing

@testable import Reporting

struct ClockTimeTests {
    private var clock: ClockTime {
        var scenario = Scenario()
        scenario.clock.startsAt = .hours(22) + .minutes(30)
        return ClockTime(scenario)
    }

    @Test(arguments: [
        (TimeSpan.zero, "22:30"), (.seconds(7), "22:30:07"), (.minutes(90), "00:00 day 2"),
        (.hours(24) + .minutes(90), "00:00 day 3"),
    ])
    func short(offset: TimeSpan, text: String) {
        #expect(clock.short(.start + offset) == text)
    }

    @Test(arguments: [
        (TimeSpan(microseconds: 7_250_999), "22:30:07.250"), (.minutes(90) + .milliseconds(5), "00:00:00.005 day 2"),
    ])
    func exact(offset: TimeSpan, text: String) {
        #expect(clock.exact(.start + offset) == text)
    }

    @Test(
        "With a known weekday, later days have names",
        arguments: [
            (TimeSpan.zero, "22:30"), (.minutes(90), "00:00 Sat"), (.hours(48), "22:30 Sun"),
            (.hours(7 * 24), "22:30 Fri day 8"),
        ]
    )
    func weekdays(offset: TimeSpan, text: String) {
        var scenario = Scenario()
        scenario.clock.start = Scenario.LocalTime(weekday: .friday, timeOfDay: .hours(22) + .minutes(30))
        #expect(ClockTime(scenario).short(.start + offset) == text)
        #expect(ClockTime(scenario).begin == "Fri 22:30" && clock.begin == "22:30")
        let names = "'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed', 'Thu'"
        #expect(ClockTime(scenario).axisDay == "[\(names)][floor(datum.value / 86400000) % 7]")
        #expect(clock.axisDay == "utcFormat(datum.value, 'day %-d')")
    }

    @Test("In a run of more than a week, the axis numbers days as times do: no two days have the same name")
    func longAxis() {
        var scenario = Scenario()
        scenario.clock.startsAt = .hours(12)
        (scenario.clock.duration, scenario.clock.drain) = (.hours(6 * 24 + 11), .minutes(59))
        let number = "'day ' + (floor(datum.value / 86400000) + 1)"
        #expect(ClockTime(scenario).axisDay == "utcFormat(datum.value, 'day %-d')")
        scenario.clock.drain = .hours(1)
        #expect(ClockTime(scenario).axisDay == number)
        scenario.clock.startsOn = .saturday
        let names = "['Sat', 'Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri'][floor(datum.value / 86400000) % 7]"
        #expect(ClockTime(scenario).axisDay == "\(names) + (datum.value < 604800000 ? '' : ' ' + \(number))")
        #expect(ClockTime(scenario).short(.start + .hours(6 * 24 + 12)) == "00:00 Sat day 8")
    }

    @Test
    func axis() {
        #expect(clock.axisMilliseconds(.start + .minutes(90)) == 86_400_000)
        #expect(clock.stretch(from: .start, until: .start + .minutes(15)) == "22:30 to 22:45")
    }
}
