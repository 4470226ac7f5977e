package import LoadGenerator
import NIOCore
import NIOHTTP1
package import Wire

/// A client of a Freshness Monitor's interface.
package final class MonitorClient: Sendable {
    /// An answer of the monitor.
    package struct Answer: Sendable {
        package let status: Int
        let body: String
    }

    /// A reading of the monitor's clock.
    package struct Time: Hashable, Sendable {
        /// The monitor's time [µs since 1970].
        package let microseconds: Int64
        /// The speed of the clock relative to the wall clock.
        package let speed: Double
        /// The instant of the reading.
        package let at: ContinuousClock.Instant
        /// The largest error of that instant: half of the round-trip time.
        let uncertainty: Duration
    }

    let headers: HTTPHeaders
    let client: HTTPClient

    /// The longest wait for an answer.
    private static var patience: TimeAmount { .seconds(30) }

    /// A client of `https://HOST:PORT` or `http://HOST:PORT`.
    ///
    /// - Parameters:
    ///   - secret: The bearer token of requests.
    ///   - authority: A file (PEM) of certificate authorities to trust instead of the system's.
    ///   - connections: The most connections.
    package init(monitor: String, secret: String, authority: String?, connections: Int) throws {
        headers = ["authorization": "Bearer \(secret)"]
        client = try HTTPClient(monitor, authority: authority, connections: connections, timeout: Self.patience)
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - instance: The instance that the request is about; empty if it is about none.
    ///   - query: The query with its question mark; empty for none.
    ///   - patience: The longest wait for the answer, if it is shorter than the client's.
    package func send(
        _ route: MonitorRoute,
        of instance: String = "",
        query: String = "",
        body: String? = nil,
        within patience: Duration? = nil
    ) async throws -> Answer {
        let path = route.path(of: instance) + query
        let answer = try await client.send(
            route.method,
            path,
            headers: headers,
            body: body,
            within: patience.map { TimeAmount($0) }
        )
        return Answer(status: answer.status, body: String(buffer: answer.body))
    }

    /// Sends a request about an instance and returns its result.
    func result(
        of route: MonitorRoute,
        about instance: String,
        body: String?,
        within patience: Duration? = nil
    ) async -> HTTPOutcome {
        do {
            let answer = try await send(route, of: instance, body: body, within: patience)
            return HTTPOutcome(.success(APNsAnswer(monitor: answer.status)))
        } catch {
            return HTTPOutcome(.failure(error))
        }
    }

    /// Reads the monitor's clock several times and returns the reading with the shortest round trip.
    package func time() async throws -> Time {
        var best: Time?
        for _ in 0..<16 {
            let asked = ContinuousClock.now
            let answer = try await send(.health)
            let took = asked.duration(to: .now)
            guard answer.status == 200, let health = MonitorHealth(Array(answer.body.utf8)) else {
                throw MonitorClientError.noMonitor(status: answer.status)
            }
            let time = Time(
                microseconds: health.nowMicroseconds,
                speed: health.speed,
                at: asked + took / 2,
                uncertainty: took / 2
            )
            if time.uncertainty < best?.uncertainty ?? .seconds(3600) { best = time }
        }
        guard let best else { throw MonitorClientError.noMonitor(status: 0) }
        return best
    }

    /// Checks that the monitor accepts the secret.
    ///
    /// - Throws: ``MonitorClientError`` if it does not.
    package func checkSecret() async throws {
        let status = try await send(.list, query: "?limit=1").status
        guard status == 200 else {
            throw status == 401 ? MonitorClientError.wrongSecret : MonitorClientError.noMonitor(status: status)
        }
    }

    /// The monitor's metrics.
    package func metrics() async throws -> MonitorMetrics {
        let answer = try await send(.metrics)
        guard answer.status == 200 else { throw MonitorClientError.noMonitor(status: answer.status) }
        return MonitorMetrics(openMetrics: answer.body)
    }

    /// Closes all connections.
    package func shutDown() async { await client.shutDown() }
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

/// The reason why a server is not a usable monitor.
package enum MonitorClientError: Error, Hashable, CustomStringConvertible {
    case noMonitor(status: Int)
    case wrongSecret

    /// The problem, the status received and what is allowed.
    package var description: String {
        switch self {
        case .noMonitor(let status):
            "the server does not answer as a monitor: got status \(status); allowed: a `freshet monitor` of this version"
        case .wrongSecret:
            "the monitor rejects the secret: got status 401; allowed: the secret in the monitor's --bearer-token-file"
        }
    }
}
