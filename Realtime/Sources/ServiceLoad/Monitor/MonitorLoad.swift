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
    /// The beginning of the instances' names, before their numbers; see ``LoadInstances``.
    package var prefix: String
    /// The most connections.
    package var connections = 64

    /// A load.
    package init(
        monitor: String,
        secret: String,
        authority: String?,
        schedule: LoadSchedule,
        operations: MonitorOperations,
        prefix: String
    ) {
        self.monitor = monitor
        self.secret = secret
        self.authority = authority
        self.schedule = schedule
        self.operations = operations
        self.prefix = prefix
    }

    /// Sends all requests, waits for the answers, and then withdraws the instances that it has published; see ``LoadRun``.
    package func run(endingWith end: EarlyEnd, report: (LoadProgress) -> Void) async throws -> LoadProgress {
        let client = try MonitorClient(monitor: monitor, secret: secret, authority: authority, connections: connections)
        let run = LoadRun(schedule, on: [MultiThreadedEventLoopGroup.singleton.next()]) { _ in
            MonitorTarget(operations, over: client, prefix: prefix)
        }
        return try await working {
            var progress = try await run.run(endingWith: end, report: report)
            // A monitor that has answered nothing has published nothing.
            guard progress.tally.learnt.answered > 0 else { return progress }
            let names = operations.instances(after: progress.tally.requests).map { "\(prefix)\($0)" }
            progress.remaining = await LoadInstances.withdraw(names, from: client, of: end)
            return progress
        } finally: {
            await client.shutDown()
        }
    }
}
