import Foundation
import TestSupport
import Testing

@testable import InputFiles

/// The Parquet reader with a stand-in for its program that needs no packages.
struct ParquetBytesTests {
    private let scratch = Scratch()

    /// Reads the output of a replacement for Python; returns the records and the lines of an error.
    private func read(_ body: String) throws -> (records: [[String]], errors: [String]) {
        // Python with only a script just imports it.
        let python = try scratch.write("#!/bin/sh\n[ $# = 3 ] && exit 0\n\(body)\n", to: "python")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: python)
        var records: [[String]] = []
        let errors = DataFileError.lines { () throws(DataFileError) in
            let source = try ParquetBytes(
                file: "trips.parquet",
                columns: ["a", "b"],
                variables: ["FRESHET_PYTHON": python],
                notify: { Issue.record("installed although nothing is missing: \($0)") }
            )
            var reader = CSVReader(file: "trips.parquet", source: source)
            while case .record = try reader.advance() {
                records.append(reader.record.fields.indices.map(reader.record.text))
            }
        }
        return (records, errors)
    }

    @Test("The required columns are requested, and the rows are the program's output")
    func rows() throws {
        let (records, errors) = try read("echo \"$(basename $4),$5,$6\"; echo 1,2,3")
        #expect(records == [["trips.parquet", "a", "b"], ["1", "2", "3"]])
        #expect(errors.isEmpty)
    }

    @Test("A truncated file is reported with the last line of the program's errors")
    func broken() throws {
        let (records, errors) = try read("echo a,b; echo 1,2; echo oh >&2; echo 'no footer' >&2; exit 1")
        #expect(records == [["a", "b"], ["1", "2"]])
        #expect(errors == ["trips.parquet: cannot be read as Parquet: no footer"])
    }

    @Test("A killed program is reported")
    func killed() throws {
        #expect(
            try read("echo a,b; kill -9 $$").errors == [
                "trips.parquet: cannot be read as Parquet: its reader was stopped by signal 9"
            ]
        )
    }

    @Test("A file is recognized by its first bytes, whatever its name")
    func mark() throws {
        #expect(ParquetBytes.isParquet(try scratch.write("PAR1....", to: "trips.csv")))
        #expect(!ParquetBytes.isParquet(try scratch.write("PAR", to: "trips.parquet")))
        #expect(!ParquetBytes.isParquet(scratch.path("none")))
        #expect(!ParquetBytes.isParquet(scratch.path))
    }
}
