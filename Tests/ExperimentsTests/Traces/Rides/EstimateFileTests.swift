import LiveActivityModel
import Quantities
import Testing

@testable import InputFiles
@testable import Traces

@Suite("Files of estimates")
struct EstimateFileTests {
    private static let stages = ["matching", "on_trip"]

    private func key(_ change: (inout Scenario.ETAColumns) -> Void = { _ in }) -> EstimateFile.Key {
        var columns = Scenario.ETAColumns()
        change(&columns)
        return EstimateFile.Key(path: "rides.csv", columns: columns, stages: Self.stages)
    }

    /// The parts of a file as pairs of time and arrival [s].
    private func parts(_ text: String, _ key: EstimateFile.Key) throws -> [[[Int64]]] {
        try EstimateFile(CSVReader(text), key).series.parts
            .map { part in part.map { [$0.at.microseconds / 1_000_000, $0.arrival.microseconds / 1_000_000] } }
    }

    @Test(
        "A time to arrival and an arrival are the same estimate; rows may come in any order",
        arguments: [
            "ride,time,eta\nb,0,60\na,10,95\na,0,100\n",
            "ride,time,arrival\nb,0,60\na,10,105\na,0,100\n",
            "Ride;Time_min;eta_s\nb;0;60\na;10s;95\na;0;1m40s\n",
        ]
    )
    func forms(text: String) throws {
        #expect(try parts(text, key()) == [[[0, 60]], [[0, 100], [10, 105]]])
    }

    @Test("With stages, each ride has a part for each, which may be empty")
    func stages() throws {
        let text = "ride,stage,time,eta\na,on_trip,5,300\nb,matching,0,60\nb,on_trip,0,400\n"
        let file = try EstimateFile(CSVReader(text), key())
        #expect(file.series.rideCount == 2)
        #expect(try parts(text, key()) == [[], [[5, 305]], [[0, 60]], [[0, 400]]])
        #expect(["a", "b", "c"].map(file.number) == [1, 2, 0])
    }

    @Test("Columns of other names are mapped")
    func mapped() throws {
        let mapping = key { ($0.ride, $0.time, $0.eta) = ("trip id", "2", "remaining_min") }
        #expect(try parts("Trip ID,at,remaining_min\na,10,2\n", mapping) == [[[10, 130]]])
    }

    @Test("A file without a header has its columns by number")
    func numbered() throws {
        let mapping = key { ($0.ride, $0.time, $0.eta) = ("1", "2", "3") }
        #expect(try parts("a,10,2\na,20,1\n", mapping) == [[[10, 12], [20, 21]]])
    }

    @Test("Of two estimates with the same time, the later row holds")
    func ties() throws {
        #expect(try parts("ride,time,eta\na,0,60\na,0,70\n", key()) == [[[0, 60], [0, 70]]])
    }

    @Test(
        "Errors have their places",
        arguments: [
            (
                "ride,time\na,0\n",
                [
                    #"1:1: column "eta" is missing; the header has "ride", "time"; content.eta.columns.eta can map another"#
                ]
            ),
            (
                "ride,time,eta,arrival\na,0,60,60\n",
                ["1:15: the file has columns of times to arrival and of arrivals; leave one of them out, or map it"]
            ),
            ("ride,time,eta\n", ["1:1: the file has a header but no estimates"]),
            (
                "ride,time,eta\na,0,60\n,5,60\na,-1,60\na,1,soon\n",
                [
                    "3:1: ride must be the name of a ride, got \"\"; allowed: any text",
                    "4:3: time must be a time, got \"-1\"; allowed: 0 … 315360000 s",
                    "5:5: eta must be a time, got \"soon\"; allowed: 0 … 315360000 s",
                ]
            ),
            (
                "ride,stage,time,eta\na,driving,0,60\n",
                ["2:3: stage must be a stage of rides.stages, got \"driving\"; allowed: matching, on_trip"]
            ),
        ]
    )
    func errors(text: String, expected: [String]) {
        let lines = DataFileError.lines { () throws(DataFileError) in _ = try EstimateFile(CSVReader(text), key()) }
        #expect(lines == expected.map { "rides.csv:" + $0 })
    }

    // MARK: - With a trace

    private static let estimates = "ride,time,eta\nr2,0,60\nr1,0,60\n"
    private static let header = "ride,status,request_time,driver_arrived_time,pickup_time,dropoff_time\n"

    private func row(_ ride: String) -> String {
        "\(ride),completed,2026-07-14 08:00:00,2026-07-14 08:05:00,2026-07-14 08:06:00,2026-07-14 08:20:00\n"
    }

    private func read(_ text: String, _ change: (inout Scenario.Trace) -> Void = { _ in }) throws -> (
        rides: [TracedRide], cleaning: TraceCleaning
    ) {
        var trace = Scenario.Trace(file: "rides.csv")
        change(&trace)
        let estimates = try EstimateFile(CSVReader(Self.estimates), key())
        return try RideTraceReader.read(CSVReader(text), for: trace, estimates: estimates)
    }

    @Test("A ride of a trace has the estimates of its name; those without are counted")
    func trace() throws {
        let (rides, cleaning) = try read(Self.header + row("r1") + row("r2") + row("r3"))
        #expect(rides.map(\.estimates) == [2, 1, 0])
        #expect(
            cleaning.remarks == [
                "1 of the 3 rides have no estimates in rides.csv: the ETA on their cards is not measured."
            ]
        )
        let mapped = try read(Self.header.replacing("ride,", with: "trip_id,") + row("r1")) {
            $0.columns.ride = "trip_id"
        }
        #expect(mapped.rides.map(\.estimates) == [2])
    }

    @Test("A trace without names of rides is refused, and so is one with none of the names")
    func foreignTrace() {
        func lines(_ text: String) -> [String] {
            DataFileError.lines { () throws(DataFileError) in
                let estimates = try EstimateFile(CSVReader(Self.estimates), key())
                _ = try RideTraceReader.read(CSVReader(text), for: Scenario.Trace(file: ""), estimates: estimates)
            }
        }
        #expect(
            lines(Self.header + row("x")) == [
                "rides.csv:1:1: none of the 1 rides has estimates in rides.csv; the names of rides must be the same in both files"
            ]
        )
        let nameless = lines(Self.header.replacing("ride,", with: "trip,") + row("r1"))
        #expect(nameless.count == 1)
        #expect(nameless.first?.contains("column \"ride\" is missing") ?? false)
        #expect(nameless.first?.hasSuffix("by which content.eta.file names the ride") ?? false)
    }
}
