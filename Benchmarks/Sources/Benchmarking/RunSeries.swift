/// Repeated measurements of one figure.
public struct RunSeries: Hashable, Sendable {
    /// The measurements in the order in which they were made.
    public let values: [Double]

    /// Measurements.
    ///
    /// - Precondition: There is at least one.
    public init(_ values: [Double]) {
        precondition(!values.isEmpty, "nothing was measured")
        self.values = values
    }

    /// The middle one, or the mean of the middle two: what one run that others disturbed does not move.
    public var median: Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The smallest.
    public var least: Double { values.reduce(.infinity, min) }

    /// The largest.
    public var greatest: Double { values.reduce(-.infinity, max) }

    /// Processor time of the calling thread in each of some runs of a workload [ns per unit].
    public static func nanoseconds(
        of workload: inout some Workload & ~Copyable,
        units: Int,
        runs: Int
    ) -> RunSeries {
        RunSeries(
            (0..<runs)
                .map { _ in
                    let began = threadCPUNanoseconds()
                    workload.run(units: units)
                    return Double(threadCPUNanoseconds() - began) / Double(units)
                }
        )
    }
}
