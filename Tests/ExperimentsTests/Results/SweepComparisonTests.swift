import Foundation
import LiveActivityModel
import TestSupport
import Testing

@testable import Results
@testable import ScenarioLanguage

/// Handwritten sweep directories with one factor and one level.
@Suite("Comparing recorded sweeps")
struct SweepComparisonTests {
    /// A sweep with four values per response.
    private static func sweep(_ values: KeyValuePairs<String, [Double]>) throws -> RecordedResults {
        let directory = Scratch()
        let names = values.map { "\"\($0.key)\"" }.joined(separator: ", ")
        try directory.write(
            """
            {"sweep_id": "abcd", "fingerprint": "\(values.description.count)", "replications": 4,
             "factors": ["content.ttl"], "responses": [\(names)]}
            """,
            to: "sweep.json"
        )
        try directory.write(ScenarioWriter.resolvedYAML(.smallPoisson), to: "scenario.resolved.yaml")
        try directory.write("point,content.ttl\n0,2m\n", to: "points.csv")
        let rows = values.flatMap { name, numbers in
            numbers.enumerated().map { "0,\($0.offset),\(name),1,\($0.element)\n" }
        }
        try directory.write("point,replication,response,unit,value\n" + rows.joined(), to: "results.csv")
        return try RecordedResults(directory: directory.path)
    }

    @Test("A response that a design point cannot show has no verdict, and that point's reason is given")
    func notMeasured() throws {
        func sweep(_ second: Double) throws -> RecordedResults {
            let directory = Scratch()
            try directory.write(
                """
                {"sweep_id": "abcd", "fingerprint": "\(second)", "replications": 2,
                 "factors": ["monitor.enabled"], "responses": ["ended_severe_count"]}
                """,
                to: "sweep.json"
            )
            try directory.write(
                """
                name: small
                clock: {duration: 2h}
                factors: {vary: {monitor.enabled: {off: false, on: true}}, responses: [ended_severe_count]}

                """,
                to: "scenario.resolved.yaml"
            )
            try directory.write("point,monitor.enabled\n0,off\n1,on\n", to: "points.csv")
            let rows = [("0", ""), ("1", "\(second)")]
                .flatMap { point, value in (0..<2).map { "\(point),\($0),ended_severe_count,count,\(value)\n" } }
            try directory.write("point,replication,response,unit,value\n" + rows.joined(), to: "results.csv")
            return try RecordedResults(directory: directory.path)
        }
        let comparison = try ResultComparison(sweep(3), sweep(3))
        #expect(comparison.metrics.map(\.verdict) == [.notMeasured, .same])
        #expect(comparison.metrics[0].unmet == .init(reason: "the monitor is off", isInBoth: true))
    }

    private static let slow = [90e6, 91e6, 92e6, 93e6]
    private static let fast = [60e6, 61e6, 62e6, 63e6]

    /// If fewer recover, the remaining ones may be the quick ones.
    @Test(
        "A mean over other episodes, or uncounted ones, is not better; a mean over equal ones can be",
        arguments: [
            ([100.0, 101, 99, 100] as [Double]?, MetricComparison.Verdict.better),
            ([50, 52, 49, 51], .otherBasis), (nil, .otherBasis),
        ]
    )
    func population(counts: [Double]?, verdict: MetricComparison.Verdict) throws {
        let comparison =
            if let counts {
                try ResultComparison(
                    Self.sweep(["recovery_time_us": Self.slow, "recovered_count": [100, 101, 99, 100]]),
                    Self.sweep(["recovery_time_us": Self.fast, "recovered_count": counts])
                )
            } else {
                try ResultComparison(
                    Self.sweep(["recovery_time_us": Self.slow]),
                    Self.sweep(["recovery_time_us": Self.fast])
                )
            }
        #expect(comparison.metrics[0].verdict == verdict)
        #expect(
            comparison.notes.contains { $0.contains("Add recovered_count to factors.responses") } == (counts == nil)
        )
    }

    @Test("A gap that affects several responses is reported once")
    func oneNote() throws {
        let comparison = try ResultComparison(
            Self.sweep(["recovery_time_us": Self.slow, "recovery_time_us.p95": Self.slow]),
            Self.sweep(["recovery_time_us": Self.fast, "recovery_time_us.p95": Self.fast])
        )
        let notes = comparison.notes.filter { $0.contains("no response of both") }
        #expect(notes.count == 1)
        #expect(notes[0].hasPrefix("recovered_count is no response of both sweeps, so a better value of "))
        #expect(notes[0].contains("value of recovery_time_us, recovery_time_us.p95 has no verdict"), "\(notes)")
    }

    @Test("A worse mean is worse, whatever its condition")
    func worse() throws {
        let comparison = try ResultComparison(
            Self.sweep(["recovery_time_us": Self.fast]),
            Self.sweep(["recovery_time_us": Self.slow])
        )
        #expect(comparison.metrics[0].verdict == .worse)
    }
}
