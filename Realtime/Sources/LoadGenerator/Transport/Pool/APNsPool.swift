package import NIOCore
import NIOPosix

/// A pool of connections to one endpoint for pushes.
///
/// A request waits in a queue until one of the connections has a free stream; its outcome goes to the pool's handler. No
/// request costs a task, a promise or a channel. Lost connections are replaced.
package final class APNsPool: Sendable {
    /// The lanes, in the order of their numbers.
    let lanes: [APNsLane]
    private let refresh: Task<Void, Never>?

    /// A pool that starts to connect at once.
    ///
    /// - Parameters:
    ///   - provider: The identity that signs the provider tokens; nil: requests carry no token.
    ///   - group: The group whose event loops the lanes use, one each.
    ///   - handler: The receiver of outcomes; a load run replaces it.
    /// - Throws: If certificates cannot be read or the provider's key cannot sign.
    package init(
        endpoint: APNsEndpoint,
        configuration: APNsPoolConfiguration = APNsPoolConfiguration(),
        provider: ProviderIdentity? = nil,
        group: any EventLoopGroup,
        handler: any APNsCompletionHandler = UnheardCompletions()
    ) async throws {
        let connector = try EndpointConnector(endpoint)
        let authorization = try provider?.authorization()
        let (connections, count) = (configuration.connections, configuration.lanes)
        let lanes = (0..<count)
            .map { index in
                APNsLane(
                    loop: group.next(),
                    index: index,
                    // The first lanes have one more if connections do not divide evenly.
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
                    guard let authorization = try? provider.authorization() else { continue }
                    for lane in lanes { lane.loop.execute { lane.show(authorization: authorization) } }
                }
            }
        }
        for lane in lanes { try await lane.loop.submit { lane.start() }.get() }
    }

    deinit { refresh?.cancel() }

    /// Sends requests; may be called from any thread.
    ///
    /// Requests with the same number modulo the count of lanes are sent in the order of the calls.
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

    /// Waits until all connections are open.
    ///
    /// - Throws: ``APNsPoolError`` if they are not open in time.
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

    /// The number of requests that wait for a stream; it grows if the load is more than the connections can carry.
    package var waiting: Int { lanes.reduce(0) { $0 + $1.waiting } }

    /// The counts and errors of the connections.
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

/// A handler that ignores outcomes.
package struct UnheardCompletions: APNsCompletionHandler {
    /// A handler.
    package init() {}

    /// Does nothing.
    package func completed(_ completions: [APNsCompletion]) {}
}

/// An error of connections that could not be made.
package struct APNsPoolError: Error, CustomStringConvertible {
    let endpoint: String
    let got: Int
    let wanted: Int
    let reason: String

    /// The endpoint, the number of connections, the reason and the remedy.
    package var description: String {
        let isUntrusted = reason.contains("CERTIFICATE_VERIFY_FAILED")
        return "\(endpoint): \(got) of \(wanted) connections could be made: "
            + (isUntrusted ? "its certificate is not one of those trusted (--ca names others)" : reason)
    }
}
