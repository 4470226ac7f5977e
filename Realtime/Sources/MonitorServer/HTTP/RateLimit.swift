import FreshnessCore
import HTTPTypes
import Hummingbird
import Quantities
import Synchronization

/// Limits each client to a rate, with bursts of a second's worth, and refuses excess requests with 429.
final class RateLimit: Sendable {
    private let bucket: TokenBucket
    private let perSecond: Int
    private let clock: any MonitorClock
    private let buckets = Mutex<[String: TokenBucket]>([:])
    /// The maximum number of clients in memory; beyond it all limits are reset.
    private static let clientLimit = 65_536

    /// - Parameter perSecond: Requests per second and client, 1...1,000,000.
    init(perSecond: Int, clock: any MonitorClock) throws(PolicyError) {
        bucket = try TokenBucket(capacityThousandths: 1000 * perSecond, thousandthsPerSecond: 1000 * perSecond)
        self.perSecond = perSecond
        self.clock = clock
    }

    func check(_ context: MonitorContext) throws(RequestProblem) {
        let client = context.remoteAddress?.ipAddress ?? "unknown"
        guard takes(from: client) else {
            throw RequestProblem(
                .tooMany,
                what: "requests of one client",
                got: "more",
                allowed: "\(perSecond) per second",
                headers: [.retryAfter: "1"]
            )
        }
    }

    private func takes(from client: String) -> Bool {
        buckets.withLock { buckets in
            if buckets.count >= RateLimit.clientLimit { buckets.removeAll(keepingCapacity: true) }
            // Read under the lock, so that instants never decrease.
            return buckets[client, default: bucket].take(at: clock.now)
        }
    }
}
