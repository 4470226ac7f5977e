import Testing

@testable import Experiments

@Suite("CSV table")
struct CSVTableTests {
    @Test("Rows that are longer or shorter than the header are reported where they differ")
    func ragged() throws {
        let found = try read("a,b\n1\n1,2\n1,2,3\n1,\"2\",\"3\",4\n")
        #expect(found.rows == [["1", "2"]])
        #expect(
            found.problems == [
                "rides.csv:2:2: the row has 1 field, must have 2 as the header has",
                "rides.csv:4:5: the row has 3 fields, must have 2 as the header has",
                "rides.csv:5:7: the row has 4 fields, must have 2 as the header has",
            ]
        )
    }

    @Test(
        "A file without a sound header is refused",
        arguments: [
            ("", "1:1: the file is empty; it must begin with a header"),
            ("\u{FEFF}\n\n", "1:1: the file is empty; it must begin with a header"),
            ("a,\"b", "1:3: the quoted field that begins here is not closed by the end of the file or within 1 MiB"),
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
        "A column must be there once",
        arguments: [
            ("a,wanted\n", 1, []),
            ("\"wanted\"\n", 0, []),
            ("a,b\n", nil, ["1:1: column \"wanted\" is missing; the header has \"a\", \"b\""]),
            ("a,wantd\n", nil, ["1:1: column \"wanted\" is missing; did you mean \"wantd\"?"]),
            ("wonted,wantde\n", nil, ["1:1: column \"wanted\" is missing; did you mean \"wonted\"?"]),
            ("wanted,a,wanted\n", 0, ["1:10: column \"wanted\" is there more than once; its first place is field 1"]),
        ] as [(String, Int?, [String])]
    )
    func column(text: String, index: Int?, expected: [String]) throws {
        var table = try CSVTable(CSVReader(text))
        #expect(table.column("wanted") == index)
        let found = DataFileError.lines { () throws(DataFileError) in try table.throwIfInvalid() }
        #expect(found == expected.map { "rides.csv:" + $0 })
    }

    @Test("Only the first problems are shown, the others are counted")
    func manyProblems() throws {
        let found = try read("a,b\n" + String(repeating: "1\n", count: 173))
        #expect(found.rows == [])
        #expect(found.problems.count == 51)
        #expect(found.problems[49] == "rides.csv:51:2: the row has 1 field, must have 2 as the header has")
        #expect(found.problems[50] == "and 123 more")
    }

    private func read(_ text: String) throws -> (rows: [[String]], problems: [String]) {
        var table = try CSVTable(CSVReader(text))
        var rows: [[String]] = []
        while try table.advance() { rows.append(table.row.fields.indices.map(table.row.text)) }
        return (rows, DataFileError.lines { () throws(DataFileError) in try table.throwIfInvalid() })
    }
}
