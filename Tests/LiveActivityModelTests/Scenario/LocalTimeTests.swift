import LiveActivityModel
import Quantities
import Testing

struct LocalTimeTests {
    private static func time(_ weekday: Scenario.Weekday?, _ hours: Int64) -> Scenario.LocalTime {
        Scenario.LocalTime(weekday: weekday, timeOfDay: .hours(hours))
    }

    @Test(
        "A local time first occurs at or after the start",
        arguments: [
            (time(nil, 16), time(nil, 18), TimeSpan.hours(2)), (time(nil, 16), time(nil, 16), .zero),
            (time(nil, 16), time(nil, 15), .hours(23)), (time(.friday, 16), time(nil, 15), .hours(23)),
            (time(.friday, 16), time(.friday, 18), .hours(2)), (time(.friday, 16), time(.friday, 15), .hours(167)),
            (time(.friday, 16), time(.sunday, 1), .hours(33)), (time(.sunday, 0), time(.monday, 0), .hours(24)),
            (time(nil, 16), time(.friday, 18), nil),
        ]
    )
    func first(start: Scenario.LocalTime, time: Scenario.LocalTime, wait: TimeSpan?) {
        #expect(time.first(after: start) == wait)
    }

    @Test("Weekdays repeat after seven days")
    func weekdays() {
        #expect(Scenario.Weekday.allCases.map(\.name) == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
        #expect(
            [0, 1, 3, 7, 10].map { Scenario.Weekday.friday.later(by: $0).name } == ["Fri", "Sat", "Mon", "Fri", "Mon"]
        )
    }

    @Test("A span later, the day of the week has changed at each midnight")
    func later() {
        let start = Self.time(.friday, 22)
        #expect(start.later(by: .hours(1)) == Self.time(.friday, 23))
        #expect(start.later(by: .hours(2)) == Self.time(.saturday, 0))
        #expect(start.later(by: .hours(8 * 24)) == Self.time(.saturday, 22))
        #expect(Self.time(nil, 22).later(by: .hours(3)) == Self.time(nil, 1))
    }
}
