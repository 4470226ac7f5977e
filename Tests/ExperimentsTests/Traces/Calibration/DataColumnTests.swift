import LiveActivityModel
import Testing

@testable import InputFiles
@testable import Traces

@Suite("Data column")
struct DataColumnTests {
    private static let text = """
        mode,rtt_ms,sent,received
        LTE,1.5,2026-07-14T18:00:00,2026-07-14T18:00:02
        5G,,2026-07-14T18:00:10,
        LTE,0,2026-07-14T18:00:20,2026-07-14T18:00:19.5
        "LTE",20,2026-07-14 18:00:30,2026-07-14T18:01:00

        """

    @Test("Numbers in base units, in file order, with the skipped values")
    func numbers() throws {
        let all = try DataColumn(name: "rtt_ms", unit: .milliseconds).read(CSVReader(Self.text))
        #expect(all.values == [1500, 0, 20_000])
        #expect(all.empty == 1)
        #expect(all.rows == 4)
        var column = DataColumn(name: "rtt_ms", unit: .milliseconds)
        column.filters = [DataColumn.Filter(column: "mode", value: "LTE")]
        let filtered = try column.read(CSVReader(Self.text))
        #expect(filtered.values == [1500, 0, 20_000])
        #expect(filtered.filtered == 1)
        #expect(filtered.empty == 0)
    }

    @Test("Times relative to other times; negative ones are rejected, or skipped and counted")
    func spans() throws {
        var column = DataColumn(name: "received", unit: .seconds)
        column.since = "sent"
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try column.read(CSVReader(Self.text)) }
                == ["rides.csv:4:27: received is earlier than sent; --skip-negative leaves such rows out"]
        )
        column.skipsNegative = true
        let found = try column.read(CSVReader(Self.text))
        #expect(found.values == [2_000_000, 30_000_000])
        #expect(found.negative == 1)
        #expect(found.empty == 1)
    }

    @Test("Times in any format, but all with a zone or none")
    func zones() throws {
        var column = DataColumn(name: "b", unit: .seconds)
        column.since = "a"
        let text = "a,b\n2026-07-14T18:00:00+02:00,2026-07-14 16:00:05 UTC\n1784044800,1784044807000\n"
        #expect(try column.read(CSVReader(text)).values == [5_000_000, 7_000_000])
        #expect(
            DataFileError.lines { () throws(DataFileError) in
                _ = try column.read(CSVReader("a,b\n2026-07-14T18:00:00,2026-07-14T18:00:00\n1784052000,1784052007\n"))
            } == [
                "rides.csv:3:1: a has a zone, \"1784052000\", but a of line 2 has no zone, \"2026-07-14T18:00:00\"; all times of "
                    + "a file must have one, or none"
            ]
        )
    }

    @Test("A shift is subtracted; values below it are rejected")
    func shift() throws {
        var column = DataColumn(name: "a", unit: .seconds)
        column.shift = 2_000_000
        #expect(try column.read(CSVReader("a\n2\n3.5\n")).values == [0, 1_500_000])
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try column.read(CSVReader("a\n1\n")) }
                == [
                    "rides.csv:2:1: a must not be below the shift, got \"1\"; allowed: a shift up to the smallest value"
                ]
        )
    }

    @Test(
        "All errors are reported at once, each with its place",
        arguments: [
            (
                "mode,rtt\nx,nan\ny,-3\nz,1e999\nx\ny,0x1\n",
                [
                    "2:3: rtt must be a number, got \"nan\"; allowed: 0 … 315360000 s",
                    "3:3: rtt must be 0 or more, got -3; allowed: 0 … 315360000 s; --skip-negative leaves out what is below 0",
                    "4:3: rtt must be a number, got \"1e999\"; allowed: 0 … 315360000 s",
                    "5:2: the row has 1 field, must have 2 like the header",
                    "6:3: rtt must be a number, got \"0x1\"; allowed: 0 … 315360000 s",
                ]
            ),
            ("mode,rtts\nx,1\n", ["1:1: column \"rtt\" is missing; did you mean \"rtts\"?"]),
            ("mood,rtt\nx,1\n", ["1:1: column \"mode\" is missing; the header has \"mood\", \"rtt\""]),
            (
                "mode,metric,rtt\nx,sent,1\nx,lost,2\n",
                [
                    "1:6: metric has rows of several measures; choose one with --where metric=VALUE; the values are "
                        + "\"sent\", \"lost\""
                ]
            ),
            ("mode,rtt\ny,1\n", ["1:6: no row has mode=x; the values of mode are \"y\""]),
            ("mode,rtt\nx,\n", ["1:6: column \"rtt\" has no values"]),
            ("", ["1:1: the file is empty; it must begin with a header"]),
        ]
    )
    func refused(text: String, expected: [String]) {
        var column = DataColumn(name: "rtt", unit: .seconds)
        if !expected.contains(where: { $0.contains("--skip-negative") }) {
            column.filters = [DataColumn.Filter(column: "mode", value: "x")]
        }
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try column.read(CSVReader(text)) }
                == expected.map { "rides.csv:" + $0 }
        )
    }

    @Test(
        "Names state units",
        arguments: [
            ("rtt_ms", .milliseconds), ("cancel_after_s", .seconds), ("wait-min", .minutes),
            ("latency_us", .microseconds),
            ("payload_bytes", .one), ("ms", .milliseconds), ("items", nil), ("rtt", nil), ("", nil), ("day", nil),
            ("latencyMs", .milliseconds), ("latency_in_ms", .milliseconds), ("duration (ms)", .milliseconds),
            ("took[ns]", .nanoseconds),
            ("ELAPSED_SECONDS", .seconds), ("rtt_nanos", .nanoseconds), ("rtt.usec", .microseconds),
        ] as [(String, EmpiricalColumn.Unit?)]
    )
    func units(name: String, unit: EmpiricalColumn.Unit?) {
        #expect(DataColumn.unit(ofName: name) == unit)
    }

    @Test(
        "Cells may have units of their own, and marks for a missing value",
        arguments: ["1.5", "1500ms", "1500 ms", "1s500ms", "0.025m"]
    )
    func unitsOfCells(cell: String) throws {
        let column = DataColumn(name: "a", unit: .seconds)
        let found = try column.read(CSVReader("a\nNULL\n\(cell)\n\\N\n"))
        #expect(found.values == [1_500_000])
        #expect(found.empty == 2)
    }

    @Test("Times with the day first are recognized from the whole file; ambiguous files get a note")
    func dates() throws {
        var column = DataColumn(name: "b", unit: .seconds)
        column.since = "a"
        func read(_ rows: String...) throws -> DataColumn.Values { try column.read(CSVReader("a,b\n" + rows.joined())) }
        let undecided = "30/05/2026 23:00,01/06/2026 01:00\n"
        #expect(try read("01/05/2026 10:00,02/05/2026 10:00\n", undecided).values == [86_400_000_000, 93_600_000_000])
        let both = try read("01/05/2026 10:00,02/05/2026 10:00\n")
        #expect(both.values == [31 * 86_400_000_000])
        #expect(both.remarks.first?.hasSuffix("Set the order with --dates: month_first or day_first.") ?? false)
        column.dates = .dayFirst
        let stated = try read("01/05/2026 10:00,02/05/2026 10:00\n")
        #expect(stated.values == [86_400_000_000])
        #expect(stated.remarks == [])
    }
}
