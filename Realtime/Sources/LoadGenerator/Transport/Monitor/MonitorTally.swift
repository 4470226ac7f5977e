public import Histogram

/// What became of requests to a monitor.
public struct MonitorTally: Sendable {
    /// What became of requests of one kind.
    public struct Share: Sendable {
        /// From when requests were due to their answers [µs], to three digits, up to a minute.
        public var latency = Histogram<UInt32>(
            highestTrackableValue: 60_000_000,
            numberOfSignificantValueDigits: .three
        )
        /// Answers by status.
        public var statuses: [Int: Int] = [:]
        /// Requests without an answer.
        public var failed = 0

        mutating func add(_ status: Int?, microseconds: Int64) {
            latency.record(UInt64(max(0, min(microseconds, 60_000_000))))
            if let status { statuses[status, default: 0] += 1 } else { failed += 1 }
        }

        fileprivate mutating func add(_ other: Share) {
            latency.add(other.latency)
            statuses.merge(other.statuses, uniquingKeysWith: +)
            failed += other.failed
        }
    }

    /// By ``MonitorOperations/Kind``, in its order.
    public private(set) var shares = MonitorOperations.Kind.allCases.map { (kind: $0, share: Share()) }
    /// How late the latest request was sent, as the generator's own fault [µs].
    public internal(set) var latestStart: Int64 = 0
    /// Requests that were not sent since too many were without an answer.
    public internal(set) var notSent = 0

    /// How many requests were answered or given up.
    public var requests: Int { shares.reduce(0) { $0 + Int($1.share.latency.totalCount) } }

    /// All kinds together.
    public var all: Share {
        shares.reduce(into: Share()) { $0.add($1.share) }
    }

    mutating func add(_ kind: MonitorOperations.Kind, _ status: Int?, microseconds: Int64) {
        guard let index = shares.firstIndex(where: { $0.kind == kind }) else { return }
        shares[index].share.add(status, microseconds: microseconds)
    }
}
