import ArgumentParser
import LoadGenerator
import Quantities
import Reporting
import Shell
import Traces

/// The options of a load that replays the pushes of an event log.
struct ReplayOptions: ParsableArguments {
    @Option(
        name: .customLong("replay"),
        help: """
            Send the pushes of this event log at their own times from its first push: NDJSON, CSV or Parquet; repeatable for the \
            files of one log. Each push has its kind, its priority and its length from the log, and each ride a made-up token.
            """,
        completion: .file(extensions: ["ndjson", "json", "csv", "parquet"])
    )
    var files: [String] = []

    @Option(help: "With --replay: the speed relative to the log (default: 1).")
    var speed: Double?

    @OptionGroup var log: LogOptions

    /// An option that cannot be combined with a replay.
    struct Contradiction {
        let name: String
        let isGiven: Bool
        let reason: String

        init(_ name: String, _ isGiven: Bool, _ reason: String) {
            (self.name, self.isGiven, self.reason) = (name, isGiven, reason)
        }
    }

    /// `true` if a log is replayed.
    var isGiven: Bool { !files.isEmpty }

    /// Refuses options that contradict each other.
    func check(against others: [Contradiction]) throws {
        guard isGiven else {
            return try demand(
                speed == nil && log.mapping == nil && log.mostBadRows == LogOptions.usualMostBadRows,
                "--speed, --mapping and --most-bad-rows need --replay"
            )
        }
        for other in others where other.isGiven {
            throw ValidationError("--replay and \(other.name) are mutually exclusive: \(other.reason)")
        }
        try LoadOptions.check(speed: speed ?? 1, most: 10_000)
    }

    /// Reads the pushes of the log; nil without one.
    ///
    /// - Parameter limit: The time after which no push is sent any more; the rest of the log is not read.
    func read(seed: UInt64, within limit: TimeSpan?, showsProgress: Bool) throws -> ReplayedLog? {
        guard isGiven else { return nil }
        return try orExit {
            let speed = speed ?? 1
            let end = limit.map { Int64(Double($0.microseconds) * speed) }
            let reader = try LogPushReader(files: files, mapping: log.read(), before: end ?? .max, notify: printError)
            do {
                var builder = try PushReplayBuilder(speed: speed, seed: seed, limit: limit)
                while let push = try reader.next() {
                    try builder.add(
                        at: push.at,
                        ride: push.ride,
                        kind: push.kind,
                        priority: push.priority,
                        payloadBytes: push.payloadBytes
                    )
                    if showsProgress, reader.count % 100_000 == 0 {
                        ProgressLine.show("\(files[0]): \(ProgressLine.count(reader.count)) pushes read")
                    }
                }
                if showsProgress { ProgressLine.clear() }
                try reader.check(mostBadRows: log.mostBadRows)
                let log = ReplayedLog(
                    files: files,
                    pushes: try builder.finish(),
                    reader,
                    mapping: log.mapping
                )
                if showsProgress { for line in log.lines { printError(line) } }
                return log
            } catch let error as PushReplayBuilder.Failure {
                throw CommandError("\(error)", error.isOfFile ? Failure.cannotWrite : Failure.badData)
            }
        }
    }
}
