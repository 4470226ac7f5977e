package import LoadGenerator
import NIOPosix
package import Shell

/// An open-loop load on a Freshness Monitor.
package struct MonitorLoad: Load {
    /// The monitor's address, in the form `https://HOST:PORT`.
    package var monitor: String
    /// The bearer token of requests.
    package var secret: String
    /// A file (PEM) of certificate authorities to trust instead of the system's.
    package var authority: String?
    /// The due times of requests.
    package var schedule: LoadSchedule
    /// The requests.
    package var operations: MonitorOperations
    /// The most connections.
    package var connections = 64

    /// A load.
    package init(
        monitor: String,
        secret: String,
        authority: String?,
        schedule: LoadSchedule,
        operations: MonitorOperations
    ) {
        self.monitor = monitor
        self.secret = secret
        self.authority = authority
        self.schedule = schedule
        self.operations = operations
    }

    /// Sends all requests and waits for the answers; see ``LoadRun``.
    package func run(endingWith end: EarlyEnd, report: (LoadProgress) -> Void) async throws -> LoadProgress {
        let client = try MonitorClient(monitor: monitor, secret: secret, authority: authority, connections: connections)
        let run = LoadRun(schedule, on: [MultiThreadedEventLoopGroup.singleton.next()]) { _ in
            MonitorTarget(operations, over: client)
        }
        return try await working {
            try await run.run(unixMicroseconds: WallClock.microseconds, endingWith: end, report: report)
        } finally: {
            await client.shutDown()
        }
    }
}
