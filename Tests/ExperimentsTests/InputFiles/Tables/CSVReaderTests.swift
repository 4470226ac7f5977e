import TestSupport
import Testing

@testable import InputFiles

@Suite("CSV reader")
struct CSVReaderTests {
    @Test(
        "Text is split into records",
        arguments: [
            ("", []),
            ("\n\r\n\n", []),
            ("a", [["a"]]),
            ("a\n", [["a"]]),
            ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]),
            ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
            ("a\n\nb\n", [["a"], ["b"]]),
            (",\n", [["", ""]]),
            ("a,,c", [["a", "", "c"]]),
            (" a , b ", [[" a ", " b "]]),
            ("\"\"", [[""]]),
            ("\"a\",\"b\"\r\n", [["a", "b"]]),
            ("\"a,b\",c", [["a,b", "c"]]),
            ("\"a\nb\r\nc\",d\ne,f", [["a\nb\r\nc", "d"], ["e", "f"]]),
            ("\"say \"\"so\"\"\",x", [["say \"so\"", "x"]]),
            ("\"\"\"\"", [["\""]]),
            ("\"\"\"\"\"\",", [["\"\"", ""]]),
            ("\u{FEFF}a,b\n", [["a", "b"]]),
            ("\u{FEFF}\"a\"\n", [["a"]]),
            ("é,日本,👍🏽\n", [["é", "日本", "👍🏽"]]),
        ] as [(String, [[String]])]
    )
    func records(text: String, expected: [[String]]) throws {
        var reader = CSVReader(text)
        let (records, diagnostics) = try reader.everything()
        #expect(records == expected)
        #expect(diagnostics == [])
    }

    @Test(
        "A problem has its place, and the records around it are read",
        arguments: [
            (
                "a\"b,c\nd\n", [["d"]],
                "1:2: a field that does not begin with a quote contains one; "
                    + "put the field in quotes and double the quote inside"
            ),
            (
                "a\n\"b\" ,c\nd\n", [["a"], ["d"]],
                "2:4: text follows a closing quote; allowed: the separator, the end of the line, or a second quote"
            ),
            ("a\rb\nc", [["c"]], "1:2: a carriage return has no line feed after it; end lines with LF or CRLF"),
            ("a\nb\r", [["a"]], "2:2: a carriage return has no line feed after it; end lines with LF or CRLF"),
            ("a,b\u{0},c\nd\n", [["d"]], "1:4: the row contains a NUL byte; the file must be text in UTF-8"),
            (
                "a\n\"é\n\",\"b\nc,d\n", [["a"]],
                "3:3: the quoted field that begins here is not closed before the end of the file or within 1 MiB"
            ),
        ] as [(String, [[String]], String)]
    )
    func problem(text: String, sound: [[String]], problem: String) throws {
        var reader = CSVReader(text)
        let (records, diagnostics) = try reader.everything()
        #expect(records == sound)
        #expect(diagnostics == ["rides.csv:" + problem])
    }

    @Test(
        "Invalid UTF-8 is found field by field",
        arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]]
    )
    func notUTF8(bytes: [UInt8]) throws {
        var reader = CSVReader(bytes: Array("é,\"b".utf8) + bytes + Array("\"\nc,d\n".utf8))
        let (records, diagnostics) = try reader.everything()
        #expect(records == [["c", "d"]])
        #expect(diagnostics == ["rides.csv:1:3: field 2 of the row is not UTF-8; save the file as UTF-8"])
    }

    @Test("Records across the boundaries of read buffers are complete")
    func chunks() throws {
        let lines = (0..<30_000).map { "\($0),\"line \($0)\",é" }
        var reader = CSVReader(lines.joined(separator: "\r\n"))
        let (records, diagnostics) = try reader.everything()
        #expect(records == (0..<30_000).map { ["\($0)", "line \($0)", "é"] })
        #expect(diagnostics == [])
    }

    @Test("A record of exactly the limit is accepted, one more byte is rejected")
    func longestRecord() throws {
        let longest = String(repeating: "x", count: CSVReader.longestRecord - 1)
        var reader = CSVReader("a\n\(longest)\nb\n")
        #expect(try reader.everything().records.map { $0[0].utf8.count } == [1, CSVReader.longestRecord - 1, 1])

        var tooLong = CSVReader("a\n\(longest)xx\nb\n")
        let (records, diagnostics) = try tooLong.everything()
        #expect(records == [["a"]])
        #expect(diagnostics == ["rides.csv:2:1: the row is longer than 1 MiB; the rest of the file is not read"])

        var notClosed = CSVReader("a\nb,\"\(longest)\n\(longest)\"\n")
        #expect(
            try notClosed.everything().diagnostics == [
                "rides.csv:2:3: the quoted field that begins here is not closed before the end of the file or within 1 MiB"
            ]
        )
    }

    @Test("Truncated text gives records or one problem, and reading ends")
    func truncated() throws {
        let text = Array("a,\"b \"\"c\"\"\nd\",é\r\n\"\",f\r\n".utf8)
        for length in 0...text.count {
            var reader = CSVReader(bytes: Array(text[..<length]))
            let (records, diagnostics) = try reader.everything()
            #expect(records.count <= 2 && diagnostics.count <= 1, "\(length) bytes")
            #expect(records.count + diagnostics.count == (length == 0 ? 0 : length <= 18 ? 1 : 2), "\(length) bytes")
        }
    }

    @Test("A file that is not CSV is rejected")
    func notAFile() throws {
        let directory = Scratch()
        let path = directory.path
        let parquet = try directory.write("PAR1....", to: "trips.parquet")
        #expect(throws: DataFileError.missing(file: path + "/none.csv")) { try read(path + "/none.csv") }
        #expect(throws: DataFileError.unreadable(file: path, reason: "is a directory, must be a CSV file")) {
            try read(path)
        }
        #expect(
            throws: DataFileError.unreadable(
                file: parquet,
                reason: "is a Parquet file, must be CSV; convert it to CSV first"
            )
        ) { try read(parquet) }
    }

    private func read(_ path: String) throws {
        var reader = try CSVReader(path: path)
        _ = try reader.everything()
    }
}
