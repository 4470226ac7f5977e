import LiveActivityModel
import Testing

@testable import InputFiles

@Suite("Times of data files")
struct MomentTests {
    private static let hour: Int64 = 3_600_000_000

    /// 2026-07-14T18:00:00Z by `date -u +%s`.
    private static let six: Int64 = 1_784_052_000_000_000

    @Test(
        "Every common format is one instant, with its zone",
        arguments: [
            ("2026-07-14T18:00:00", nil), ("2026-07-14 18:00", nil), ("2026/07/14 18:00:00", nil),
            ("07/14/2026 06:00:00 PM", nil), ("7/14/2026 18:00:00", nil), ("14.07.2026 18:00:00", nil),
            ("2026-07-14T18:00:00Z", 0), ("2026-07-14t18:00:00z", 0), ("2026-07-14 18:00:00 UTC", 0),
            ("2026-07-14 18:00:00.000000 UTC", 0), ("2026-07-14T18:00:00.000000+00:00", 0),
            ("2026-07-14 18:00:00+00", 0), ("2026-07-14T18:00:00+0000", 0), ("2026-07-14T14:00:00-04:00", -4),
            ("2026-07-14 11:00:00 -0700", -7), ("2026-07-14T20:00+02", 2), ("2026-07-14 18:00:00 +0000 UTC", 0),
            ("2026-07-14T14:00:00-04:00[America/New_York]", -4), ("1784052000", 0), ("1784052000.000", 0),
            ("1784052000000", 0), ("1784052000000000", 0), ("1784052000000000000", 0), ("1.784052e9", 0),
            (" 2026-07-14T18:00:00Z ", 0), ("14/Jul/2026:18:00:00 +0000", 0), ("[14/Jul/2026:20:00:00 +0200]", 2),
            ("Tue, 14 Jul 2026 18:00:00 GMT", 0), ("14 Jul 2026 18:00:00 +0000", 0), ("14-Jul-2026 18:00:00", nil),
            ("Jul 14, 2026 @ 18:00:00.000", nil), ("July 14, 2026 6:00 PM", nil), ("20260714T180000Z", 0),
            ("20260714T180000.000", nil), ("20260714T18:00:00+0000", 0), ("2026-07-14T18:00:00Z[UTC]", 0),
            ("2026-07-14T18:00:00[UTC]", 0), ("2026-07-14T20:00:00[Europe/Berlin]", 2),
            ("2026-07-14T20:00:00+02:00[Europe/Berlin]", 2), ("2026-07-14 20:00:00 Europe/Berlin", 2),
            ("2026-07-14T14:00[America/New_York]", -4),
        ] as [(String, Int64?)]
    )
    func forms(text: String, hoursAhead: Int64?) throws {
        let moment = try #require(Moment(Array(text.utf8)[...]))
        #expect(moment.microseconds == Self.six)
        #expect(moment.offset == hoursAhead.map { $0 * Self.hour })
        #expect(moment.timeOfDay == (18 + (hoursAhead ?? 0)) * Self.hour)
    }

    @Test(
        "Fractions to the microsecond",
        arguments: [
            "2026-07-14T18:00:00.25Z", "2026-07-14 18:00:00,250 UTC", "2026-07-14T18:00:00.250000999+00:00",
            "1784052000.25", "1784052000250", "1784052000250.0", "1784052000250000", "1784052000250000777",
        ]
    )
    func fractions(text: String) throws {
        #expect(try #require(Moment(Array(text.utf8)[...])).microseconds == Self.six + 250_000)
    }

    /// The instants by `date -u -d`.
    @Test(
        "Near a clock change a named zone uses the earlier offset if both fit",
        arguments: [
            ("2026-03-29T01:59:59", 1), ("2026-03-29T03:00:00", 2), ("2026-03-29T02:30:00", 1),
            ("2026-10-25T01:59:59", 2), ("2026-10-25T02:30:00", 2), ("2026-10-25T03:00:00", 1),
        ]
    )
    func namedZones(text: String, hoursAhead: Int64) throws {
        let moment = try #require(Moment(Array("\(text)[Europe/Berlin]".utf8)[...]))
        #expect(moment.offset == hoursAhead * Self.hour)
    }

    @Test("The caller decides the order of day and month if both are numbers", arguments: ["14/07/2026", "14-07-2026"])
    func dayFirst(date: String) throws {
        let cell = Array("\(date) 18:00:00".utf8)[...]
        #expect(Moment(cell) == nil)
        #expect(try #require(Moment(cell, order: .dayFirst)).microseconds == Self.six)
        #expect(Moment.isTime(cell))
    }

    @Test("Midnight and noon with AM and PM", arguments: [("12:00:00 AM", 0), ("12:30:00 am", 30), ("12:00 PM", 720)])
    func twelveHours(time: String, minutes: Int64) throws {
        let moment = try #require(Moment(Array("7/14/2026 \(time)".utf8)[...]))
        #expect(moment.timeOfDay == minutes * 60_000_000)
    }

    @Test(
        "Other texts are rejected",
        arguments: [
            "", "yesterday", "2026-07-14", "18:00:00", "2026-07-14T18", "2026-07-14T24:00:00", "2026-07-14T18:60:00",
            "2026-13-14T18:00:00", "14/07/2026 18:00:00", "07/14/2026 13:00:00 PM", "07/14/2026 00:00:00 AM",
            "2026-07-14T18:00:00 EST", "2026-07-14T18:00:00+24:00", "2026-07-14T18:00:00+0260", "2026-07-14T18:00:00+",
            "2026-07-14T18:00:00Z+01", "2026-07-14T18:00:00Zx1", "2026-07-14T18:00:00 x", "2026-07-14T18:00:00.",
            "2026-07-14T18:00:00.1234567890Z", "0", "1", "999999999", "500000000000", "-1784052000", "1784052000x",
            "99999999999999999999", "0x6A5A0000", "2026-07-14T18:00:00ZZZZ", "nan",
            "14/Jly/2026:18:00:00 +0000", "2026-07-14T18:00:00[Europe/Atlantis]", "2026-07-14T18:00:00[EST]",
            "20260714T186000Z",
            "2026-07-14T180000Z", "32 Jul 2026 18:00:00", "Jul 14 18:00:00",
        ]
    )
    func refused(text: String) {
        #expect(Moment(Array(text.utf8)[...]) == nil)
    }

    @Test("The year of each day", arguments: [(0, 1970), (-1, 1969), (-719_162, 1), (20_648, 2026), (2_932_896, 9999)])
    func years(day: Int64, year: Int64) {
        #expect(CivilTime.year(ofDay: day) == year)
    }
}
