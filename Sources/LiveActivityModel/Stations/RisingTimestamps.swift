import Quantities

/// The timestamps of one activity's payloads, each above the one before: a phone shows the highest.
public struct RisingTimestamps: BitwiseCopyable, Hashable, Sendable {
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

/// The clock by which a server stamps payloads.
struct PayloadClock {
    /// The resolution of timestamps [µs], at least 1.
    let step: Int64
    /// 2^64 divided by the step, rounded down, or one less.
    private let reciprocal: UInt64

    init(resolution: TimeSpan) {
        step = max(1, resolution.microseconds)
        reciprocal = .max / UInt64(step)
    }

    /// A payload's timestamp for content of an instant [µs], at the resolution that payloads have: a multiple of it.
    ///
    /// A multiplication in place of a division: it falls short by one step at most, which is put right.
    ///
    /// - Precondition: The instant is not before the start of the run; not checked.
    @inline(__always)
    func timestamp(of instant: Instant) -> Int64 {
        let microseconds = UInt64(bitPattern: instant.microseconds)
        let stamp = Int64(bitPattern: microseconds.multipliedFullWidth(by: reciprocal).high) &* step
        return instant.microseconds &- stamp < step ? stamp : stamp &+ step
    }
}
