/// The time that a quantity growing at the rate of time spends at each value: exactly, without sampling.
///
/// Age of information is a sawtooth: it grows by a microsecond per microsecond until newer content is shown. A stretch on
/// which it grows from a to b spends equal time at every value between, so the time below x summed over all stretches is
///
///     Σ min(b, x) - min(a, x)
///
/// which needs only, for every bucket, how many stretches begin and end in it and the sum of those ends: two updates per
/// stretch, however many buckets it crosses.
public struct RampTally: Hashable, Sendable {
    /// Ends minus beginnings in each bucket, in stretches, through the last bucket in which a stretch ends.
    private var surplus: [Int64] = []
    /// Ends minus beginnings in each of these buckets, as the sum of their values.
    private var surplusSum: [Int64] = []
    /// The length of all stretches together.
    public private(set) var time: Int64 = 0
    /// Twice the integral of the value over time; halved when read.
    private var doubledIntegral: Int128 = 0

    /// No stretches.
    public init() {}

    /// The stretches of an open tally.
    init(_ open: Open) {
        guard let buckets = open.buckets else { return }
        var count = LogLinear.bucketCount
        // In the last bucket there are ends, each above the beginning that it may share it with.
        while count > 0, buckets[count - 1].sum == 0 { count -= 1 }
        surplus = (0..<count).map { buckets[$0].surplus }
        surplusSum = (0..<count).map { buckets[$0].sum }
        (time, doubledIntegral) = (open.time, open.doubledIntegral)
    }

    /// Takes in all stretches of another tally.
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
        time += other.time
        doubledIntegral += other.doubledIntegral
    }

    mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(leading: &surplus)
        numbers.transfer(leading: &surplusSum)
        numbers.transfer(&time)
        numbers.transfer(&doubledIntegral)
    }

    /// The mean over time; nil without stretches.
    public var mean: Double? {
        time > 0 ? Double(doubledIntegral) / 2 / Double(time) : nil
    }

    /// The time spent in each bucket that was visited, in rising order.
    public var timePerBucket: [(bucket: Int, time: Int64)] {
        guard time > 0 else { return [] }
        var result: [(bucket: Int, time: Int64)] = []
        // Walking down: stretches that end above a bucket and began at or below it cover it whole.
        var above: Int64 = 0
        for bucket in surplus.indices.reversed() {
            let low = LogLinear.lowerBound(ofBucket: bucket)
            let high = LogLinear.lowerBound(ofBucket: bucket + 1)
            // Ends within the bucket count from its lower bound, ends above it count its whole width; beginnings the
            // same, with a minus.
            let within = surplusSum[bucket] - surplus[bucket] * low
            let whole = above == 0 ? 0 : above * (high - low)
            above += surplus[bucket]
            if within + whole > 0 {
                result.append((bucket, within + whole))
            }
        }
        return result.reversed()
    }

    /// The value below which a share of the time is spent; linear within a bucket; nil without stretches.
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
    /// A ramp tally that is being filled, in memory to which a stretch is added without asking who shares it.
    struct Open {
        /// Surplus and its sum side by side, as they are touched together.
        fileprivate struct Bucket {
            var surplus: Int64 = 0
            var sum: Int64 = 0
        }

        fileprivate private(set) var buckets: UnsafeMutablePointer<Bucket>?
        fileprivate private(set) var time: Int64 = 0
        fileprivate private(set) var doubledIntegral: Int128 = 0

        /// Takes in a stretch from one value to a larger one.
        ///
        /// - Precondition: 0 ≤ `low` ≤ `high`.
        @inline(__always)
        mutating func record(from low: Int64, to high: Int64) {
            precondition(0 <= low && low <= high, "a ramp goes up from zero or more")
            guard low < high else { return }
            var batch = Batch()
            record(from: low, to: high, in: &batch)
            add(batch)
        }

        /// What some stretches have in common, added up before they are handed over together.
        struct Batch {
            var time: Int64 = 0
            var doubledIntegral: Int128 = 0
        }

        /// Takes in a stretch whose time and area are handed over later, by ``add(_:)``.
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

        /// Adds what was left to be handed over.
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

        /// Gives the memory back; nothing may be recorded any more.
        func close() {
            buckets?.deallocate()
        }
    }
}

/// A stretch on which a quantity grows at the rate of time.
enum Ramp {
    /// Twice the area under a ramp: high² - low².
    @inline(__always)
    static func doubledArea(from low: Int64, to high: Int64) -> Int128 {
        // Below 2^31 µs, that is 35 minutes, it fits 64 bits, and nearly all ages are below.
        high < 1 << 31 ? Int128((high &- low) &* (high &+ low)) : Int128(high - low) * Int128(high + low)
    }
}
