package import LoadGenerator
import NIOPosix
import Quantities
package import Shell
import Wire

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

    /// The TTL of content.
    private static let timeToLive = TimeSpan.minutes(2)

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
            ServiceTarget(
                client.client,
                headers: client.headers,
                kinds: MonitorOperations.kinds.map(\.rawValue),
                kind: { MonitorOperations.kinds.firstIndex(of: operations.operation($0).kind) },
                call: { call(operations.operation($0), due: $1) },
                answer: { APNsAnswer(monitor: $0) }
            )
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

    private func call(_ operation: MonitorOperations.Operation, due: Instant) -> ServiceTarget.Call {
        let body: String? =
            switch operation.kind {
            case .publish: operation.token.map { TokenPublication(token: $0).json }
            case .announce:
                ContentAnnouncement(
                    state: RideContent.state(generatedAt: due.microseconds),
                    generatedAt: due,
                    staleDate: due + Self.timeToLive
                )
                .json
            default: nil
            }
        let path = operation.kind.path(of: "\(prefix)\(operation.instance)")
        return ServiceTarget.Call(method: operation.kind.method, path: path, body: body)
    }
}
