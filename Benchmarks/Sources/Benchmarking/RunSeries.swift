/// Repeated measurements of one figure.
public struct RunSeries: Hashable, Sendable {
    /// The measurements in order.
    public let values: [Double]

    /// Creates a series from measurements.
    ///
    /// - Precondition: There is at least one.
    public init(_ values: [Double]) {
        precondition(!values.isEmpty, "nothing was measured")
        self.values = values
    }

    /// The median, which a single disturbed run does not change.
    public var median: Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The smallest value.
    public var least: Double { values.reduce(.infinity, min) }

    /// The largest value.
    public var greatest: Double { values.reduce(-.infinity, max) }

    /// The processor time of the calling thread in each run of a workload [ns per unit].
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
