import CEmbeddedFiles
import ExternalPrograms
internal import Foundation
import InputFiles

/// The CSV files of a result directory, or an event log, as Parquet, written by Apache Arrow's Python package.
///
/// No Swift package writes Parquet. The same CSV gives the same bytes, because the version of the Python package is
/// pinned.
public enum ParquetExport {
    /// The default directory for the files, within the result directory.
    public static let directoryName = "parquet"

    /// Writes one Parquet file for each CSV file.
    ///
    /// - Parameters:
    ///   - directory: A result directory.
    ///   - output: The output directory; it is created if needed.
    ///   - notify: Called with a line of text if something will take a while.
    /// - Returns: The names of the files, sorted.
    public static func write(
        _ directory: String,
        to output: String,
        notify: (String) -> Void = { _ in }
    ) throws(ExportError) -> [String] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
            .filter { $0.hasSuffix(".csv") }
            .sorted()
        guard !names.isEmpty else { throw .missing(path: directory + "/summary.csv") }
        let problems = names.compactMap { name in problem(of: "\(directory)/\(name)") }
        guard problems.isEmpty else { throw .invalid(problems) }
        do {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        } catch {
            throw .cannotWrite(path: output, reason: error.localizedDescription)
        }
        let python = try python(notify: notify)
        try run(python, [directory, output].map(PythonProgram.absolute), output: output)
        return names.map { $0.dropLast(4) + ".parquet" }
    }

    /// Writes an event log as Parquet, in bounded memory.
    ///
    /// - Parameters:
    ///   - csv: The log as CSV.
    ///   - python: The result of ``python(notify:)``.
    public static func writeLog(_ csv: String, to output: String, python: String) throws(ExportError) {
        try run(python, ["--log"] + [csv, output].map(PythonProgram.absolute), output: output)
    }

    /// The path of a Python that can write Parquet; it is installed if necessary.
    public static func python(notify: (String) -> Void) throws(ExportError) -> String {
        do {
            return try PythonEnvironment.parquet.executable(notify: notify)
        } catch {
            throw .unavailable("Parquet needs the Python package pyarrow, which is missing: \(error)")
        }
    }

    private static func run(_ python: String, _ arguments: [String], output: String) throws(ExportError) {
        let script = String(cString: embedded_text("write_parquet.py"))
        guard let process = PythonProgram(python, script: script, arguments).run() else {
            throw .unavailable("\(python) cannot be run")
        }
        guard process.status == 0 else {
            let reason = process.text.split(separator: "\n").last.map(String.init) ?? "\(python) was stopped"
            throw .cannotWrite(path: output, reason: reason)
        }
    }

    /// The size limit [bytes]: Arrow holds a whole file in memory, and several times as much while it infers the types.
    private static let largestFile = 1 << 30

    private static func problem(of path: String) -> String? {
        do throws(InputFile.Refusal) {
            let file = try InputFile(path)
            return file.size <= largestFile ? nil : "\(path): \(InputFile.Refusal.tooLarge(limit: largestFile))"
        } catch {
            return "\(path): \(error)"
        }
    }
}
