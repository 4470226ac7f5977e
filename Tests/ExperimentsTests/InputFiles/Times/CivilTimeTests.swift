import Testing

@testable import InputFiles

@Suite("Civil time")
struct CivilTimeTests {
    @Test(
        "Times are converted to microseconds since 1970",
        arguments: [
            ("1970-01-01T00:00:00", 0),
            ("1970-01-01 00:00:01", 1_000_000),
            ("1969-12-31T23:59:59", -1_000_000),
            ("2016-03-29T19:00:49", 1_459_278_049_000_000),
            ("2000-02-29T12:00:00", 951_825_600_000_000),
            ("2026-11-21T00:00:00.5", 1_795_219_200_500_000),
            ("1970-01-01T00:00:00.000001", 1),
            ("1970-01-01T00:00:00.123456789", 123_456),
            ("0001-01-01T00:00:00", -62_135_596_800_000_000),
            ("9999-12-31T23:59:59.999999", 253_402_300_799_999_999),
        ] as [(String, Int64)]
    )
    func sound(text: String, expected: Int64) {
        #expect(CivilTime.microseconds(of: Array(text.utf8)[...]) == expected)
    }

    @Test(
        "Other texts are rejected",
        arguments: [
            "", "2016-03-29", "2016-03-29T19:00", "2016-03-29T19:00:4", "2016-03-29t19:00:49", "2016-03-29T19:00:49.",
            "2016-03-29T19:00:49Z", "2016-03-29T19:00:49+01:00", "2016-03-29T19:00:49.1234567890",
            "2016-03-29T19:00:49.12x", "2016-03-29T19:00:49,5", " 2016-03-29T19:00:49", "2016-03-29T19:00:49 ",
            "2016/03/29T19:00:49", "2016-03-29T19-00-49", "2016-3-29T19:00:490", "0000-01-01T00:00:00",
            "2016-00-01T00:00:00", "2016-13-01T00:00:00", "2016-01-00T00:00:00", "2016-01-32T00:00:00",
            "2016-04-31T00:00:00", "2015-02-29T00:00:00", "1900-02-29T00:00:00", "2016-02-30T00:00:00",
            "2016-03-29T24:00:00", "2016-03-29T19:60:00", "2016-03-29T19:00:60", "-016-03-29T19:00:49",
            "2016-03-29T+9:00:49", "٢٠١٦-03-29T19:00:49", "NaT", "03/29/2016 07:00:49 PM",
        ]
    )
    func refused(text: String) {
        #expect(CivilTime.microseconds(of: Array(text.utf8)[...]) == nil)
    }

    @Test("Each day follows the previous one")
    func successiveDays() {
        var expected = CivilTime.days(toYear: 1, month: 1, day: 1) ?? 0
        var days = 0
        // A full calendar cycle (400 years) and the years around 1970.
        for year in Int64(1)...2030 where year <= 402 || year >= 1960 {
            if year == 1960 { expected = CivilTime.days(toYear: 1960, month: 1, day: 1) ?? 0 }
            for month in Int64(1)...12 {
                for day in Int64(1)...31 {
                    guard let found = CivilTime.days(toYear: year, month: month, day: day) else { continue }
                    if found != expected { Issue.record("\(year)-\(month)-\(day) is day \(found), not \(expected)") }
                    expected = found + 1
                    days += 1
                }
            }
        }
        #expect(days == 146_097 + 730 + 71 * 365 + 18)
        #expect(expected == CivilTime.days(toYear: 2031, month: 1, day: 1))
    }

    @Test(
        "The time of day counts from midnight, also before 1970",
        arguments: [(0, 0), (86_400_000_001, 1), (-1, 86_399_999_999), (-86_400_000_000, 0)] as [(Int64, Int64)]
    )
    func timeOfDay(microseconds: Int64, expected: Int64) {
        #expect(CivilTime.timeOfDay(microseconds) == expected)
    }
}
