import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `freshet run` with traces in other formats: its messages, and where they appear.
@Suite("freshet run with ride traces", .enabled(if: Loop.isFull))
struct RideTraceCommandTests {
    private let scratch = Scratch()

    private static let header = "provider,status,request_time,driver_arrived_time,pickup_time,dropoff_time\n"

    private static func row(_ minute: Int, request: String? = nil) -> String {
        let start = request ?? "2026-07-14 08:0\(minute):00"
        return "lyft,COMPLETED,\(start),2026-07-14 08:14:00,2026-07-14 08:15:00,2026-07-14 08:3\(minute):00\n"
    }

    private static func run(_ trace: String, into output: String, _ settings: [String] = []) throws -> Command.Outcome {
        let all = ["rides.trace.file=\(trace)", "rides.trace.provider=off"] + settings
        return try Command.run(
            "run experiments/trace-replay.yaml --quiet --output \(output) \(all.flatMap { ["--set", $0] })",
            directory: Command.root
        )
    }

    @Test("Skipped rows are reported on standard error and at the top of the report")
    func reported() throws {
        let rows = (0..<9).map { Self.row($0) }.joined()
        let trace = try scratch.write(Self.header + rows + Self.row(9, request: "soon"), to: "rides.csv")
        let outcome = try Self.run(trace, into: scratch.path("out"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let line =
            "9 of 10 rows became rides; left out: 1 row with a time that cannot be read (first in line 11); "
            + "repaired: 9 rows without an acceptance time"
        #expect(outcome.errors.hasPrefix("warning: \(trace): \(line)"))
        let report = String(decoding: try #require(try scratch.contents(of: "out")["report.md"]), as: UTF8.self)
        #expect(try #require(report.range(of: line)).lowerBound < #require(report.range(of: "| fresh")).lowerBound)
    }

    @Test("More invalid rows than the scenario allows: 65, with the first line of each reason")
    func tooMany() throws {
        let text = Self.header + Self.row(0) + Self.row(1, request: "soon") + Self.row(2, request: "later")
        let trace = try scratch.write(text, to: "rides.csv")
        let refused = try Self.run(trace, into: scratch.path("out"))
        #expect(refused.status == 65)
        #expect(
            refused.errors.contains(
                "rides.csv:3:1: 2 rows with a time that cannot be read, of 3, are left out; this is the first"
            )
        )
        #expect(
            refused.errors.contains(
                "rides.trace.most_bad_rows allows 20% of the rows to be left out as unclean, got 2 of 3"
            )
        )
        #expect(try Self.run(trace, into: scratch.path("out"), ["rides.trace.most_bad_rows=70%"]).status == 0)
    }

    @Test("A mapping names the columns of another file; times without a column are drawn, the same each time")
    func mapped() throws {
        let rows = (0..<9).map { "\"7/14/2026 8:0\($0):00\",40.7\n" }.joined()
        let trace = try scratch.write("\"Date/Time\",\"Lat\"\n" + rows, to: "rides.csv")
        let settings = [
            "rides.trace.columns={pickup_time: Date/Time}",
            "rides.stages.3.duration={triangular: {min: 5m, mode: 10m, max: 30m}}",
        ]
        let outcome = try Self.run(trace, into: scratch.path("one"), settings)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("no column for request_time, dropoff_time: these moments are drawn"))
        let tunables = ["GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX512F"]
        _ = try Command.run(
            "run \(scratch)/one/scenario.resolved.yaml --quiet --output \(scratch)/two",
            environment: tunables,
            directory: Command.root
        )
        let (one, two) = (try scratch.contents(of: "one"), try scratch.contents(of: "two"))
        for file in ["summary.csv", "timeseries.csv", "scenario.resolved.yaml"] {
            #expect(one[file] != nil && one[file] == two[file], "\(file)")
        }
        let unknown = try Self.run(trace, into: scratch.path("out"), ["rides.trace.columns={pickup_tme: Date/Time}"])
        #expect(unknown.status == 65)
        #expect(unknown.errors.contains("did you mean \"pickup_time\"?"))
    }
}
