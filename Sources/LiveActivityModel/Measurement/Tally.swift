/// A histogram of non-negative integers with a relative resolution of 1/64.
///
/// The buckets are log-linear: values below 128 have one each, and every power of two above is split into 64. All
/// fields are integers, so the sum of the tallies of several cells does not depend on the order.
public struct Tally: Hashable, Sendable {
    /// The number of values in each bucket, through the last bucket that is not empty.
    public private(set) var counts: [Int64] = []
    /// The number of values.
    public private(set) var count: Int64 = 0
    /// The sum of the values.
    ///
    /// It never saturates in practice: 2^63 µs are 292,000 years.
    public private(set) var sum: Int64 = 0
    /// The largest value.
    public private(set) var largest: Int64 = 0

    /// Creates an empty tally.
    public init() {}

    /// Creates a tally of the values in an open one.
    init(_ open: Open) {
        guard let buckets = open.buckets else { return }
        counts = Array(UnsafeBufferPointer(start: buckets, count: LogLinear.bucket(of: open.largest) + 1))
        (count, sum, largest) = (open.count, open.sum, open.largest)
    }

    /// Adds all values of another tally.
    mutating func add(_ other: Tally) {
        guard other.count > 0 else { return }
        extend(through: other.counts.count - 1)
        for bucket in other.counts.indices {
            counts[bucket] += other.counts[bucket]
        }
        count += other.count
        sum += other.sum
        largest = max(largest, other.largest)
    }

    /// Adds a number of zeros.
    mutating func add(zeros added: Int64) {
        guard added > 0 else { return }
        extend(through: 0)
        counts[0] += added
        count += added
    }

    /// The sum of several tallies.
    public static func sum(_ tallies: some Sequence<Tally>) -> Tally {
        tallies.reduce(into: Tally()) { $0.add($1) }
    }

    private mutating func extend(through bucket: Int) {
        if bucket >= counts.count {
            counts.append(contentsOf: repeatElement(0, count: bucket + 1 - counts.count))
        }
    }

    mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(leading: &counts)
        numbers.transfer(&count)
        numbers.transfer(&sum)
        numbers.transfer(&largest)
    }

    /// The value below which a share of the values lies, within the resolution; nil without values.
    ///
    /// - Parameter share: 0...1.
    public func quantile(_ share: Double) -> Int64? {
        guard count > 0 else { return nil }
        let rank = max(1, Int64((share * Double(count)).rounded(.up)))
        var seen: Int64 = 0
        for (bucket, inBucket) in counts.enumerated() where inBucket > 0 {
            seen += inBucket
            if seen >= rank {
                return min(largest, LogLinear.lowerBound(ofBucket: bucket + 1) - 1)
            }
        }
        return largest
    }
}

extension Tally {
    /// A tally under construction, to which values are added without uniqueness checks.
    struct Open {
        fileprivate private(set) var buckets: UnsafeMutablePointer<Int64>?
        private var capacity = 0
        fileprivate private(set) var count: Int64 = 0
        fileprivate private(set) var sum: Int64 = 0
        fileprivate private(set) var largest: Int64 = 0

        /// Adds a value.
        ///
        /// - Precondition: `value` is not negative.
        @inline(__always)
        mutating func record(_ value: Int64) {
            var batch = Batch()
            record(value, in: &batch)
            add(batch)
        }

        /// The count and sum of several values, added to the tally together.
        struct Batch {
            var count: Int64 = 0
            var sum: Int64 = 0
            var largest: Int64 = 0
        }

        /// Adds a value whose count and sum are added later, by ``add(_:)``.
        ///
        /// - Precondition: `value` is not negative.
        @inline(__always)
        mutating func record(_ value: Int64, in batch: inout Batch) {
            precondition(value >= 0, "a tally cannot hold a negative value")
            batch.count &+= 1
            batch.sum &+= value
            batch.largest = max(batch.largest, value)
            let bucket = LogLinear.bucket(of: value)
            if bucket >= capacity { grow(through: bucket) }
            buckets.unsafelyUnwrapped[bucket] &+= 1
        }

        /// Adds the count and sum of a batch.
        @inline(__always)
        mutating func add(_ batch: Batch) {
            count &+= batch.count
            sum += batch.sum
            largest = max(largest, batch.largest)
        }

        /// Adds a number of zeros.
        mutating func record(zeros added: Int64) {
            if capacity == 0 { grow(through: 0) }
            count &+= added
            buckets.unsafelyUnwrapped[0] &+= added
        }

        /// Grows with some spare capacity; a tally of small values, as most are, stays small.
        @inline(never)
        private mutating func grow(through bucket: Int) {
            let wanted = min(LogLinear.bucketCount, (bucket + 1) * 5 / 4 + 3)
            let grown = UnsafeMutablePointer<Int64>.allocate(capacity: wanted)
            grown.initialize(repeating: 0, count: wanted)
            if let buckets {
                grown.update(from: buckets, count: capacity)
                buckets.deallocate()
            }
            buckets = grown
            capacity = wanted
        }

        /// Frees the memory; nothing may be recorded afterwards.
        func close() {
            buckets?.deallocate()
        }
    }
}

/// The buckets of ``Tally`` and ``RampTally``.
public enum LogLinear {
    /// The number of buckets, which cover every non-negative 64-bit value.
    public static let bucketCount = (63 - 7) * 64 + 128

    /// The bucket that holds a value.
    @inline(__always)
    static func bucket(of value: Int64) -> Int {
        let shift = 57 &- (value | 127).leadingZeroBitCount
        return shift &<< 6 &+ Int(truncatingIfNeeded: value &>> Int64(truncatingIfNeeded: shift))
    }

    /// The smallest value of a bucket; for the bucket after the last, the largest 64-bit value.
    public static func lowerBound(ofBucket bucket: Int) -> Int64 {
        guard bucket < bucketCount else { return .max }
        guard bucket >= 128 else { return Int64(bucket) }
        let shift = bucket >> 6 - 1
        return Int64(bucket - shift << 6) << Int64(shift)
    }
}
