import Testing

@testable import InputFiles
@testable import Traces

@Suite("Empirical column")
struct EmpiricalColumnTests {
    @Test(
        "Values are in base units, ascending",
        arguments: [
            ("3\n1\n2\n", .seconds, [1_000_000, 2_000_000, 3_000_000]),
            ("0\n-0\n0.0\n", .seconds, [0, 0, 0]),
            ("1.5\n+2\n.25\n1e1\n2.5E-1\n", .one, [0, 0, 2, 2, 10]),
            ("0.0000004\n0.0000005\n83.13333333333334\n", .seconds, [0, 1, 83_133_333]),
            ("1\n\"2\"\n1\n", .microseconds, [1, 1, 2]),
            ("0.001\n", .milliseconds, [1]),
            ("1\n", .minutes, [60_000_000]),
            ("1\n", .hours, [3_600_000_000]),
            ("3650\n", .days, [315_360_000_000_000]),
            ("9007199254740992\n", .one, [9_007_199_254_740_992]),
        ] as [(String, EmpiricalColumn.Unit, [Int64])]
    )
    func values(rows: String, unit: EmpiricalColumn.Unit, expected: [Int64]) throws {
        #expect(try EmpiricalColumn.read(CSVReader("wait\n" + rows), column: "wait", unit: unit) == expected)
    }

    @Test("Empty cells are skipped")
    func emptyCells() throws {
        let reader = CSVReader("ride,wait\n1,\n2,7\n3,\"\"\n")
        #expect(try EmpiricalColumn.read(reader, column: "wait", unit: .one) == [7])
    }

    @Test(
        "A value that is no number in the range is rejected",
        arguments: [
            "-1", "-0.5", "nan", "NaN", "inf", "Infinity", "-inf", "1e999", "0x10", "1,5", "e",
            "--1", "1.2.3", "4000", "٣",
        ]
    )
    func refused(text: String) {
        #expect(
            DataFileError.lines { () throws(DataFileError) in
                _ = try EmpiricalColumn.read(CSVReader("wait\n3\n\"\(text)\"\n"), column: "wait", unit: .days)
            } == ["rides.csv:3:1: wait must be a number, got \"\(text)\"; allowed: 0 … 3650 d"]
        )
    }

    @Test(
        "Columns without values are rejected, and all problems are reported at once",
        arguments: [
            ("a,wait\n", ["1:3: column \"wait\" has no values"]),
            ("a,wait\n1,\n", ["1:3: column \"wait\" has no values"]),
            ("a,waits\n1,\n", ["1:1: column \"wait\" is missing; did you mean \"waits\"?"]),
            (
                "a,wait\n1,x\n1\n2,\(String(repeating: "y", count: 100))\n",
                [
                    "2:3: wait must be a number, got \"x\"; allowed: 0 … 9007199254740992",
                    "3:2: the row has 1 field, must have 2 like the header",
                    "4:3: wait must be a number, got \"\(String(repeating: "y", count: 40))…\"; "
                        + "allowed: 0 … 9007199254740992",
                ]
            ),
        ]
    )
    func shape(text: String, expected: [String]) {
        #expect(
            DataFileError.lines { () throws(DataFileError) in
                _ = try EmpiricalColumn.read(CSVReader(text), column: "wait", unit: .one)
            } == expected.map { "rides.csv:" + $0 }
        )
    }
}
