import LiveActivityModel
import Quantities
import Testing

@testable import InputFiles
@testable import Traces

@Suite("Ride trace reader")
struct RideTraceReaderTests {
    private static let plainHeader =
        "request_time,accepted_time,driver_arrived_time,pickup_time,dropoff_time,status,provider,cancelled_time\n"
    private static let tlcHeader =
        "hvfhs_license_num,dispatching_base_num,request_datetime,on_scene_datetime,pickup_datetime,dropoff_datetime\n"

    @Test("The plain header: four stages; the first request starts the run; equal requests stay in file order")
    func plain() throws {
        let (rides, cleaning) = try read(
            Self.plainHeader + """
                2016-03-29T19:01:00,2016-03-29T19:01:06,2016-03-29T19:04:00,2016-03-29T19:04:04,2016-03-29T19:17:00,completed,lyft,
                2016-03-29T19:00:00,2016-03-29T19:00:05,,,,cancelled_by_rider,lyft,2016-03-29T19:00:45
                2016-03-29T19:01:00,2016-03-29T19:01:07,2016-03-29T19:04:00,2016-03-29T19:04:04,2016-03-29T19:17:00.25,,lyft,
                """
        )
        #expect(
            rides == [
                ride(0, [5, 40], isCancelled: true), ride(60, [6, 174, 4, 776]), ride(60, [7, 173, 4, 776.25]),
            ]
        )
        #expect(cleaning == .counts(read: 3, kept: 3))
    }

    @Test("The TLC's header: licence numbers, no acceptance, unused columns")
    func tlc() throws {
        let text =
            Self.tlcHeader + """
                HV0003,B03404,2023-01-06 11:34:30,2023-01-06 11:38:33,2023-01-06 11:40:33,2023-01-06 12:02:23
                HV0005,B03406,2023-01-01 02:58:20,,2023-01-01 03:15:00,2023-01-01 03:27:38
                """
        let (all, allCleaning) = try read(text)
        #expect(all == [ride(0, [24.93, 806.07, 169, 758]), ride(462_970, [7.29, 235.71, 120, 1310])].map { $0 })
        #expect(allCleaning.kept == 2)

        for provider in ["lyft", "Lyft", "HV0005", "hv0005"] {
            let (rides, cleaning) = try read(text, provider: provider)
            #expect(rides == [ride(0, [24.93, 806.07, 169, 758])])
            #expect(
                cleaning
                    == .counts(read: 2, kept: 1, other: 1, repaired: [("arrival_missing", 1), ("accepted_missing", 1)])
            )
        }
    }

    @Test("Folded onto one day, rides start at their time of day")
    func folded() throws {
        let (rides, _) = try read(
            Self.plainHeader + """
                2016-03-29T19:00:00,2016-03-29T19:00:01,2016-03-29T19:00:02,2016-03-29T19:00:03,2016-03-29T19:00:04,,a,
                2016-03-30T06:00:00,2016-03-30T06:00:01,2016-03-30T06:00:02,2016-03-30T06:00:03,2016-03-30T06:00:05,,a,
                2016-03-28T19:00:00,2016-03-28T19:00:01,2016-03-28T19:00:02,2016-03-28T19:00:03,2016-03-28T19:00:06,,a,
                """,
            fold: true
        )
        #expect(
            rides == [ride(6 * 3600, [1, 1, 1, 2]), ride(19 * 3600, [1, 1, 1, 1]), ride(19 * 3600, [1, 1, 1, 3])]
        )
    }

    @Test("Unclean rows are counted; an unreadable time is no error of the file")
    func unclean() throws {
        let (rides, cleaning) = try read(
            Self.plainHeader + """
                2016-03-29T19:00:00,,,2016-03-29T19:10:00,2016-03-29T19:20:00,completed,lyft,
                yesterday,,,2016-03-29T19:10:00,2016-03-29T19:20:00,completed,lyft,
                2016-02-30T19:00:00,,,2016-03-29T19:10:00,2016-03-29T19:20:00,completed,lyft,
                ,,,2016-03-29T19:10:00,2016-03-29T19:20:00,completed,lyft,
                2016-03-29T19:00:00,,,2016-03-29T19:10:00,2016-03-30T01:00:01,completed,lyft,
                2016-03-29T19:00:00,,,2016-03-29T19:10:00,2016-03-29T19:20:00,rejected_by_system,lyft,
                """
        )
        #expect(rides == [ride(0, [14.958, 483.642, 101.4, 600])])
        #expect(
            cleaning
                == .counts(
                    read: 6,
                    kept: 1,
                    repaired: [("arrival_missing", 1), ("accepted_missing", 1)],
                    leftOut: [
                        ("unparsable_time", 2), ("no_request", 1), ("no_cancellation", 1), ("longer_than_limit", 1),
                    ]
                )
        )
    }

    @Test(
        "Files with other structure are errors",
        arguments: [
            (
                "a,b\n1,2\n",
                [
                    "1:1: the header is not one of a ride trace: got \"a\", \"b\"; allowed: the TLC's (hvfhs_license_num, "
                        + "request_datetime, on_scene_datetime, pickup_datetime, dropoff_datetime) or Freshet's "
                        + "(provider, request_time, driver_arrived_time, pickup_time, dropoff_time, status), or others with "
                        + "rides.trace.columns, for example {request_time: requested_at}"
                ]
            ),
            (
                "request_time,driver_arrived_tine,pickup_time,status,status\n1\n",
                [
                    "1:1: column \"provider\" is missing; the header has \"request_time\", \"driver_arrived_tine\", "
                        + "\"pickup_time\", \"status\", \"status\"; "
                        + "rides.trace.columns.provider can map another column, and rides.trace.provider: off keeps all rides",
                    "1:1: column \"driver_arrived_time\" is missing; did you mean \"driver_arrived_tine\"?; "
                        + "rides.trace.columns can map others, and the scenario provides moments without a column",
                    "1:1: column \"dropoff_time\" is missing; the header has \"request_time\", "
                        + "\"driver_arrived_tine\", \"pickup_time\", \"status\", \"status\"; rides.trace.columns can map "
                        + "others, and the scenario provides moments without a column",
                    "1:53: column \"status\" occurs more than once, first in field 4",
                    "2:2: the row has 1 field, must have 5 like the header",
                ]
            ),
            (plainHeader, ["1:80: the trace has a header but no rows"]),
            (
                plainHeader + ",,,,,,lyft,\n,,,,,,\"u\"\"x\",\n,,,,,,lyft,\n",
                ["1:80: none of the 3 rows is a usable ride: 3 rows of \"lyft\", \"u\"\"x\" instead of \"via\""]
            ),
            (
                plainHeader + ",,,,,,via,\n,,,,,,HV0004,\nx,,,,,,via,\n",
                [
                    "1:80: none of the 3 rows is a usable ride: 1 row with a time that cannot be read (first \"x\" in line "
                        + "4; allowed: \(Moment.allowed)), 2 rows without a request time"
                ]
            ),
        ]
    )
    func shape(text: String, expected: [String]) {
        var trace = Scenario.Trace(file: "rides.csv")
        trace.provider = "via"
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try RideTraceReader.read(CSVReader(text), for: trace)
            }
                == expected.map { "rides.csv:" + $0 }
        )
    }

    private func read(
        _ text: String,
        provider: String = "",
        fold: Bool = false
    ) throws -> (rides: [TracedRide], cleaning: TraceCleaning) {
        var trace = Scenario.Trace(file: "rides.csv")
        trace.provider = provider
        trace.foldOntoOneDay = fold
        let (rides, cleaning) = try RideTraceReader.read(CSVReader(text), for: trace)
        return (rides, cleaning.countsAlone)
    }

    private func ride(_ request: Int64, _ stages: [Double], isCancelled: Bool = false) -> TracedRide {
        TracedRide(
            request: .start + .seconds(request),
            stages: stages.map { TimeSpan(microseconds: Int64(($0 * 1e6).rounded())) },
            isCancelled: isCancelled
        )
    }
}

extension TraceCleaning {
    /// The counts without lines and notes, which are tested separately.
    var countsAlone: TraceCleaning {
        var cleaning = self
        cleaning.repaired = repaired.map { Count(reason: $0.reason, rows: $0.rows) }
        cleaning.leftOut = leftOut.map { Count(reason: $0.reason, rows: $0.rows) }
        (cleaning.remarks, cleaning.firstRequest) = ([], nil)
        return cleaning
    }

    /// The cleaning of some rows.
    static func counts(
        read: Int,
        kept: Int,
        other: Int = 0,
        repaired: [(String, Int)] = [],
        leftOut: [(String, Int)] = []
    ) -> TraceCleaning {
        var cleaning = TraceCleaning()
        cleaning.read = read
        cleaning.kept = kept
        cleaning.otherProvider = other
        cleaning.repaired = repaired.map { TraceCleaning.Count(reason: $0.0, rows: $0.1) }
        cleaning.leftOut = leftOut.map { TraceCleaning.Count(reason: $0.0, rows: $0.1) }
        return cleaning
    }
}
