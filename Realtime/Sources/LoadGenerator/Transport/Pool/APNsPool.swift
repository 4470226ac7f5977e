package import NIOCore
import NIOPosix

/// Connections to one endpoint, over which pushes are sent.
///
/// A request is sent as soon as one of the connections has a free stream and waits in a queue until then; its outcome goes
/// to the pool's handler. No request costs a task, a promise or a channel. Lost connections are made again.
package final class APNsPool: Sendable {
    /// The lanes, in the order of their numbers.
    let lanes: [APNsLane]
    private let refresh: Task<Void, Never>?

    /// A pool that begins to connect at once.
    ///
    /// - Parameters:
    ///   - provider: Who vouches for the requests; nil: they carry no token.
    ///   - group: Whose event loops the lanes take, one each.
    ///   - handler: Who is told what becomes of requests; a load run takes its place.
    /// - Throws: When certificates cannot be read or the provider's key cannot sign.
    package init(
        endpoint: APNsEndpoint,
        configuration: APNsPoolConfiguration = APNsPoolConfiguration(),
        provider: ProviderIdentity? = nil,
        group: any EventLoopGroup,
        handler: any APNsCompletionHandler = UnheardCompletions()
    ) async throws {
        let connector = try APNsConnector(endpoint: endpoint)
        let authorization = try await provider?.authorization()
        let (connections, count) = (configuration.connections, configuration.lanes)
        let lanes = (0..<count)
            .map { index in
                APNsLane(
                    loop: group.next(),
                    index: index,
                    // The first lanes have one more where connections do not divide evenly.
                    connectionCount: (connections + count - 1 - index) / count,
                    configuration: configuration,
                    connector: connector,
                    authorization: authorization,
                    handler: handler
                )
            }
        self.lanes = lanes
        refresh = provider.map { provider in
            Task {
                while !Task.isCancelled {
                    guard (try? await Task.sleep(for: ProviderIdentity.refreshInterval)) != nil else { return }
                    guard let authorization = try? await provider.authorization() else { continue }
                    for lane in lanes { lane.loop.execute { lane.show(authorization: authorization) } }
                }
            }
        }
        for lane in lanes { try await lane.loop.submit { lane.start() }.get() }
    }

    deinit { refresh?.cancel() }

    /// Sends requests; may be called from any thread.
    ///
    /// Those with the same number modulo the count of lanes go out in the order of the calls.
    package func send(_ requests: [APNsRequest]) {
        guard lanes.count > 1 else {
            lanes[0].enqueue(requests)
            return
        }
        for (index, lane) in lanes.enumerated() {
            let share = requests.lazy.filter { Int($0.number % UInt64(self.lanes.count)) == index }
            if !share.isEmpty { lane.enqueue(share) }
        }
    }

    /// Waits until all connections stand.
    ///
    /// - Throws: ``APNsPoolError`` when they do not in time.
    package func connected(within limit: Duration) async throws {
        let wanted = lanes.reduce(0) { $0 + $1.connectionCount }
        let end = ContinuousClock.now + limit
        while true {
            let notes = self.notes
            let got = notes.connections - notes.lostConnections
            if got >= wanted { return }
            guard ContinuousClock.now < end else {
                let (endpoint, reason) = (lanes[0].endpoint.description, notes.lastError ?? "no answer")
                throw APNsPoolError(endpoint: endpoint, got: got, wanted: wanted, reason: reason)
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// How many requests wait for a stream; what grows here is more than the connections can carry.
    package var waiting: Int { lanes.reduce(0) { $0 + $1.waiting } }

    /// How many requests wait for an answer.
    package var inFlight: Int { lanes.reduce(0) { $0 + $1.inFlight } }

    /// What is worth knowing about the connections.
    package var notes: APNsPoolNotes { lanes.reduce(into: APNsPoolNotes()) { $0.add($1.noted) } }

    /// Closes the connections.
    ///
    /// Requests without an outcome get one now: ``APNsOutcome/notProcessed`` if they were never sent,
    /// ``APNsOutcome/connectionLost`` if they were.
    package func close() async {
        refresh?.cancel()
        for lane in lanes { try? await lane.loop.submit { lane.close() }.get() }
    }
}

/// Hears nothing.
package struct UnheardCompletions: APNsCompletionHandler {
    /// The one there is.
    package init() {}

    /// Does nothing.
    package func completed(_ completions: [APNsCompletion], lane: Int) {}
}

/// Connections that could not be made.
package struct APNsPoolError: Error, CustomStringConvertible {
    let endpoint: String
    let got: Int
    let wanted: Int
    let reason: String

    /// What, where, got, allowed.
    package var description: String {
        let isUntrusted = reason.contains("CERTIFICATE_VERIFY_FAILED")
        return "\(endpoint): \(got) of \(wanted) connections could be made: "
            + (isUntrusted ? "its certificate is not one of those trusted (--ca names others)" : reason)
    }
}
