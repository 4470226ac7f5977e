package import LoadGenerator
import NIOCore
import NIOPosix
import Quantities
package import Shell
package import Wire

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
    /// The TTL of content [s].
    var timeToLive: Int64 = 120
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
            MonitorTarget(self, over: client)
        }
        return try await working {
            try await run.run(unixMicroseconds: WallClock.microseconds, endingWith: end, report: report)
        } finally: {
            await client.shutDown()
        }
    }
}

/// A Freshness Monitor under a load.
final class MonitorTarget: LoadTarget {
    private let load: MonitorLoad
    private let client: MonitorClient
    private var begin = NIODeadline.distantFuture
    private var unixMicrosecondsAtBegin: Int64 = 0

    let kinds = MonitorOperations.kinds.map(\.rawValue)
    var limit: Int { HTTPClient.mostRequests }
    var waiting: Int { client.waitingCount }

    init(_ load: MonitorLoad, over client: MonitorClient) { (self.load, self.client) = (load, client) }

    func begin(_ lane: LoadLane<MonitorTarget>, at begin: NIODeadline, unixMicroseconds: Int64) {
        (self.begin, unixMicrosecondsAtBegin) = (begin, unixMicroseconds)
    }

    func kind(of arrival: Int) -> Int? {
        MonitorOperations.kinds.firstIndex(of: load.operations.operation(arrival).kind)
    }

    func submit(_ request: LoadRequest, for lane: LoadLane<MonitorTarget>) {
        let operation = load.operations.operation(request.arrival)
        let generatedAt = unixMicrosecondsAtBegin + (request.due - begin).nanoseconds / 1000
        let body: String? =
            switch operation.kind {
            case .publish: operation.token.map { TokenPublication(token: $0).json }
            case .announce:
                ContentAnnouncement(
                    state: RideContent.state(generatedAt: generatedAt),
                    generatedAt: Instant(microseconds: generatedAt),
                    staleDate: Instant(microseconds: generatedAt + load.timeToLive * 1_000_000)
                )
                .json
            default: nil
            }
        client.send(request, operation.kind, about: "ride-\(operation.instance)", body: body, for: lane)
    }
}

extension APNsAnswer {
    /// An answer of a monitor.
    ///
    /// 409 (the instance is over) and 404 (the instance is no longer known) are not failures. Apps whose ride has ended
    /// elsewhere ask about such instances, and both are the right answers.
    package init(monitor status: Int) {
        let isDone = (200..<300).contains(status) || status == 404 || status == 409
        self.init(status: status, reason: isDone ? nil : "status \(status)", isAccepted: isDone)
    }
}

extension LoadTally {
    /// A tally of requests to a monitor.
    package static var ofMonitor: LoadTally { LoadTally(kinds: MonitorOperations.kinds.map(\.rawValue)) }

    /// Records a request to a monitor.
    ///
    /// - Parameter offset: Its due time since the beginning of the load [ns]; nil if no time series is kept.
    package mutating func record(
        _ kind: MonitorRoute,
        _ outcome: APNsOutcome,
        microseconds: Int64,
        dueAfter offset: Int64? = nil
    ) {
        let done = NIODeadline.now()
        let due = done - .microseconds(microseconds)
        let completion = APNsCompletion(number: 0, outcome: outcome, due: due, sent: nil, done: done)
        record(completion, kind: MonitorOperations.kinds.firstIndex(of: kind), dueAfter: offset)
    }
}
