import ArgumentParser
import LiveActivityModel
import Quantities
import Reporting
import Shell
import Studies

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

    /// Refuses a scenario whose pushes a log of rides cannot state, and a log in the place of the scenario.
    ///
    /// - Throws: `ValidationError`.
    func check(_ scenario: Scenario, from file: String) throws {
        if let path { try EventLogFile(path).check(against: [("the scenario", file)]) }
        try demand(path == nil || !scenario.hasChannels, EventLogFile.noChannels)
    }

    /// The spool of the log; nil if none is requested.
    func spool() throws -> EventLogSpool? { try path.map { try EventLogFile($0).spool(withScreens: logScreens) } }

    /// Writes the log of a run that has ended.
    ///
    /// - Throws: `EventLogSpool.WriteError`, `ExportError`.
    func write(_ spool: EventLogSpool?, of world: World) throws {
        guard let spool, let path else { return }
        let scenario = world.scenario
        try EventLogFile(path)
            .write(
                spool,
                stages: scenario.rides.stages.map(\.name),
                origin: scenario.clock.start.timeOfDay.microseconds,
                hashKey: hashIds ? scenario.seed : nil
            )
    }
}
