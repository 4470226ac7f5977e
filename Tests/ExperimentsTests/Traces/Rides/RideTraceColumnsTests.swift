import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import InputFiles
@testable import Traces

/// Traces in other formats than the two headers: mapped columns, other statuses, zones, clock changes.
@Suite("Columns of ride traces")
struct RideTraceColumnsTests {
    private static let header = "provider,status,request_time,driver_arrived_time,pickup_time,dropoff_time\n"

    private static let durations: [Distribution] = [
        .constant(6e6), .constant(180e6), .constant(60e6), .constant(1020e6),
    ]

    private func read(
        _ text: String,
        _ change: (inout Scenario.Trace) -> Void = { _ in }
    ) throws -> (rides: [TracedRide], cleaning: TraceCleaning) {
        var trace = Scenario.Trace(file: "rides.csv")
        change(&trace)
        return try RideTraceReader.read(CSVReader(text), for: trace, durations: Self.durations)
    }

    private func problems(_ text: String, _ change: (inout Scenario.Trace) -> Void = { _ in }) -> [String] {
        var trace = Scenario.Trace(file: "rides.csv")
        change(&trace)
        return DataFileError.lines { () throws(DataFileError) in
            _ = try RideTraceReader.read(CSVReader(text), for: trace, durations: Self.durations)
        }
    }

