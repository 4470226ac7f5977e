package import Evaluation

/// The times of an endpoint's faults, which divide a load into phases.
///
/// A request belongs to the phase in which it was due, whenever it was sent or answered: the requests of a phase then follow
/// from the rate alone, and a queue that a fault leaves behind counts as *after*.
package struct FaultPeriods: Hashable, Sendable {
    /// A part of a load.
    package enum Phase: String, Hashable, Sendable, CaseIterable {
        /// Before the first fault.
        case before
        /// During a fault.
        case during
        /// After a fault, and not during another one.
        case after
    }

    /// The periods, without overlap, in order; since the beginning of the load [µs].
    private var periods: [Range<Int64>] = []

    /// The assumed duration of an instantaneous fault, which is in its middle [µs].
    ///
    /// A lost connection affects requests in flight, which were due before, and those that wait for a new connection.
    private static let instant: Int64 = 1_000_000

    /// The periods of faults whose times count from the beginning of the load [µs].
    package init(_ faults: [FaultSpan]) {
        let half = Self.instant / 2
        let all = faults.map { $0.from < $0.until ? $0.from..<$0.until : ($0.from - half)..<($0.from + half) }
        for period in all.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = periods.last, period.lowerBound <= last.upperBound {
                periods[periods.count - 1] = last.lowerBound..<max(last.upperBound, period.upperBound)
            } else {
                periods.append(period)
            }
        }
    }

    /// `true` if there are no faults.
    package var isEmpty: Bool { periods.isEmpty }

    /// Returns the phase of a request that was due at a time since the beginning of the load [µs].
    ///
    /// - Complexity: O(log *n*) in the number of periods.
    package func phase(at due: Int64) -> Phase {
        // The number of periods that have begun.
        var (low, high) = (0, periods.count)
        while low < high {
            let middle = (low + high) / 2
            if periods[middle].lowerBound <= due { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return .before }
        return due < periods[low - 1].upperBound ? .during : .after
    }
}
