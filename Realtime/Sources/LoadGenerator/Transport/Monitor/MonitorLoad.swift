import Quantities
import Synchronization
import Wire

/// Open-loop load on a Freshness Monitor: each request is sent when its plan says, whatever became of those before.
public struct MonitorLoad: Sendable {
    /// Where the monitor is: `https://HOST:PORT`.
    public var monitor: String
    /// What requests have to show.
    public var secret: String
    /// A certificate authority to trust in place of the system's (PEM).
    public var authority: String?
    /// When requests are due.
    public var plan: RatePlan
    /// What they ask.
    public var operations: MonitorOperations
    /// How long content is good for [s].
    public var timeToLive: Int64 = 120
    /// The most connections.
    public var connections = 64
    /// The most requests without an answer; beyond it requests are counted and not sent.
    public var outstandingLimit = 20_000

    /// A load.
    public init(monitor: String, secret: String, authority: String?, plan: RatePlan, operations: MonitorOperations) {
        self.monitor = monitor
        self.secret = secret
        self.authority = authority
        self.plan = plan
        self.operations = operations
    }

    /// Runs the plan to its end, or until the task is cancelled, and waits for the answers.
    ///
    /// - Parameter progress: Told now and then how many requests were answered.
    public func run(progress: @escaping @Sendable (Int) -> Void) async throws -> MonitorTally {
        let client = try MonitorClient(monitor: monitor, secret: secret, authority: authority, connections: connections)
        let book = Mutex(MonitorTally())
        let epoch = LiveClock.unixMicroseconds
        let loop = OpenLoop(plan: plan, outstandingLimit: outstandingLimit)
        let outcome = await loop.run(progress: progress) { number, due in
            let operation = operations.operation(number)
            let status = try? await send(operation, generatedAt: epoch + plan.due(number) / 1000, over: client)
            let latency = due.duration(to: .now).microseconds
            book.withLock { $0.add(operation.kind, status, microseconds: latency) }
        }
        await client.shutDown()
        return book.withLock { tally in
            tally.latestStart = outcome.latestStart.microseconds
            tally.notSent = outcome.notBegun.count
            return tally
        }
    }

    private func send(
        _ operation: MonitorOperations.Operation,
        generatedAt: Int64,
        over client: MonitorClient
    ) async throws -> Int {
        var body: String?
        switch operation.kind {
        case .publish:
            body = operation.token.map { TokenPublication(token: $0).json }
        case .announce:
            body =
                ContentAnnouncement(
                    state: RideContent.state(generatedAt: generatedAt),
                    generatedAt: Instant(microseconds: generatedAt),
                    staleDate: Instant(microseconds: generatedAt + timeToLive * 1_000_000)
                )
                .json
        case .withdraw, .read, .end:
            break
        }
        return try await client.send(operation.kind.route, of: "ride-\(operation.instance)", body: body).status
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
