/// The delay with which the driver of a real-time run handed requests over [wall-clock µs], which is part of what it
/// measures.
public struct DriverLateness: Hashable, Sendable {
    public var median: Int
    public var p99: Int
    /// The maximum.
    public var largest: Int
    /// The allowed p99; above it the result is that of an overloaded driver.
    public var allowed: Int
    /// A remedy, for people.
    public var remedy = "a lower --speed or a smaller rides.scale helps"

    /// Creates a lateness.
    public init(median: Int, p99: Int, largest: Int, allowed: Int) {
        self.median = median
        self.p99 = p99
        self.largest = largest
        self.allowed = allowed
    }

    /// `true` if the measurements include too much of the driver's own delay.
    public var isTooLate: Bool { p99 > allowed }
}
