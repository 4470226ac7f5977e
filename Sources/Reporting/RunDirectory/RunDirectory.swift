internal import Foundation

/// The directory that holds the results of a run, or of a sweep.
///
/// A new set of files is written whole into a hidden directory beside the old one, and the two then trade names in one
/// step of the file system. Whoever looks, and whatever is killed when, finds the old set or the new one, never a
/// mixture. A kill can leave the hidden directory behind, which is of no more use.
///
/// Files in a run directory that no run writes (notes, say) move over to the new set. A directory that holds files but
/// is no run directory is left alone.
public struct RunDirectory: Hashable, Sendable {
    /// Where it is, or is to be; absolute, without symbolic links.
    public let path: String

    /// A directory, which need not exist.
    public init(path: String) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// What belongs to a run besides its charts: its files, and what is rendered from them, which a new run outdates.
    private static let ownNames: Set<String> = [
        "checks.csv", "histograms.csv", "junit.xml", ParquetExport.directoryName, "replications.csv",
        RenderedReport.fileName, "report.md", "run.json", "scenario.resolved.yaml", "summary.csv", "timeseries.csv",
        timingName, "effects.csv", "pareto.csv", "points.csv", "results.csv", "sensitivity.csv", "sweep.json",
        "tune.csv", "tune.json",
    ]
    private static let chartsName = "charts"
    private static let timingName = "timing.json"

    /// Writes a run's files in place of those of the run before.
    ///
    /// `timing.json` of the run before goes with them.
    ///
    /// - Throws: When something else is in the way or the system refuses; the old files are untouched then.
    public func write(_ files: RunFiles) throws(RunDirectoryError) {
        let isNew = try !holdsRun()
        let replacement = DirectoryReplacement(of: path)
        do {
            try replacement.prepare()
            for file in files.files {
                try replacement.write(file.text, to: file.path)
            }
            if !isNew {
                try carryOver(into: replacement)
            }
            try replacement.commit(isNew: isNew)
        } catch {
            replacement.discard()
            throw error
        }
    }

    /// Writes how long a run took, and on what, beside its results.
    ///
    /// - Throws: When the system refuses.
    public func write(_ timing: Timing) throws(RunDirectoryError) {
        try RunDirectory.attempt("writing", path + "/" + RunDirectory.timingName) {
            try Data(timing.json.text.utf8)
                .write(to: URL(fileURLWithPath: path + "/" + RunDirectory.timingName), options: .atomic)
        }
    }

    /// Whether the results of a run are there to be replaced; false for an empty directory and for none.
    ///
    /// - Throws: When something else is there.
    public func holdsRun() throws(RunDirectoryError) -> Bool {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return false }
        guard isDirectory.boolValue else { throw .occupied(path: path, by: .file) }
        for name in ["run.json", "sweep.json", "tune.json"] {
            if let bytes = FileManager.default.contents(atPath: path + "/" + name),
                let mark = try? JSONDecoder().decode(RunMark.self, from: bytes), !(mark.run ?? mark.sweep ?? "").isEmpty
            {
                return true
            }
        }
        guard try RunDirectory.names(in: path).isEmpty else { throw .occupied(path: path, by: .otherFiles) }
        return false
    }

    /// What every `run.json` and every `sweep.json` has had since its first version.
    private struct RunMark: Decodable {
        let run: String?
        let sweep: String?

        enum CodingKeys: String, CodingKey {
            case run = "run_id"
            case sweep = "sweep_id"
        }
    }

    /// Copies what no run writes.
    private func carryOver(into replacement: borrowing DirectoryReplacement) throws(RunDirectoryError) {
        for name in try RunDirectory.names(in: path) where !RunDirectory.ownNames.contains(name) {
            if name == RunDirectory.chartsName {
                let charts = path + "/" + name
                for chart in try RunDirectory.names(in: charts) where !chart.hasSuffix(Chart.fileSuffix) {
                    try replacement.copy(from: charts + "/" + chart, to: name + "/" + chart)
                }
            } else {
                try replacement.copy(from: path + "/" + name, to: name)
            }
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
