/// The timestamps of one activity's payloads, each above the one before: a phone shows the highest.
public struct RisingTimestamps: BitwiseCopyable, Sendable {
    private var last: Int64

    /// Timestamps.
    ///
    /// - Parameter last: What the first one has to be above; with the default it may be any.
    public init(above last: Int64 = .min) {
        self.last = last
    }

    /// The next timestamp: that of its content, but at least a step above the one before.
    ///
    /// - Parameters:
    ///   - timestamp: That of the content, in the host's unit.
    ///   - step: The resolution of timestamps in that unit, above 0.
    @inline(__always)
    public mutating func next(for timestamp: Int64, step: Int64) -> Int64 {
        last = max(timestamp, last &+ step)
        return last
    }
}
