/// A benchmark model for comparing engines.
public protocol Workload: ~Copyable {
    /// Continues for a number of operations, customers or messages.
    mutating func run(units: Int)

    /// The hash of the instants and subjects of all events so far: two programs with the same hash had the same events in
    /// the same order.
    var trajectoryHash: UInt64 { get }
}
