public import LiveActivityModel

/// The sum over the cells of each replication.
///
/// Beyond the first ``readyCount`` replications, sums are kept packed, in less than a tenth of the memory. Each access
/// unpacks one, so go through them once for many values.
public struct ReplicationSums: RandomAccessCollection, Hashable, Sendable {
    private var ready: [Measurements] = []
    private var packed: [PackedMeasurements] = []
    /// The sum over all replications; nil if there are none.
    private(set) var total: Measurements?

    /// The number of sums that are kept unpacked, which is enough for nearly all runs.
    static let readyCount = 128

    init() {}

    /// The first replication.
    public var startIndex: Int { 0 }
    /// The number of replications.
    public var endIndex: Int { ready.count + packed.count }

    /// Returns the sum of one replication.
    ///
    /// - Complexity: A copy; O(*size*) beyond the first ``readyCount``.
    public subscript(replication: Int) -> Measurements {
        replication < ready.count
            ? ready[replication] : packed[replication - ready.count].measurements(like: ready[0])
    }

    mutating func append(_ sum: Measurements) {
        if total?.add(sum) == nil { total = sum }
        if ready.count < Self.readyCount {
            ready.append(sum)
        } else {
            packed.append(PackedMeasurements(sum))
        }
    }

    /// Returns the first replications.
    func first(_ count: Int) -> ReplicationSums {
        guard count < self.count else { return self }
        return (0..<count).reduce(into: ReplicationSums()) { $0.append(self[$1]) }
    }
}

/// Measurements in packed form, as in the file of a task.
private struct PackedMeasurements: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ measurements: Measurements) {
        var writer = NumberWriter()
        var measurements = measurements
        measurements.transfer(through: &writer)
        // A copy has no unused capacity.
        bytes = writer.bytes().withUnsafeBufferPointer(Array.init)
    }

    /// Unpacks the measurements.
    ///
    /// - Parameter other: Other measurements of the same run.
    func measurements(like other: Measurements) -> Measurements {
        var reader = NumberReader(bytes)
        var measurements = other.emptied
        measurements.transfer(through: &reader)
        return measurements
    }
}
