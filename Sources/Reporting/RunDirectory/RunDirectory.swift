internal import Foundation
import InputFiles
import TextFormats

/// The directory of the results of a run or a sweep.
///
/// A new set of files is written to a hidden directory beside the old one. The file system then exchanges the two names
/// in one step, so a reader finds the old set or the new one and never a mixture, even after a kill. A kill can leave
/// the hidden directory behind, which is of no further use.
///
/// Files in a run directory that no run writes, such as notes, are copied to the new set. A directory with files that
/// is not a run directory is left alone.
public struct RunDirectory: Hashable, Sendable {
    /// The absolute path, without symbolic links; the directory need not exist.
    public let path: String
    /// The kind of results.
    public let content: Content

    /// Creates a reference to a directory, which need not exist.
    public init(path: String, content: Content = .run) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
        self.content = content
    }

    /// The kind of results in a directory.
    public enum Content: String, Hashable, Sendable {
        /// A run, a sweep or a search, marked by its `run.json`, `sweep.json` or `tune.json`.
        case run
        /// A fit, marked by its `fit.json`.
        case fit
        /// A comparison of two runs, marked by its `comparison.json`.
        case comparison

        /// The marking files, by name and by the beginning of their `…_id`.
        ///
        /// A directory with files but without any mark is left alone.
        var marks: [String] {
            switch self {
            case .run: ["run", "sweep", "tune"]
            case .fit: ["fit"]
            case .comparison: ["comparison"]
            }
        }

        /// The names of the results besides charts.
        ///
        /// They include rendered files, which new results make obsolete.
        var ownNames: Set<String> {
            switch self {
            case .run:
                [
                    "brief.html", "checks.csv", "histograms.csv", "junit.xml", ParquetExport.directoryName,
                    "replications.csv",
                    RenderedReport.fileName, "report.md", "run.json", "scenario.resolved.yaml", "share.json",
                    "summary.csv",
                    "timeseries.csv", "timeseries_by_city.csv", "timeseries_by_cohort.csv", RunDirectory.timingName,
                    "effects.csv", "pareto.csv",
                    "points.csv", "results.csv",
                    "sensitivity.csv", "sweep.json", "today.csv", "tune.csv", "tune.json",
                ]
            case .fit:
                ["fit.csv", "fit.json", RenderedReport.fileName, "report.md"]
            case .comparison:
                ["comparison.json", RenderedReport.fileName, "report.md"]
            }
        }
    }

    private static let timingName = "timing.json"

    /// Writes result files, replacing the previous ones.
    ///
    /// The previous `timing.json` is replaced too. The new one belongs to the set: if it were written separately, a
    /// kill could leave a partial file, which further runs would copy.
    ///
    /// - Parameters:
    ///   - timing: The duration and the machine of the run; nil if they are not recorded.
    ///   - finish: Adds files made from the others to the new set, in its hidden directory.
    /// - Throws: An error if other files are in the way or the system refuses; the old files are untouched then.
    public func write(
        _ files: RunFiles,
        _ timing: Timing? = nil,
        finish: (_ directory: String) throws(RunDirectoryError) -> Void = { _ throws(RunDirectoryError) in }
    ) throws(RunDirectoryError) {
        let isNew = try !holdsRun()
        let replacement = DirectoryReplacement(of: path)
        do {
            try replacement.prepare()
            for file in files.files { try replacement.write(file.text, to: file.path) }
            if let timing { try replacement.write(timing.json.text, to: RunDirectory.timingName) }
            try finish(replacement.partial)
            if !isNew { try carryOver(into: replacement) }
            try replacement.commit(isNew: isNew)
        } catch {
            replacement.discard()
            throw error
        }
    }

    /// Returns true if the directory holds results that can be replaced; false if it is empty or missing.
    ///
    /// - Throws: An error if it holds anything else.
    public func holdsRun() throws(RunDirectoryError) -> Bool {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return false }
        guard isDirectory.boolValue else { throw .occupied(path: path, by: .file) }
        let isMarked = content.marks.contains { mark in
            let bytes = try? InputFile.bytes(of: path + "/\(mark).json", limit: Self.largestFile)
            // The identifier has been a text since the first version.
            return (try? JSONMembers(bytes ?? []))?["\(mark)_id"]?.text?.isEmpty == false
        }
        if isMarked { return true }
        guard try RunDirectory.names(in: path).isEmpty else {
            throw .occupied(path: path, by: .otherFiles(without: content))
        }
        return false
    }

    /// Copies the files that no run writes.
    private func carryOver(into replacement: borrowing DirectoryReplacement) throws(RunDirectoryError) {
        for name in try RunDirectory.names(in: path) where !content.ownNames.contains(name) {
            guard name == "charts" else {
                try replacement.copy(from: path + "/" + name, to: name)
                continue
            }
            let charts = path + "/" + name
            for chart in try RunDirectory.names(in: charts) where !chart.hasSuffix(Chart.fileSuffix) {
                try replacement.copy(from: charts + "/" + chart, to: name + "/" + chart)
            }
        }
    }

    /// The size above which files of results are refused unread [bytes].
    private static let largestFile = 1 << 26

    /// Returns the bytes of a file of results.
    static func contents(of path: String) throws(RunDirectoryError) -> [UInt8] {
        do {
            return try InputFile.bytes(of: path, limit: largestFile)
        } catch {
            throw error == .missing ? .missing(path: path) : .unreadable(path: path, reason: error.description)
        }
    }

    private static func names(in directory: String) throws(RunDirectoryError) -> [String] {
        try attempt("reading", directory) { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
    }

    /// Performs a step of the file system, with a typed error that names the step.
    static func attempt<Result>(
        _ step: String,
        _ path: String,
        _ body: () throws -> Result
    ) throws(RunDirectoryError) -> Result {
        do {
            return try body()
        } catch {
            throw .refused(step: step, path: path, reason: SystemWords.reason(of: error))
        }
    }
}
