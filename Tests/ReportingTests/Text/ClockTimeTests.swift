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
        (TimeSpan.zero, "22:30"), (.seconds(7), "22:30:07"), (.minutes(90), "00:00 +1 d"),
        (.hours(24) + .minutes(90), "00:00 +2 d"),
    ])
    func short(offset: TimeSpan, text: String) {
        #expect(clock.short(.start + offset) == text)
    }

    @Test(arguments: [
        (TimeSpan(microseconds: 7_250_999), "22:30:07.250"), (.minutes(90) + .milliseconds(5), "00:00:00.005 +1 d"),
    ])
    func exact(offset: TimeSpan, text: String) {
        #expect(clock.exact(.start + offset) == text)
    }

    @Test(
        "With a known weekday, later days have names",
        arguments: [
            (TimeSpan.zero, "22:30"), (.minutes(90), "00:00 Sat"), (.hours(48), "22:30 Sun"),
            (.hours(7 * 24), "22:30 Fri +7 d"),
        ]
    )
    func weekdays(offset: TimeSpan, text: String) {
        var scenario = Scenario()
        scenario.clock.start = Scenario.LocalTime(weekday: .friday, timeOfDay: .hours(22) + .minutes(30))
        #expect(ClockTime(scenario).short(.start + offset) == text)
        #expect(ClockTime(scenario).begin == "Fri 22:30" && clock.begin == "22:30")
    }

    @Test
    func axis() {
        #expect(clock.axisMilliseconds(.start + .minutes(90)) == 86_400_000)
        #expect(clock.stretch(from: .start, until: .start + .minutes(15)) == "22:30 to 22:45")
    }
}
