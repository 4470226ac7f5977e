import Testing

@testable import InputFiles

@Suite("CSV table")
struct CSVTableTests {
    @Test("Rows longer or shorter than the header are reported at the difference")
    func ragged() throws {
        let found = try read("a,b\n1\n1,2\n1,2,3\n1,\"2\",\"3\",4\n")
        #expect(found.rows == [["1", "2"]])
        #expect(
            found.problems == [
                "rides.csv:2:2: the row has 1 field, must have 2 like the header",
                "rides.csv:4:5: the row has 3 fields, must have 2 like the header",
                "rides.csv:5:7: the row has 4 fields, must have 2 like the header",
            ]
        )
    }

    @Test(
        "A file without a valid header is rejected",
        arguments: [
            ("", "1:1: the file is empty; it must begin with a header"),
            ("\u{FEFF}\n\n", "1:1: the file is empty; it must begin with a header"),
            (
                "a,\"b",
                "1:3: the quoted field that begins here is not closed before the end of the file or within 1 MiB"
            ),
        ]
    )
    func header(text: String, problem: String) {
        #expect(
            DataFileError.lines { () throws(DataFileError) in _ = try CSVTable(CSVReader(text)) } == [
                "rides.csv:" + problem
            ]
        )
    }

    @Test(
        "A column must exist once",
        arguments: [
            ("a,wanted\n", 1, []),
            ("\"wanted\"\n", 0, []),
            ("a,b\n", nil, ["1:1: column \"wanted\" is missing; the header has \"a\", \"b\""]),
            ("a,wantd\n", nil, ["1:1: column \"wanted\" is missing; did you mean \"wantd\"?"]),
            ("wonted,wantde\n", nil, ["1:1: column \"wanted\" is missing; did you mean \"wonted\"?"]),
            ("Wan-Ted,a\n", 0, []), ("a,WANTED\n", 1, []), ("Wanted,wanted\n", 1, []),
            (
                "5,wan ted\n6,7\n", 1, []
            ),
            (
                "5,6\n", nil,
                [
                    "1:1: column \"wanted\" is missing; the header has \"5\", \"6\"; the first line looks like data, not a "
                        + "header: name the columns by number, from 1 (freshet fit: with --no-header)"
                ]
            ),
            ("wanted,a,wanted\n", 0, ["1:10: column \"wanted\" occurs more than once, first in field 1"]),
        ] as [(String, Int?, [String])]
    )
    func column(text: String, index: Int?, expected: [String]) throws {
        var table = try CSVTable(CSVReader(text))
        #expect(table.column("wanted") == index)
        let found = DataFileError.lines { () throws(DataFileError) in try table.throwIfInvalid() }
        #expect(found == expected.map { "rides.csv:" + $0 })
    }

    @Test("Of equal problems the first is printed, the others are counted")
    func manyProblems() throws {
        let found = try read("a,b\n" + String(repeating: "1\n", count: 173))
        #expect(found.rows == [])
        #expect(
            found.problems == [
                "rides.csv:2:2: the row has 1 field, must have 2 like the header (and 172 more rows like this, the last in "
                    + "line 174)"
            ]
        )
    }

    @Test("Of problems of one kind three are printed, whatever their values")
    func manyKinds() throws {
        var table = try CSVTable(CSVReader("a,b\n" + (0..<100).map { "x\($0),y\($0)\n" }.joined()))
        while try table.advance() {
            table.refuseInRow(field: 0, "a number", allowed: "0 … 1")
            table.refuseInRow(field: 1, "a number", allowed: "0 … 1")
        }
        let found = DataFileError.lines { () throws(DataFileError) in try table.throwIfInvalid() }
        #expect(
            found == [
                "rides.csv:2:1: a must be a number, got \"x0\"; allowed: 0 … 1",
                "rides.csv:2:4: b must be a number, got \"y0\"; allowed: 0 … 1",
                "rides.csv:3:1: a must be a number, got \"x1\"; allowed: 0 … 1",
                "rides.csv:3:4: b must be a number, got \"y1\"; allowed: 0 … 1",
                "rides.csv:4:1: a must be a number, got \"x2\"; allowed: 0 … 1 (and 97 more rows like this, the last in line 101)",
                "rides.csv:4:4: b must be a number, got \"y2\"; allowed: 0 … 1 (and 97 more rows like this, the last in line 101)",
            ]
        )
    }

    @Test(
        "The separator is recognized from the first line, stated there, or given",
        arguments: [
            ("a;b\n1;2\n", DelimitedFormat.recognized, ["1", "2"]), ("a\tb\n1\t2\n", .recognized, ["1", "2"]),
            ("a|b\n1|2\n", .recognized, ["1", "2"]), ("\u{FEFF}a;b\r\n1,5;2\r\n", .recognized, ["1,5", "2"]),
            ("\"a;b;c\",d\n1,2\n", .recognized, ["1", "2"]), ("a;b\n\"1;2\";3\n", .recognized, ["1;2", "3"]),
            ("sep=|\na;b|c\n1|2\n", .recognized, ["1", "2"]),
            ("a,b;c\n1,2;3\n", DelimitedFormat(separator: UInt8(ascii: ";")), ["1,2", "3"]),
        ]
    )
    func separators(text: String, format: DelimitedFormat, expected: [String]) throws {
        let found = try read(text, format)
        #expect(found.rows == [expected])
        #expect(found.problems == [])
    }

    @Test("A wrong separator is one error, however many rows the file has")
    func wrongSeparator() throws {
        let text = "a;b\n" + String(repeating: "1;2\n", count: 100)
        #expect(
            DataFileError.lines { () throws(DataFileError) in
                _ = try CSVTable(CSVReader(text, DelimitedFormat(separator: UInt8(ascii: ","))))
            } == ["rides.csv:1:1: the first line has no comma but a semicolon; is that the separator?"]
        )
    }

    @Test("Without a header columns are numbered; with numbered columns a first line with data is no header")
    func numbers() throws {
        var table = try CSVTable(CSVReader("7,8\n9,10\n", DelimitedFormat(hasHeader: false)))
        #expect(table.column("2") == 1)
        #expect(table.column("3") == nil)
        #expect(
            DataFileError.lines { () throws(DataFileError) in try table.throwIfInvalid() }
                == ["rides.csv:1:1: column \"3\" is missing; the columns have no names; allowed: their numbers, 1 … 2"]
        )
        #expect(try read("7,8\n9,10\n", DelimitedFormat(hasHeader: false)).rows == [["7", "8"], ["9", "10"]])
        var guessed = try CSVTable(CSVReader("7,8\n"), areNumbered: true)
        #expect(try guessed.advance())
        var named = try CSVTable(CSVReader("a,b\n7,8\n"), areNumbered: true)
        #expect(named.column("2") == 1)
        #expect(try named.advance())
        #expect(try !named.advance())
    }

    @Test(
        "Numbers have a decimal comma in files with semicolons",
        arguments: [
            ("89,0", "89.0"), ("1.234,5", "1234.5"), ("7", "7"), ("1.5", "1.5"), ("1.23,5", "1.23,5"),
            ("1,2,3", "1,2,3"),
        ]
    )
    func decimalComma(cell: String, number: String) throws {
        var table = try CSVTable(CSVReader("a;b\n\(cell);x\n"))
        #expect(try table.advance())
        #expect(String(decoding: table.number(0), as: UTF8.self) == number)
    }

    /// A column with a decimal comma anywhere may have points as thousands separators.
    @Test("Thousands points are recognized by a comma in the column, and rejected if they precede it")
    func thousands() throws {
        var table = try CSVTable(CSVReader("a;b\n1.004,6;1.155\n1.155;1.046\n2.000;7,5\n"))
        var numbers: [[String]] = []
        while try table.advance() {
            numbers.append([0, 1].map { String(decoding: table.number($0), as: UTF8.self) })
        }
        #expect(numbers == [["1004.6", "1.155"], ["1155", "1.046"], ["2000", "7.5"]])
        let problems = DataFileError.lines { () throws(DataFileError) in try table.throwIfInvalid() }
        #expect(problems.count == 1)
        #expect(problems.first?.contains(":4:7: has a decimal comma, so the number in line 2 may have points") ?? false)
    }

    @Test(
        "A column with ambiguous points is reported unless other cells decide",
        arguments: [
            (["1.118", "1.204"], nil, ["1.118", "1.204"], true), (["1.118", "12.5"], nil, ["1.118", "12.5"], false),
            (["0.118", "1.118"], nil, ["0.118", "1.118"], false),
            (["1.118,0", "1.204"], nil, ["1118.0", "1204"], false),
            (["1.118.000", "1.204"], nil, ["1118000", "1204"], false),
            (["118", "1.204"], nil, ["118", "1.204"], true),
            (["1.118", "1.204"], "comma", ["1118", "1204"], false),
            (["1.118", "1.204"], "point", ["1.118", "1.204"], false),
            (["1.118ms", "1.204 ms"], "comma", ["1118ms", "1204 ms"], false),
            (["118", "7"], nil, ["118", "7"], false),
        ] as [([String], String?, [String], Bool)]
    )
    func ambiguousPoints(cells: [String], mark: String?, numbers: [String], isNamed: Bool) throws {
        var format = DelimitedFormat.recognized
        format.decimalMark = mark.flatMap(DelimitedFormat.decimalMark)
        var table = try CSVTable(CSVReader("a;b\n" + cells.map { "\($0);x\n" }.joined(), format))
        var found: [String] = []
        while try table.advance() { found.append(String(decoding: table.number(0), as: UTF8.self)) }
        #expect(found == numbers)
        let line = cells[0] == "118" ? 3 : 2
        #expect(
            table.decimalRemarks(setting: "Settle it.")
                == (isNamed
                    ? [
                        "Numbers of a such as \"\(cells[line - 2])\" in line \(line) may have a decimal point or points between "
                            + "thousands; they are read with a decimal point. Settle it."
                    ] : [])
        )
    }

    @Test(
        "Tables drawn with pipes: spaces around the fields, a line below the header",
        arguments: [" a  | b \n----+---\n 1  | x \n", "| a | b |\n|---|:-:|\n| 1 | x |\n"]
    )
    func drawn(text: String) throws {
        var table = try CSVTable(CSVReader(text))
        let (a, b) = (table.column("a") ?? 0, table.column("b") ?? 0)
        #expect(try table.advance())
        #expect([table.row.text(a), table.row.text(b)] == ["1", "x"])
        #expect(try !table.advance())
        try table.throwIfInvalid()
    }

    private func read(
        _ text: String,
        _ format: DelimitedFormat = .recognized
    ) throws -> (rows: [[String]], problems: [String]) {
        var table = try CSVTable(CSVReader(text, format))
        var rows: [[String]] = []
        while try table.advance() { rows.append(table.row.fields.indices.map(table.row.text)) }
        return (rows, DataFileError.lines { () throws(DataFileError) in try table.throwIfInvalid() })
    }
}
