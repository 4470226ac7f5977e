import CEmbeddedFiles
import ExternalPrograms
import Foundation
import TextFormats

/// Some columns of a Parquet file as CSV, converted by Apache Arrow's Python package while they are read.
///
/// There is no Swift package that reads Parquet. Neither process holds more than a part of the file.
final class ParquetBytes: ByteSource {
    private let file: String
    private let program: RunningProgram

    /// Starts to read a file.
    ///
    /// - Parameters:
    ///   - columns: The columns to read, if the file has them; nil for all. If it has none of them, only its header is
    ///     returned.
    ///   - variables: The environment variables that locate Python's packages.
    ///   - notify: Called with a line of text before something that takes a while.
    /// - Throws: ``DataFileError`` if there is no such Python.
    init(
        file: String,
        columns: [String]?,
        variables: [String: String] = ProcessInfo.processInfo.environment,
        notify: (String) -> Void
    ) throws(DataFileError) {
        self.file = file
        let python: String
        do {
            python = try PythonEnvironment.parquet.executable(variables: variables, notify: notify)
        } catch {
            throw .unavailable(file: file, reason: Self.wayOn("\(error)"))
        }
        let script = String(cString: embedded_text("read_parquet.py"))
        let arguments = [PythonProgram.absolute(file)] + (columns ?? ["*"])
        guard let program = PythonProgram(python, script: script, arguments).start() else {
            throw .unavailable(file: file, reason: Self.wayOn("\(python) cannot be run"))
        }
        self.program = program
    }

    /// Returns `true` if a file begins like a Parquet file.
    static func isParquet(_ path: String) -> Bool {
        // A stream provides each byte only once.
        guard !InputFile.isOpenStream(path), let file = try? InputFile(path) else { return false }
        var start = [UInt8](repeating: 0, count: mark.count)
        return (try? start.withUnsafeMutableBytes(file.read)) == mark.count && start == mark
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DataFileError) -> Int {
        let count = program.read(into: buffer)
        if count > 0 { return count }
        let outcome = program.outcome()
        guard count == 0, outcome.status == 0 else {
            let reason = outcome.text.split(separator: "\n").last.map { OneLine.excerpt(String($0), longest: 300) }
            throw .unreadable(
                file: file,
                reason: "cannot be read as Parquet: \(reason ?? "its reader was stopped by signal \(outcome.status)")"
            )
        }
        return 0
    }

    private static let mark = Array("PAR1".utf8)

    private static func wayOn(_ reason: String) -> String {
        "is a Parquet file, which needs the Python package pyarrow, and that is not installed: \(reason); or convert it to CSV, "
            + "for example with duckdb -csv -c \"FROM 'trips.parquet'\" > trips.csv"
    }
}

extension CSVReader {
    /// Opens a file; a Parquet file is read as CSV with commas.
    ///
    /// - Parameters:
    ///   - columns: The columns to read, in any case and with any separators between their words; nil for all.
    ///   - notify: Called with a line of text before a step that takes a while.
    package init(
        path: String,
        columns: [String]?,
        format: DelimitedFormat = .recognized,
        notify: (String) -> Void
    ) throws(DataFileError) {
        if ParquetBytes.isParquet(path) {
            self.init(
                file: path,
                source: try ParquetBytes(file: path, columns: columns, notify: notify),
                format: .comma
            )
        } else {
            try self.init(path: path, format: format)
        }
    }
}
