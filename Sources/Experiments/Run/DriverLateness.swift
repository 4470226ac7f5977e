/// How late the driver of a run in real time handed requests over [wall-clock µs]: its own part of what it measures.
public struct DriverLateness: Hashable, Sendable {
    /// Half of the requests were not later.
    public var median: Int
    /// 99 in a hundred were not later.
    public var p99: Int
    /// The latest.
    public var largest: Int
    /// What the 99th percentile may be; beyond it the result is that of an overloaded driver.
    public var allowed: Int
    /// What helps against it, for people.
    public var remedy = "a lower --speed or a smaller rides.scale helps"

    /// A lateness.
    public init(median: Int, p99: Int, largest: Int, allowed: Int) {
        self.median = median
        self.p99 = p99
        self.largest = largest
        self.allowed = allowed
    }

    /// Whether what was measured is partly the driver's own delay.
    public var isTooLate: Bool { p99 > allowed }
}
