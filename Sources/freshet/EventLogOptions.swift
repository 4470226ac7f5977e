import ArgumentParser
import Foundation
import LiveActivityModel
import Quantities
import Reporting
import Shell
import Studies
import Traces

/// The options of a command that writes an event log.
struct EventLogOptions: ParsableArguments {
    @Option(
        name: .customLong("event-log"),
        help: """
            Also write what a server can know of the first replication, one event a row, to this file: NDJSON, or CSV or \
            Parquet if the name ends in .csv or .parquet.
            """,
        completion: .file(extensions: ["ndjson", "csv", "parquet"])
    )
    var path: String?

    @Flag(help: "In the event log, replace the numbers of rides by hashes.")
    var hashIds = false

    @Flag(help: "In the event log, also write which pushes phones showed, as if apps reported it.")
    var logScreens = false

    func validate() throws {
        try demand(path != nil || !hashIds && !logScreens, "--hash-ids and --log-screens need --event-log")
    }

    /// Refuses a scenario whose pushes a log of rides cannot state.
    ///
    /// - Throws: `ValidationError`.
    func check(_ scenario: Scenario) throws {
        try demand(
            path == nil || !scenario.hasChannels,
            "--event-log cannot be combined with groups.by: channel: a push to a channel belongs to no ride, and a row needs one; allowed: "
                + "groups.by: tokens"
        )
    }

    private var isParquet: Bool { path?.hasSuffix(".parquet") ?? false }

    /// The spool of the log; nil if none is requested.
    func spool() throws -> EventLogSpool? {
        guard let path else { return nil }
        // A run need not end to find out that Parquet cannot be written.
        if isParquet { _ = try ParquetExport.python(notify: printError) }
        try? FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        // Parquet is made of CSV.
        let text = isParquet ? "\(path).\(ProcessInfo.processInfo.processIdentifier).csv" : path
        return EventLogSpool(path: text, log: path, withScreens: logScreens)
    }

    /// Writes the log of a run that has ended.
    ///
    /// - Throws: `EventLogSpool.WriteError`, `ExportError`.
    func write(_ spool: EventLogSpool?, of world: World) throws {
        guard let spool, let path else { return }
        let scenario = world.scenario
        let writer = EventLogWriter(
            isParquet || path.hasSuffix(".csv") ? .csv : .ndjson,
            stages: scenario.rides.stages.map(\.name),
            origin: scenario.clock.start.timeOfDay.microseconds,
            hashKey: hashIds ? scenario.seed : nil
        )
        try spool.finish(writer)
        guard isParquet else { return }
        defer { unlink(spool.path) }
        try ParquetExport.writeLog(spool.path, to: path, python: ParquetExport.python(notify: printError))
    }
}
