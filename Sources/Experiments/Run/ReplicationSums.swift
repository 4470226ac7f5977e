public import LiveActivityModel

/// The sum over the cells of each of many replications.
///
/// Beyond ``readyCount`` of them they are kept packed, in less than a tenth of the memory, and are unpacked each time that they
/// are asked for: who asks much goes through them once.
public struct ReplicationSums: RandomAccessCollection, Hashable, Sendable {
    private var ready: [Measurements] = []
    private var packed: [PackedMeasurements] = []
    /// All of them added up; nil while there are none.
    private(set) var total: Measurements?

    /// How many are ready to be read: those of nearly all runs.
    static let readyCount = 128

    init() {}

    /// The first replication.
    public var startIndex: Int { 0 }
    /// How many there are.
    public var endIndex: Int { ready.count + packed.count }

    /// The sum of one replication.
    ///
    /// - Complexity: That of copying it; O(*size*) beyond the first ``readyCount``.
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

    /// The first of them.
    func first(_ count: Int) -> ReplicationSums {
        guard count < self.count else { return self }
        return (0..<count).reduce(into: ReplicationSums()) { $0.append(self[$1]) }
    }
}

/// Measurements in as few bytes as the file of a task has for them.
private struct PackedMeasurements: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ measurements: Measurements) {
        var writer = NumberWriter()
        var measurements = measurements
        measurements.transfer(through: &writer)
        // A copy has no room for more.
        bytes = writer.bytes().withUnsafeBufferPointer(Array.init)
    }

    /// All of them again.
    ///
    /// - Parameter other: Some of the same run.
    func measurements(like other: Measurements) -> Measurements {
        var reader = NumberReader(bytes)
        var measurements = other.emptied
        measurements.transfer(through: &reader)
        return measurements
    }
}
