internal import Foundation
import InputFiles
import Shell
public import Studies
public import TextFormats
public import Traces

/// The file of an event log that a command writes: NDJSON, or CSV or Parquet if the name ends in `.csv` or `.parquet`.
public struct EventLogFile: Hashable, Sendable {
    /// The path.
    public let path: String

    /// The log at a path.
    public init(_ path: String) { self.path = path }

    /// The refusal of a scenario whose pushes a log of rides cannot state.
    public static let noChannels =
        "--event-log cannot be combined with groups.by: channel: a push to a channel belongs to no ride, and a row needs one; allowed: "
        + "groups.by: tokens"

    private var isParquet: Bool { path.hasSuffix(".parquet") }
    /// The form of its text; Parquet is made of CSV.
    public var form: EventLogWriter.Form { isParquet || path.hasSuffix(".csv") ? .csv : .ndjson }

    /// Refuses a log that would overwrite an input of its command.
    ///
    /// - Parameter inputs: The options or arguments of the inputs, with their paths; nil: not given.
    /// - Throws: `ValidationError` if the log and an input are one file, also by a link or another spelling.
    public func check(against inputs: [(name: String, path: String?)]) throws {
        for (name, input) in inputs {
            guard let input, SystemFile.isSame(path, input) else { continue }
            try demand(
                false,
                "--event-log and \(name) must be two files, because the log would overwrite the input, got \(path) and \(input)"
            )
        }
    }

    /// Makes the directory of the log, and checks that the log can be written, before a run or a load begins.
    ///
    /// - Throws: ``WriteError``; ``ExportError`` if Parquet cannot be written here.
    public func prepare() throws {
        if isParquet { _ = try ParquetExport.python(notify: printError) }
        try? FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw WriteError(description: "\(path): cannot be written: not a regular file")
        }
        // The log is written beside its path and renamed.
        let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
        let file = open(temporary, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            throw WriteError(description: "\(path): cannot be written: \(SystemFile.problem)")
        }
        close(file)
        unlink(temporary)
    }

    /// Returns the spool of the log.
    ///
    /// - Parameter withScreens: `true` if the rows of phones that report what they show are written.
    /// - Throws: The errors of ``prepare()``; a run need not end to find out that its log cannot be written.
    public func spool(withScreens: Bool = false) throws -> EventLogSpool {
        try prepare()
        // Parquet is made of CSV.
        let text = isParquet ? "\(path).\(ProcessInfo.processInfo.processIdentifier).csv" : path
        return EventLogSpool(path: text, log: path, withScreens: withScreens)
    }

    /// Writes the log of a run that has ended.
    ///
    /// - Parameters:
    ///   - stages: The names of the stages by their number.
    ///   - origin: The start of the run on the log's axis [µs].
    ///   - hashKey: The key of the hashes of rides; nil to write their numbers.
    /// - Throws: `EventLogSpool.WriteError`, ``ExportError``.
    public func write(_ spool: EventLogSpool, stages: [String], origin: Int64, hashKey: UInt64? = nil) throws {
        try spool.finish(EventLogWriter(form, stages: stages, origin: origin, hashKey: hashKey))
        guard isParquet else { return }
        defer { unlink(spool.path) }
        try ParquetExport.writeLog(spool.path, to: path, python: ParquetExport.python(notify: printError))
    }

    /// The reason why a log was not written.
    public struct WriteError: UserError {
        /// The log, with the reason.
        public let description: String
        public var failure: FailureKind { .cannotWrite }
    }

    /// Writes the log from its text in another file.
    ///
    /// - Throws: ``WriteError``, ``ExportError``.
    public func take(_ text: String) throws {
        if isParquet {
            return try ParquetExport.writeLog(text, to: path, python: ParquetExport.python(notify: printError))
        }
        let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
        defer { unlink(temporary) }
        do {
            try FileManager.default.copyItem(atPath: text, toPath: temporary)
        } catch {
            throw WriteError(description: "\(path): cannot be written: \(error.localizedDescription)")
        }
        guard rename(temporary, path) == 0 else {
            throw WriteError(description: "\(path): cannot be written: \(SystemFile.problem)")
        }
    }
}