    @Test(
        "Mappings read the headers of public trip data",
        arguments: [
            // HVFHV 2019, yellow taxis, Chicago, Citi Bike.
            (
                "hvfhs_license_num,pickup_datetime,dropoff_datetime\nHV0005,2026-07-14 08:05:36,2026-07-14 08:29:10\n",
                "pickup_datetime", "dropoff_datetime", Int64(1414)
            ),
            (
                "VendorID,tpep_pickup_datetime,tpep_dropoff_datetime\n2,2026-07-14 08:05:36,2026-07-14 08:29:10\n",
                "tpep_pickup_datetime", "tpep_dropoff_datetime", 1414
            ),
            (
                "Trip ID,Trip Start Timestamp,Trip End Timestamp\n0,07/14/2026 08:05:36 AM,07/14/2026 12:29:10 PM\n",
                "Trip Start Timestamp", "Trip End Timestamp", 15_814
            ),
            (
                "ride_id,started_at,ended_at,member_casual\n0,2026-07-14 08:05:36.123,2026-07-14 08:29:10.123,member\n",
                "startedAt", "ended at", 1414
            ),
            // Uber 2014 has one time per ride.
            ("\"Date/Time\",\"Lat\"\n\"7/14/2026 8:05:00\",40.7\n", "Date/Time", "", 1020),
        ]
    )
    func known(text: String, pickup: String, dropoff: String, seconds: Int64) throws {
        let (rides, cleaning) = try read(text) { trace in
            trace.columns.pickupTime = pickup
            trace.columns.dropoffTime = dropoff
        }
        #expect(
            rides.map(\.stages) == [
                [.seconds(6), .seconds(180), .seconds(60), .seconds(seconds)]
            ]
        )
        #expect(cleaning.remarks.first?.hasPrefix("The trace has no column for request_time") ?? false)
    }

    @Test("Columns can be numbered, also without a header")
    func numbers() throws {
        for header in ["", "a,b,c\n"] {
            let (rides, _) = try read(header + "x,2026-07-14 08:00:00,2026-07-14 08:10:00\n") { trace in
                (trace.columns.pickupTime, trace.columns.dropoffTime) = ("2", "3")
            }
            #expect(rides.map { $0.duration(ofStage: 3) } == [.seconds(600)])
        }
    }

    @Test("A missing column is rejected, with the most similar name")
    func missing() {
        let text = "requested_at,picked_up,dropped_off\n2026-07-14 08:00:00,2026-07-14 08:10:00,2026-07-14 08:20:00\n"
        #expect(
            problems(text) { $0.columns.requestTime = "requested_on" }
                == [
                    "rides.csv:1:1: rides.trace.columns.request_time: column \"requested_on\" is missing; did you mean \"requested_at\"?"
                ]
        )
        #expect(
            problems(text) { $0.columns.status = "3" }
                == [
                    "rides.csv:1:1: the trace has no column for the request or the pickup; map one with rides.trace.columns, for example "
                        + "{request_time: requested_at}; the header has \"requested_at\", \"picked_up\", \"dropped_off\""
                ]
        )
    }

    @Test("Provider and status may be absent if nothing depends on them")
    func optional() throws {
        let text =
            "request_time,pickup_time,dropoff_time\n2026-07-14 08:00:00,2026-07-14 08:10:00,2026-07-14 08:20:00\n"
        #expect(try read(text).rides.count == 1)
        #expect(
            problems(text) { $0.provider = "lyft" } == [
                "rides.csv:1:1: column \"provider\" is missing; the header has \"request_time\", \"pickup_time\", "
                    + "\"dropoff_time\"; rides.trace.columns.provider can map another column, and rides.trace.provider: off keeps all "
                    + "rides"
            ]
        )
    }

    @Test(
        "A status is compared regardless of case and format",
        arguments: [
            ("COMPLETED", false), ("completed", false), ("Finished", false), ("", false), ("CANCELED", true),
            ("cancelled_by_rider", true), ("DRIVER_CANCELED", true), ("Trip completed", false),
            ("rejected_by_system", true), ("No Show", true), ("RIDER_NO_SHOW", true), ("auto_expired", true),
            ("Unfulfilled", true),
        ]
    )
    func status(text: String, isCancelled: Bool) throws {
        let header = "status,request_time,pickup_time,dropoff_time,cancelled_time\n"
        let row = ",2026-07-14 08:00:00,2026-07-14 08:10:00,2026-07-14 08:20:00,2026-07-14 08:05:00\n"
        #expect(try read(header + text + row).rides.map(\.isCancelled) == [isCancelled])
    }

    @Test("An unknown status is rejected, with its line and the allowed values")
    func unknownStatus() {
        let rows = ["completed", "teleported", "teleported"]
            .map { "lyft,\($0),2026-07-14 08:00:00,,2026-07-14 08:10:00,2026-07-14 08:20:00\n" }
        #expect(RideStatus(Array("not cancelled".utf8)[...]) == nil)
        #expect(
            problems(Self.header + rows.joined()) == [
                "rides.csv:3:6: status must be a known status, got \"teleported\"; allowed: \(RideStatus.allowed) (and 1 more row "
                    + "like this, the last in line 4)"
            ]
        )
    }

    @Test(
        "Times with a zone give the same rides, and the time of day is local",
        arguments: [("Z", 8), ("-04:00", 8), (" UTC", 8), ("+0000", 8)]
    )
    func zones(zone: String, hour: Int64) throws {
        let row = ["08:00:00", "08:04:00", "08:05:00", "08:29:00"].map { "2026-07-14 \($0)\(zone)" }
        let text = Self.header + "lyft,completed,\(row.joined(separator: ","))\n"
        let (rides, _) = try read(text) { $0.foldOntoOneDay = true }
        #expect(rides.map(\.request) == [.start + .hours(hour)])
        #expect(rides.map { $0.duration(ofStage: 3) } == [.seconds(1440)])
    }

    @Test("A mixture of times with and without a zone is rejected")
    func mixed() {
        let text =
            Self.header + "lyft,completed,2026-07-14 08:00:00,,2026-07-14 08:05:00,2026-07-14 08:29:00\n"
            + "lyft,completed,2026-07-14 08:00:00Z,,2026-07-14 08:05:00Z,2026-07-14 08:29:00Z\n"
        #expect(
            problems(text) == [
                "rides.csv:3:16: request_time has a zone, \"2026-07-14 08:00:00Z\", but request_time of line 2 has no zone, "
                    + "\"2026-07-14 08:00:00\"; all times of a file must have one, or none"
            ]
        )
    }

    @Test("Counts give the first line; the text for people gives all of it")
    func lines() throws {
        let text =
            Self.header
            + "lyft,completed,2026-07-14 08:00:00,2026-07-14 08:04:00,2026-07-14 08:05:00,2026-07-14 08:29:00\n"
            + "lyft,completed,never,,,\nlyft,completed,,,,\nlyft,completed,soon,,,\n"
        let cleaning = try read(text).cleaning
        #expect(
            cleaning.leftOut == [
                .init(reason: "unparsable_time", rows: 2, firstLine: 3),
                .init(reason: "no_request", rows: 1, firstLine: 4),
            ]
        )
        #expect(
            cleaning.lines(of: "rides.csv") == [
                "rides.csv: 1 of 4 rows became rides; left out: 2 rows with a time that cannot be read (first in line 3), "
                    + "1 row without a request time (first in line 4); repaired: 1 row without an acceptance time (first in line "
                    + "2)"
            ]
        )
    }

    @Test("An unused time column is reported")
    func unused() throws {
        let text =
            "request_time,acceptance_time,pickup_time,dropoff_time,note\n"
            + "2026-07-14 08:00:00,2026-07-14 08:00:05,2026-07-14 08:05:00,2026-07-14 08:29:00,a: b\n"
        #expect(
            try read(text).cleaning.remarks
                == ["Column acceptance_time has times but is not used; rides.trace.columns can map it."]
        )
    }

    @Test(
        "A missing time may be written in the forms that databases use",
        arguments: ["", " ", "NULL", "null", "\\N", "NaN", "NaT", "-"]
    )
    func missingMoments(mark: String) throws {
        let text =
            "request_time,accepted_time,driver_arrived_time,pickup_time,dropoff_time,status\n"
            + "2026-07-14 08:00:00,\(mark),\(mark),2026-07-14 08:05:00,2026-07-14 08:29:00,\(mark)\n"
            + "2026-07-14 08:00:00,,,\(mark),2026-07-14 08:29:00,\n"
        let cleaning = try read(text).cleaning
        #expect(cleaning.leftOut == [.init(reason: "no_pickup", rows: 1, firstLine: 3)])
        #expect(
            cleaning.lines(of: "a").first?.contains("left out: 1 row without a pickup time (first in line 3)") ?? false
        )
    }

    /// A ride of ten minutes from the pickup, followed by another one.
    private static func dated(_ first: String, _ second: String) -> String {
        let rows = [first, second].map { "\($0) 08:00:00,\($0) 08:05:00,\($0) 08:15:00\n" }
        return "request_time,pickup_time,dropoff_time\n" + rows.joined()
    }

    @Test(
        "The order of day and month follows from the whole file; an ambiguous one is reported and can be stated",
        arguments: [
            ("05/06/2026", "05/14/2026", nil, 8, false), ("05/06/2026", "14/06/2026", nil, 9, false),
            ("05-06-2026", "14-06-2026", nil, 9, false), ("05/06/2026", "06/06/2026", nil, 31, true),
            ("05/06/2026", "06/06/2026", .monthFirst, 31, false), ("05/06/2026", "06/06/2026", .dayFirst, 1, false),
            ("05.06.2026", "06.06.2026", nil, 1, false), ("05/05/2026", "06/06/2026", nil, 32, false),
            ("2026/05/06", "2026/06/06", nil, 31, false),
        ] as [(String, String, Scenario.DateOrder?, Int64, Bool)]
    )
    func dates(first: String, second: String, order: Scenario.DateOrder?, days: Int64, isNamed: Bool) throws {
        let (rides, cleaning) = try read(Self.dated(first, second)) { $0.dates = order }
        #expect(rides.map(\.request) == [.start, .start + .hours(24 * days)])
        let remark =
            "Dates such as \"\(first) 08:00:00\" in line 2 may have the month or the day first; they are read month first. "
            + "Set the order with rides.trace.dates: month_first or day_first."
        #expect(cleaning.remarks == (isNamed ? [remark] : []))
    }

    @Test("Dates in both orders are rejected, with a line of each")
    func datesInBothOrders() {
        #expect(
            problems(Self.dated("14/06/2026", "06/14/2026")) == [
                "rides.csv:3:1: request_time has the month first, \"06/14/2026 08:00:00\", but request_time of line 2 has the day "
                    + "first, \"14/06/2026 08:00:00\"; all dates of a file must have the same order; set it with rides.trace.dates"
            ]
        )
    }

    private static let tlc = "hvfhs_license_num,request_datetime,on_scene_datetime,pickup_datetime,dropoff_datetime\n"

    @Test(
        "A clock change is reported if the header reveals the city",
        arguments: [
            (["2026-11-01 00:30:00", "2026-11-01 00:35:00", "2026-11-01 01:50:00"], "2026-11-01", "1 row"),
            (["2026-03-08 01:50:00", "2026-03-08 01:55:00", "2026-03-08 03:15:00"], "2026-03-08", "1 row"),
            // The rule of the United States before 2007.
            (["2006-04-02 01:50:00", "2006-04-02 01:55:00", "2006-04-02 03:15:00"], "2006-04-02", "1 row"),
            (["2026-03-08 03:50:00", "2026-03-08 03:55:00", "2026-03-08 04:15:00"], nil, ""),
            (["2026-11-01 02:00:00", "2026-11-01 02:05:00", "2026-11-01 02:15:00"], nil, ""),
            (["2026-10-31 23:00:00", "2026-10-31 23:05:00", "2026-11-01 00:59:00"], nil, ""),
        ] as [([String], String?, String)]
    )
    func clockChange(times: [String], date: String?, rows: String) throws {
        let text = Self.tlc + "HV0005,\(times[0]),,\(times[1]),\(times[2])\n"
        let remarks = try read(text).cleaning.remarks
        #expect(remarks.count == (date == nil ? 0 : 1))
        if let date { #expect(remarks[0].contains("\(date) in New York, with \(rows) around it")) }
    }

    @Test("A ride over the repeated hour is omitted for that reason and is not unclean")
    func twice() throws {
        let sound = "HV0005,2026-11-01 00:30:00,,2026-11-01 00:35:00,2026-11-01 00:50:00\n"
        let cleaning = try read(
            Self.tlc + sound + "HV0005,2026-11-01 01:40:00,,2026-11-01 01:45:00,2026-11-01 01:05:00\n"
        )
        .cleaning
        #expect(cleaning.leftOut == [.init(reason: "clock_change", rows: 1, firstLine: 3)])
        #expect(cleaning.badRows == 0)
    }

    @Test("Elsewhere rides at night that end before their pickup reveal a clock change")
    func backwards() throws {
        let sound = "lyft,completed,2026-10-25 00:00:00,,2026-10-25 00:05:00,2026-10-25 00:29:00\n"
        let night = "lyft,completed,2026-10-25 02:40:00,,2026-10-25 02:45:00,2026-10-25 02:05:00\n"
        let day = "lyft,completed,2026-10-25 12:40:00,,2026-10-25 12:45:00,2026-10-25 12:05:00\n"
        #expect(try read(Self.header + sound + day).cleaning.remarks == [])
        let remarks = try read(Self.header + sound + night).cleaning.remarks
        #expect(remarks.count == 1 && remarks[0].contains("the first in line 3"))
        // Times with an offset are unambiguous.
        let zoned = (sound + night).replacing("00,", with: "00Z,").replacing("00\n", with: "00Z\n")
        #expect(try read(Self.header + zoned).cleaning.remarks == [])
    }

    @Test(
        "A clock change is reported in any zone that the scenario states",
        arguments: [
            ("Europe/Berlin", ["2026-03-29 01:50:00", "2026-03-29 01:55:00", "2026-03-29 03:15:00"], "2026-03-29"),
            ("Europe/Berlin", ["2026-10-25 02:30:00", "2026-10-25 02:35:00", "2026-10-25 02:50:00"], "2026-10-25"),
            ("Australia/Sydney", ["2026-10-04 01:50:00", "2026-10-04 01:55:00", "2026-10-04 03:15:00"], "2026-10-04"),
            ("America/New_York", ["2026-03-08 01:50:00", "2026-03-08 01:55:00", "2026-03-08 03:15:00"], "2026-03-08"),
            ("Europe/Berlin", ["2026-03-29 03:50:00", "2026-03-29 03:55:00", "2026-03-29 04:15:00"], nil),
            ("Asia/Tokyo", ["2026-03-29 01:50:00", "2026-03-29 01:55:00", "2026-03-29 03:15:00"], nil),
            ("UTC", ["2026-03-29 01:50:00", "2026-03-29 01:55:00", "2026-03-29 03:15:00"], nil),
        ] as [(String, [String], String?)]
    )
    func clockChangeInZone(zone: String, times: [String], date: String?) throws {
        let text = Self.header + "lyft,completed,\(times[0]),,\(times[1]),\(times[2])\n"
        let remarks = try read(text) { $0.timeZone = zone }.cleaning.remarks
        #expect(remarks.count == (date == nil ? 0 : 1))
        if let date { #expect(remarks[0].contains("\(date) in \(zone), with 1 row around it")) }
    }

    @Test("A ride over the repeated hour of a stated zone is omitted for that reason")
    func twiceInZone() throws {
        let sound = "lyft,completed,2026-10-25 00:00:00,,2026-10-25 00:05:00,2026-10-25 00:29:00\n"
        let night = "lyft,completed,2026-10-25 02:40:00,,2026-10-25 02:45:00,2026-10-25 02:05:00\n"
        let cleaning = try read(Self.header + sound + night) { $0.timeZone = "Europe/Berlin" }.cleaning
        #expect(cleaning.leftOut == [.init(reason: "clock_change", rows: 1, firstLine: 3)])
        #expect(cleaning.badRows == 0)
    }

    @Test("A time that the stated zone skips is reported")
    func skipped() throws {
        let text = Self.header + "lyft,completed,2026-03-29 02:20:00,,2026-03-29 02:25:00,2026-03-29 02:45:00\n"
        let remarks = try read(text) { $0.timeZone = "Europe/Berlin" }.cleaning.remarks
        #expect(
            remarks.last
                == "1 row with a time between 02:00 and 03:00 on 2026-03-29, which clocks skip in Europe/Berlin. If the times are "
                + "of another zone, set rides.trace.time_zone."
        )
    }

    @Test("Without a zone, rides over an hour that some zone skips are reported, unless the trace has times in it")
    func springOfUnknownPlace() throws {
        let over = "lyft,completed,2026-03-29 01:50:00,,2026-03-29 01:55:00,2026-03-29 03:15:00\n"
        let within = "lyft,completed,2026-03-29 02:10:00,,2026-03-29 02:15:00,2026-03-29 02:35:00\n"
        let remarks = try read(Self.header + over).cleaning.remarks
        #expect(remarks.count == 1)
        #expect(
            remarks.first?
                .hasPrefix(
                    "The trace may go through a clock change: it has no time between 02:00 and 03:00 on 2026-03-29, which clocks skip "
                        + "in Europe/Berlin, and 1 row around it."
                ) ?? false
        )
        #expect(remarks.first?.contains("Set the zone with rides.trace.time_zone") ?? false)
        #expect(try read(Self.header + over + within).cleaning.remarks == [])
    }
}
