import Foundation
import LiveActivityModel
import Quantities
import Testing

@testable import Traces

/// Real files that cannot be distributed with the package.
///
/// The expected figures were counted independently of this code.
enum RealData {
    /// Where they are: `FRESHET_REAL_DATA`, or where developers have them.
    static let directory =
        ProcessInfo.processInfo.environment["FRESHET_REAL_DATA"]
        ?? URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/data").path

    static func has(_ file: String) -> Bool {
        FileManager.default.fileExists(atPath: path(file))
    }

    static func path(_ file: String) -> String {
        "\(directory)/\(file)"
    }
}

@Suite("Real data")
struct RealDataTests {
    /// The expected result of one file; times in seconds.
    struct Expectation {
        var file: String
        var provider = ""
        var cleaning: TraceCleaning
        var rideTime: Int64
        var lastRequest: Int64
        var firstTimeOfDay: Int64
    }

    @Test(
        "Real traces give the rides that an independent count gives",
        .enabled(if: RealData.has("rides-lyft2016.csv") && RealData.has("rides-tlc2023.csv"), "no real data"),
        arguments: [
            Expectation(
                file: "rides-lyft2016.csv",
                cleaning: .counts(read: 407, kept: 407, repaired: [("arrival_after_pickup", 18)]),
                rideTime: 451_376,
                lastRequest: 7_690_329,
                firstTimeOfDay: 95
            ),
            Expectation(
                file: "rides-tlc2023.csv",
                cleaning: .counts(
                    read: 133,
                    kept: 133,
                    repaired: [("pickup_before_request", 4), ("arrival_missing", 40), ("accepted_missing", 133)]
                ),
                rideTime: 200_899,
                lastRequest: 31_276_099,
                firstTimeOfDay: 660
            ),
            Expectation(
                file: "rides-tlc2023.csv",
                provider: "HV0005",
                cleaning: .counts(
                    read: 133,
                    kept: 40,
                    other: 93,
                    repaired: [("pickup_before_request", 1), ("arrival_missing", 40), ("accepted_missing", 40)]
                ),
                rideTime: 67_819,
                lastRequest: 31_167_180,
                firstTimeOfDay: 2219
            ),
        ]
    )
    func trace(expectation: Expectation) throws {
        var trace = Scenario.Trace(file: expectation.file)
        trace.provider = expectation.provider
        let path = RealData.path(expectation.file)
        let (rides, cleaning) = try RideTraceReader.read(path: path, for: trace)
        #expect(cleaning.countsAlone == expectation.cleaning)
        #expect(rides.allSatisfy { $0.stages.count == 4 && !$0.isCancelled })
        #expect(rides.flatMap(\.stages).reduce(.zero, +) == .seconds(expectation.rideTime))
        #expect(rides.first?.request == .start)
        #expect(rides.last?.request == .start + .seconds(expectation.lastRequest))

        trace.foldOntoOneDay = true
        let folded = try RideTraceReader.read(path: path, for: trace).rides
        #expect(folded.count == rides.count)
        #expect(folded.first?.request == .start + .seconds(expectation.firstTimeOfDay))
    }

    @Test("Times to cancellation, with empty cells", .enabled(if: RealData.has("cancels-gett.csv"), "no real data"))
    func cancellations() throws {
        let path = RealData.path("cancels-gett.csv")
        let values = try EmpiricalColumn.read(path: path, column: "cancel_after_s", unit: .seconds)
        #expect(values.count == 5439)
        #expect(values.first == 3_000_000)
        #expect(values[2719] == 98_000_000)
        #expect(values.last == 4_303_000_000)
        #expect(values.reduce(0, +) == 854_400_000_000)
    }

    @Test(
        "Round-trip times with more digits than microseconds",
        .enabled(if: RealData.has("net-errant-rtt.csv"), "no real data")
    )
    func roundTripTimes() throws {
        let path = RealData.path("net-errant-rtt.csv")
        let values = try EmpiricalColumn.read(path: path, column: "rtt_ms", unit: .milliseconds)
        #expect(values.count == 751)
        #expect(values.first == 30_000)
        #expect(values.last == 420_000)
        #expect(values.reduce(0, +) == 74_313_117)
    }
}
