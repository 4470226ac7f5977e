import Quantities

/// The streams of requests that speculation has processed, counted by the interval in which they are taken and returned.
///
/// The counts give an upper bound of the streams in use: those at the start of an interval, and those that are taken
/// within it. As long as the bound stays below the sender's limit, every request has found a stream free, in whatever
/// order the requests and returns of an interval come.
///
/// ```
///   now                                            now + reach
///    ▼                                                  ▼
///   [ level ──► taken, returned │ taken, returned │ … ]    a ring of intervals
/// ```
struct SpeculativeStreams: ~Copyable {
    /// The length of an interval [µs]; a divisor of a second.
    static var length: Int64 { 20_000 }
    /// The number of intervals in a second.
    static var perSecond: Int64 { 1_000_000 / length }
    private static var ringSize: Int64 { 1 << 15 }
    /// The time [µs] by which the reader may be behind the clock.
    static var lag: Int64 { 5_000_000 }

    /// For each interval the streams that are taken in the lower half, and those that are returned in the upper half.
    private let ring: UnsafeMutablePointer<UInt32>
    /// The streams in use at the start of the first interval that is not read.
    private(set) var level: Int32 = 0
    /// The requests that begin in that interval or later.
    private var upcoming = 0
    /// `true` if an interval has more requests than it can count.
    private(set) var hasOverflowed = false

    /// Creates an account without requests.
    ///
    /// - Parameter isUsed: `false` for a cell that does not speculate, which needs no memory.
    init(isUsed: Bool) {
        let size = isUsed ? Int(Self.ringSize) : 0
        ring = .allocate(capacity: size)
        ring.initialize(repeating: 0, count: size)
    }

    deinit { ring.deallocate() }

    /// The first instant that is out of reach, about eleven minutes ahead.
    @inline(__always)
    static func reach(from now: Instant) -> Instant {
        Instant(microseconds: now.microseconds &+ ringSize &* length &- 2 &* lag)
    }

    /// The interval of an instant.
    @inline(__always)
    static func interval(of instant: Instant) -> Int64 { instant.microseconds / length }

    /// `true` if a request holds a stream now, or will.
    @inline(__always)
    var areInUse: Bool { upcoming != 0 || level != 0 }

    /// Takes a stream for a request that begins at an instant.
    @inline(__always)
    mutating func take(at instant: Instant) {
        let place = Self.place(of: Self.interval(of: instant))
        ring[place] &+= 1
        if ring[place] & 0xFFFF == 0 { hasOverflowed = true }
        upcoming &+= 1
    }

    /// Returns the stream of a request that ends at an instant.
    @inline(__always)
    mutating func giveBack(at instant: Instant) {
        let place = Self.place(of: Self.interval(of: instant))
        ring[place] &+= 0x1_0000
        if ring[place] < 0x1_0000 { hasOverflowed = true }
    }

    @inline(__always)
    private static func place(of interval: Int64) -> Int { Int(truncatingIfNeeded: interval & (ringSize &- 1)) }

    /// Reads intervals; those before them have been read, or have no change.
    ///
    /// - Parameter requests: The number of requests that begin is added to it.
    /// - Returns: The maximum of the streams in use at the start of an interval and those that are taken within it.
    @inline(__always)
    mutating func read(_ intervals: Range<Int64>, requests: inout Int32) -> Int32 {
        guard areInUse, !intervals.isEmpty else { return 0 }
        var (level, most, begun) = (level, level, Int32(0))
        var interval = intervals.lowerBound
        while interval < intervals.upperBound {
            let place = Self.place(of: interval)
            let count = min(Int(intervals.upperBound &- interval), Int(Self.ringSize) &- place)
            let part = UnsafeMutableBufferPointer(start: ring + place, count: count)
            interval &+= Int64(count)
            // Most seconds of a small cell have no change. In a large one, no branch could predict which intervals do.
            if part.reduce(0, |) == 0 { continue }
            for changes in part {
                let (taken, returned) = (Int32(changes & 0xFFFF), Int32(changes &>> 16))
                most = max(most, level &+ taken)
                level &+= taken &- returned
                begun &+= taken
            }
            part.update(repeating: 0)
        }
        self.level = level
        requests &+= begun
        upcoming &-= Int(begun)
        return most
    }
}
