package import Quantities

/// The due times of requests without an outcome, in steps of 100 ms since the beginning of a load.
///
/// They state how long such requests have waited so far, which is a lower bound of their latency.
package struct UnfinishedDues: Hashable, Sendable {
    private static let step: Int64 = 100_000
    /// The number of requests by step.
    private var counts: [Int] = []
    /// A step before which there are no requests.
    private var first = 0

    /// No requests.
    package init() {}

    /// Adds a request that is due at a time since the beginning of the load [µs].
    package mutating func add(_ due: Int64) {
        let index = Self.index(of: due)
        while counts.count <= index { counts.append(0) }
        counts[index] += 1
        first = min(first, index)
    }

    /// Removes a request that was added with the same due time.
    mutating func remove(_ due: Int64) {
        counts[Self.index(of: due)] -= 1
        while first < counts.count, counts[first] == 0 { first += 1 }
    }

    /// Adds the requests of another lane of the load.
    mutating func add(_ other: UnfinishedDues) {
        while counts.count < other.counts.count { counts.append(0) }
        for index in other.first..<other.counts.count { counts[index] += other.counts[index] }
        first = min(first, other.first)
    }

    /// A time at or before the due times of all requests, at most 100 ms before the first [µs]; nil if there are none.
    var earliest: Int64? { (first..<counts.count).first { counts[$0] > 0 }.map { Int64($0) * Self.step } }

    /// Returns the waits of the requests until a time since the beginning of the load, the shortest first; each is too short
    /// by 100 ms at most.
    package func waits(until elapsed: TimeSpan) -> [(wait: Int64, count: Int)] {
        (first..<counts.count).reversed().filter { counts[$0] > 0 }
            .map { (wait: max(0, elapsed.microseconds - Int64($0 + 1) * Self.step), count: counts[$0]) }
    }

    private static func index(of due: Int64) -> Int { Int(max(0, due) / step) }
}
