import Experiments
internal import Foundation
import TextFormats

/// The directory that holds the results of a run, or of a sweep.
///
/// A new set of files is written whole into a hidden directory beside the old one, and the two then trade names in one
/// step of the file system: a reader finds the old set or the new one, never a mixture, also after a kill. A kill can
/// leave the hidden directory behind, which is of no more use.
///
/// Files in a run directory that no run writes (notes, say) move over to the new set. A directory that holds files but
/// is no run directory is left alone.
public struct RunDirectory: Hashable, Sendable {
    /// Where it is, or is to be; absolute, without symbolic links.
    public let path: String
    /// Whose results it holds.
    public let content: Content

    /// A directory, which need not exist.
    public init(path: String, content: Content = .run) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
        self.content = content
    }

    /// Whose results a directory holds.
    public enum Content: String, Hashable, Sendable {
        /// Those of a run, a sweep or a search, known by their `run.json`, `sweep.json` or `tune.json`.
        case run
        /// Those of a fit, known by their `fit.json`.
        case fit
        /// A comparison of two runs, known by its `comparison.json`.
        case comparison

        /// The files, by name and by the beginning of their `…_id`, without one of which a directory with files is left alone.
        var marks: [String] {
            switch self {
            case .run: ["run", "sweep", "tune"]
            case .fit: ["fit"]
            case .comparison: ["comparison"]
            }
        }

        /// What belongs to the results besides charts: files, and what is rendered from them, which new results outdate.
        var ownNames: Set<String> {
            switch self {
            case .run:
                [
                    "checks.csv", "histograms.csv", "junit.xml", ParquetExport.directoryName, "replications.csv",
                    RenderedReport.fileName, "report.md", "run.json", "scenario.resolved.yaml", "share.json",
                    "summary.csv",
                    "timeseries.csv", "timeseries_by_city.csv", RunDirectory.timingName, "effects.csv", "pareto.csv",
                    "points.csv", "results.csv",
                    "sensitivity.csv", "sweep.json", "tune.csv", "tune.json",
                ]
            case .fit:
                ["fit.csv", "fit.json", RenderedReport.fileName, "report.md"]
            case .comparison:
                ["comparison.json", RenderedReport.fileName, "report.md"]
            }
        }
    }

    private static let timingName = "timing.json"

    /// Writes result files in place of those that were there before.
    ///
    /// `timing.json` of the run before goes with them. The new one is a part of the set: written beside it later, a kill would leave
    /// a part of it there, which further runs would carry over.
    ///
    /// - Parameters:
    ///   - timing: How long the run took, and on what; nil where that is not told.
    ///   - finish: Adds to the new set, in its hidden directory, what is made of the files.
    /// - Throws: When something else is in the way or the system refuses; the old files are untouched then.
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

    /// Whether the results of a run are there to be replaced; false for an empty directory and for none.
    ///
    /// - Throws: When something else is there.
    public func holdsRun() throws(RunDirectoryError) -> Bool {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return false }
        guard isDirectory.boolValue else { throw .occupied(path: path, by: .file) }
        let isMarked = content.marks.contains { mark in
            let bytes = try? InputFile.bytes(of: path + "/\(mark).json", limit: Self.largestFile)
            // A text, in the first version already.
            return (try? JSONMembers(bytes ?? []))?["\(mark)_id"]?.text?.isEmpty == false
        }
        if isMarked { return true }
        guard try RunDirectory.names(in: path).isEmpty else {
            throw .occupied(path: path, by: .otherFiles(without: content))
        }
        return false
    }

    /// Copies what no run writes.
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

    /// Larger files of results are refused unread [bytes].
    private static let largestFile = 1 << 26

    /// The bytes of a file of results.
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

    /// Does a step of the file system, with a typed error that says which.
    static func attempt<Result>(
        _ step: String,
        _ path: String,
        _ body: () throws -> Result
    ) throws(RunDirectoryError) -> Result {
        do {
            return try body()
        } catch {
            throw .refused(step: step, path: path, reason: reason(of: error))
        }
    }

    /// The system's own words where there are any, for Foundation's name the file again.
    private static func reason(of error: any Error) -> String {
        let error = error as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        guard underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(underlying.code)))
    }
}
