/// The exact time that a quantity which grows at the rate of time spends at each value, without sampling.
///
/// Age of information is a sawtooth: it grows by a microsecond per microsecond until newer content is shown. An
/// interval in which it grows from a to b spends equal time at every value between. The time below x, summed over all
/// intervals, is therefore
///
///     Σ min(b, x) - min(a, x)
///
/// This sum needs only the number of interval ends minus beginnings in each bucket, and the same difference of their
/// values. That is two updates per interval, however many buckets it crosses.
public struct RampTally: Hashable, Sendable {
    /// The number of interval ends minus beginnings in each bucket, through the last bucket with an end.
    private var surplus: [Int64] = []
    /// The sum of the ends' values minus the sum of the beginnings' values in each bucket.
    private var surplusSum: [Int64] = []
    /// The time in each bucket at values that do not change; empty if there was none.
    private var held: [Int64] = []
    /// The total length of all intervals.
    public private(set) var time: Int64 = 0
    /// Twice the integral of the value over time [µs²]; halved on reading.
    private(set) var doubledIntegral: Int128 = 0

    /// Creates an empty tally.
    public init() {}

    /// Creates a tally of the intervals in an open one.
    init(_ open: Open) {
        var count = LogLinear.bucketCount
        if let buckets = open.buckets {
            // The last bucket has ends, and each of them is above any beginning in the same bucket.
            while count > 0, buckets[count - 1].sum == 0 { count -= 1 }
            surplus = (0..<count).map { buckets[$0].surplus }
            surplusSum = (0..<count).map { buckets[$0].sum }
        }
        if let open = open.held {
            count = LogLinear.bucketCount
            while count > 0, open[count - 1] == 0 { count -= 1 }
            held = (0..<count).map { open[$0] }
        }
        (time, doubledIntegral) = (open.time, open.doubledIntegral)
    }

    /// Adds all intervals of another tally.
    mutating func add(_ other: RampTally) {
        let missing = other.surplus.count - surplus.count
        if missing > 0 {
            surplus.append(contentsOf: repeatElement(0, count: missing))
            surplusSum.append(contentsOf: repeatElement(0, count: missing))
        }
        for bucket in other.surplus.indices {
            surplus[bucket] += other.surplus[bucket]
            surplusSum[bucket] += other.surplusSum[bucket]
        }
        if other.held.count > held.count {
            held.append(contentsOf: repeatElement(0, count: other.held.count - held.count))
        }
        for bucket in other.held.indices { held[bucket] += other.held[bucket] }
        time += other.time
        doubledIntegral += other.doubledIntegral
    }

    mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(leading: &surplus)
        numbers.transfer(leading: &surplusSum)
        numbers.transfer(leading: &held)
        numbers.transfer(&time)
        numbers.transfer(&doubledIntegral)
    }

    /// The mean over time; nil without intervals.
    public var mean: Double? {
        time > 0 ? Double(doubledIntegral) / 2 / Double(time) : nil
    }

    /// The time spent in each visited bucket, in ascending order.
    public var timePerBucket: [(bucket: Int, time: Int64)] {
        guard time > 0 else { return [] }
        var result: [(bucket: Int, time: Int64)] = []
        // From the top down: an interval that ends above a bucket and begins at or below it covers the whole bucket.
        var above: Int64 = 0
        for bucket in (0..<max(surplus.count, held.count)).reversed() {
            let heldTime = bucket < held.count ? held[bucket] : 0
            guard bucket < surplus.count else {
                if heldTime > 0 { result.append((bucket, heldTime)) }
                continue
            }
            let low = LogLinear.lowerBound(ofBucket: bucket)
            let high = LogLinear.lowerBound(ofBucket: bucket + 1)
            // An end within the bucket counts from the lower bound, an end above it counts the whole width. Beginnings
            // count likewise, with a negative sign.
            let within = surplusSum[bucket] - surplus[bucket] * low
            let whole = above == 0 ? 0 : above * (high - low)
            above += surplus[bucket]
            if within + whole + heldTime > 0 {
                result.append((bucket, within + whole + heldTime))
            }
        }
        return result.reversed()
    }

    /// The value below which a share of the time is spent, interpolated within a bucket; nil without intervals.
    ///
    /// - Parameter share: 0...1.
    public func quantile(_ share: Double) -> Int64? {
        guard time > 0 else { return nil }
        let wanted = share * Double(time)
        var seen = 0.0
        var end: Int64 = 0
        for (bucket, inBucket) in timePerBucket {
            let low = LogLinear.lowerBound(ofBucket: bucket)
            let high = LogLinear.lowerBound(ofBucket: bucket + 1)
            end = high
            if seen + Double(inBucket) >= wanted {
                return low + Int64((Double(high - low) * (wanted - seen) / Double(inBucket)).rounded())
            }
            seen += Double(inBucket)
        }
        return end
    }
}

