import CEmbeddedFiles
import ExternalPrograms
internal import Foundation
import InputFiles

/// The CSV files of a result directory as Parquet, written by Apache Arrow's Python package.
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
        let python: String
        do {
            python = try PythonEnvironment.parquet.executable(notify: notify)
        } catch {
            throw .unavailable("Parquet needs the Python package pyarrow, which is missing: \(error)")
        }
        let script = String(cString: embedded_text("write_parquet.py"))
        let paths = [directory, output].map(PythonProgram.absolute)
        guard let process = PythonProgram(python, script: script, paths).run() else {
            throw .unavailable("\(python) cannot be run")
        }
        guard process.status == 0 else {
            let reason = process.text.split(separator: "\n").last.map(String.init) ?? "\(python) was stopped"
            throw .cannotWrite(path: output, reason: reason)
        }
        return names.map { $0.dropLast(4) + ".parquet" }
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
