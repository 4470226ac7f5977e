import AsyncHTTPClient
import LoadGenerator
import NIOCore
import NIOHTTP1
import NIOSSL
package import Wire

/// A client of a Freshness Monitor's interface.
package final class MonitorClient: Sendable {
    /// What the monitor answers.
    package struct Answer: Sendable {
        /// The status.
        package let status: Int
        let body: String
    }

    /// What a monitor's clock shows.
    package struct Time: Hashable, Sendable {
        /// The monitor's time [µs since 1970].
        package let microseconds: Int64
        /// How much faster than the wall clock it goes.
        package let speed: Double
        /// When it showed that.
        package let at: ContinuousClock.Instant
        /// How far off that may be: half of what asking took.
        let uncertainty: Duration
    }

    private let monitor: String
    private let authorization: String
    private let client: HTTPClient

    /// The longest wait for an answer.
    private static var patience: TimeAmount { .seconds(30) }
    private static var largestBody: Int { 1 << 20 }

    /// A client of `https://HOST:PORT` or `http://HOST:PORT`.
    ///
    /// - Parameters:
    ///   - secret: What requests have to show.
    ///   - authority: A certificate authority to trust in place of the system's (PEM).
    ///   - connections: The most connections.
    package init(monitor: String, secret: String, authority: String?, connections: Int) throws {
        self.monitor = monitor
        authorization = "Bearer \(secret)"
        client = HTTPClient(authority: authority, connections: connections, timeout: Self.patience)
    }

    /// Sends a request about an instance, if it is about one; a query comes with its question mark.
    package func send(
        _ route: MonitorRoute,
        of instance: String = "",
        query: String = "",
        body: String? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: monitor + route.path(of: instance) + query)
        request.method = HTTPMethod(rawValue: route.method)
        request.headers.add(name: "authorization", value: authorization)
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await client.execute(request, timeout: Self.patience)
        let bytes = try await response.body.collect(upTo: Self.largestBody)
        return Answer(status: Int(response.status.code), body: String(buffer: bytes))
    }

    /// What became of a request.
    struct Result: Hashable, Sendable {
        let outcome: APNsOutcome
        /// Why it had no answer, in words; nil where it had one.
        var cause: String?
    }

    /// What becomes of a request about an instance.
    func result(of route: MonitorRoute, about instance: String, body: String?) async -> Result {
        do {
            let status = try await send(route, of: instance, body: body).status
            return Result(outcome: .answered(APNsAnswer(status: status)))
        } catch {
            return Result(outcome: APNsOutcome(withoutAnswer: error), cause: APNsOutcome.cause(of: error))
        }
    }

    /// Asks for the monitor's time, several times, and takes the answer that came quickest.
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

    /// Throws where the monitor does not take the secret.
    package func checkSecret() async throws {
        let status = try await send(.list, query: "?limit=1").status
        guard status == 200 else {
            throw status == 401 ? MonitorClientError.wrongSecret : MonitorClientError.noMonitor(status: status)
        }
    }

    /// What the monitor has counted.
    package func metrics() async throws -> MonitorMetrics {
        let answer = try await send(.metrics)
        guard answer.status == 200 else { throw MonitorClientError.noMonitor(status: answer.status) }
        return MonitorMetrics(openMetrics: answer.body)
    }

    /// Closes all connections.
    package func shutDown() async { try? await client.shutdown() }
}

extension HTTPClient {
    /// A client that makes connections when they are needed, and may trust an authority (PEM) in place of the system's.
    ///
    /// - Parameter wait: The longest that a request waits for one of them to be there, and free.
    convenience init(authority: String?, connections: Int, wait: TimeAmount = .seconds(5), timeout: TimeAmount) {
        var configuration = Configuration(timeout: .init(connect: wait, read: timeout))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let authority { tls.trustRoots = .file(authority) }
        configuration.tlsConfiguration = tls
        self.init(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}

/// Why a server cannot be taken for a monitor, in the words of its description.
package enum MonitorClientError: Error, Hashable, CustomStringConvertible {
    case noMonitor(status: Int)
    case wrongSecret

    /// What, got, allowed.
    package var description: String {
        switch self {
        case .noMonitor(let status):
            "what is there does not answer as a monitor, got status \(status); allowed: a `freshet monitor` of this version"
        case .wrongSecret:
            "the monitor does not take the secret, got status 401; allowed: the one in its --bearer-token-file"
        }
    }
}
