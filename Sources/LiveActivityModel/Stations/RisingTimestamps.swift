import Quantities

/// The timestamps of one activity's payloads in increasing order, because a phone shows the highest.
public struct RisingTimestamps: BitwiseCopyable, Hashable, Sendable {
    private var last: Int64

    /// Creates a sequence of timestamps.
    ///
    /// - Parameter last: The value that the first one must exceed; by default it can be any.
    public init(above last: Int64 = .min) {
        self.last = last
    }

    /// Returns the next timestamp: the content's, but at least one step above the previous one.
    ///
    /// - Parameters:
    ///   - timestamp: The timestamp of the content, in the host's unit.
    ///   - step: The resolution of timestamps in that unit, above 0.
    @inline(__always)
    public mutating func next(for timestamp: Int64, step: Int64) -> Int64 {
        last = max(timestamp, last &+ step)
        return last
    }
}

/// The clock of a server's payload timestamps.
struct PayloadClock {
    /// The resolution of timestamps [µs], at least 1.
    let step: Int64
    /// 2^64 divided by the step, rounded down, or one less.
    private let reciprocal: UInt64

    init(resolution: TimeSpan) {
        step = max(1, resolution.microseconds)
        reciprocal = .max / UInt64(step)
    }

    /// A payload's timestamp for content of an instant [µs], rounded down to a multiple of the resolution.
    ///
    /// Computed by a multiplication instead of a division: the result is low by at most one step, which is corrected.
    ///
    /// - Precondition: The instant is not before the start of the run; not checked.
    @inline(__always)
    func timestamp(of instant: Instant) -> Int64 {
        let microseconds = UInt64(bitPattern: instant.microseconds)
        let stamp = Int64(bitPattern: microseconds.multipliedFullWidth(by: reciprocal).high) &* step
        return instant.microseconds &- stamp < step ? stamp : stamp &+ step
    }
}