extension RampTally {
    /// A ramp tally under construction, to which intervals are added without uniqueness checks.
    struct Open {
        /// The surplus and its sum, which are updated together.
        fileprivate struct Bucket {
            var surplus: Int64 = 0
            var sum: Int64 = 0
        }

        fileprivate private(set) var buckets: UnsafeMutablePointer<Bucket>?
        fileprivate private(set) var held: UnsafeMutablePointer<Int64>?
        fileprivate private(set) var time: Int64 = 0
        fileprivate private(set) var doubledIntegral: Int128 = 0

        /// Adds an interval from one value to a larger one.
        ///
        /// - Precondition: 0 ≤ `low` ≤ `high`.
        @inline(__always)
        mutating func record(from low: Int64, to high: Int64) {
            precondition(0 <= low && low <= high, "a ramp must rise from a value that is not negative")
            guard low < high else { return }
            var batch = Batch()
            record(from: low, to: high, in: &batch)
            add(batch)
        }

        /// Adds an interval in which the value does not change, with time and area added later.
        ///
        /// - Precondition: 0 ≤ `value`.
        @inline(__always)
        mutating func record(_ value: Int64, during time: Int64, in batch: inout Batch) {
            batch.time &+= time
            batch.doubledIntegral &+= 2 * Int128(value) * Int128(time)
            let buckets = held ?? openHeld()
            buckets[LogLinear.bucket(of: value)] += time
        }

        @inline(never)
        private mutating func openHeld() -> UnsafeMutablePointer<Int64> {
            let opened = UnsafeMutablePointer<Int64>.allocate(capacity: LogLinear.bucketCount)
            opened.initialize(repeating: 0, count: LogLinear.bucketCount)
            held = opened
            return opened
        }

        /// The sums of several intervals, added to the tally together.
        struct Batch {
            var time: Int64 = 0
            var doubledIntegral: Int128 = 0
        }

        /// Adds an interval whose time and area are added later, by ``add(_:)``.
        ///
        /// - Precondition: 0 ≤ `low` ≤ `high`.
        @inline(__always)
        mutating func record(from low: Int64, to high: Int64, in batch: inout Batch) {
            batch.time &+= high &- low
            batch.doubledIntegral &+= Ramp.doubledArea(from: low, to: high)
            let buckets = buckets ?? open()
            let first = LogLinear.bucket(of: low)
            let last = LogLinear.bucket(of: high)
            buckets[first].surplus &-= 1
            buckets[first].sum -= low
            buckets[last].surplus &+= 1
            buckets[last].sum += high
        }

        /// Adds the sums of a batch.
        @inline(__always)
        mutating func add(_ batch: Batch) {
            time += batch.time
            doubledIntegral += batch.doubledIntegral
        }

        @inline(never)
        private mutating func open() -> UnsafeMutablePointer<Bucket> {
            let opened = UnsafeMutablePointer<Bucket>.allocate(capacity: LogLinear.bucketCount)
            opened.initialize(repeating: Bucket(), count: LogLinear.bucketCount)
            buckets = opened
            return opened
        }

        /// Frees the memory; nothing may be recorded afterwards.
        func close() {
            buckets?.deallocate()
            held?.deallocate()
        }
    }
}

/// An interval in which a quantity grows at the rate of time.
enum Ramp {
    /// Twice the area under a ramp: high² - low².
    @inline(__always)
    static func doubledArea(from low: Int64, to high: Int64) -> Int128 {
        // Below 2^31 µs, or 35 minutes, it fits into 64 bits; nearly all ages are lower.
        high < 1 << 31 ? Int128((high &- low) &* (high &+ low)) : Int128(high - low) * Int128(high + low)
    }
}
