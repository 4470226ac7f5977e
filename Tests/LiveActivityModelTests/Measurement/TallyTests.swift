import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("Log-linear buckets")
struct LogLinearTests {
    /// Zero, every power of two with its neighbours, and the largest number.
    static let edges: [Int64] =
        [0, .max, .max - 1]
        + (0..<63)
        .flatMap { power in
            let value = Int64(1) << Int64(power)
            return [value - 1, value, value + (value < .max ? 1 : 0)]
        }

    @Test("A value is within the bounds of its bucket", arguments: edges)
    func contains(_ value: Int64) {
        let bucket = LogLinear.bucket(of: value)
        #expect((0..<LogLinear.bucketCount).contains(bucket))
        #expect(LogLinear.lowerBound(ofBucket: bucket) <= value)
        // The bound after the last bucket is the largest number itself, which belongs to the last bucket.
        #expect(value < LogLinear.lowerBound(ofBucket: bucket + 1) || value == .max)
    }

    @Test("Every bucket begins with its lower bound and follows the previous one")
    func bounds() {
        for bucket in 0..<LogLinear.bucketCount {
            let low = LogLinear.lowerBound(ofBucket: bucket)
            #expect(LogLinear.bucket(of: low) == bucket)
            if bucket > 0 {
                #expect(LogLinear.bucket(of: low - 1) == bucket - 1)
            }
        }
        #expect(LogLinear.bucket(of: .max) == LogLinear.bucketCount - 1)
        #expect(LogLinear.lowerBound(ofBucket: LogLinear.bucketCount) == .max)
    }

    @Test("Small values have separate buckets; no other bucket is wider than 1/64 of its values")
    func resolution() {
        for bucket in 0..<(LogLinear.bucketCount - 1) {
            let low = LogLinear.lowerBound(ofBucket: bucket)
            let width = LogLinear.lowerBound(ofBucket: bucket + 1) - low
            #expect(width == (low < 128 ? 1 : Int64(1) << Int64(57 - low.leadingZeroBitCount)))
            #expect(width <= max(1, low / 64))
        }
    }
}

@Suite("Tally")
struct TallyTests {
    private static func values(seed: UInt64, count: Int) -> [Int64] {
        var random = TestStream(seed: seed)
        return (0..<count)
            .map { _ in
                let bits = random.number(0...40)
                return random.number(0...(Int64(1) << bits))
            }
    }

    private static func tally(_ values: some Sequence<Int64>) -> Tally {
        var open = Tally.Open()
        defer { open.close() }
        for value in values {
            open.record(value)
        }
        return Tally(open)
    }

    @Test("Count, sum and largest are exact", arguments: 1...5)
    func totals(seed: UInt64) {
        let values = Self.values(seed: seed, count: 1000)
        let tally = Self.tally(values)
        #expect(tally.count == 1000)
        #expect(tally.sum == values.reduce(0, +))
        #expect(tally.largest == values.max())
        #expect(tally.counts.reduce(0, +) == 1000)
    }

    @Test("Batches give the same result", arguments: 1...5)
    func batch(seed: UInt64) {
        let values = Self.values(seed: seed, count: 100) + [0, 0, 0]
        var open = Tally.Open()
        defer { open.close() }
        var batch = Tally.Open.Batch()
        for value in values.dropLast(3) { open.record(value, in: &batch) }
        open.add(batch)
        open.record(zeros: 3)
        #expect(Tally(open) == Self.tally(values))
    }

    @Test("A quantile is the end of the bucket that contains the value of its rank", arguments: 1...5)
    func quantiles(seed: UInt64) throws {
        let sorted = Self.values(seed: seed, count: 257).sorted()
        let tally = Self.tally(sorted)
        for percent in 0...100 {
            let rank = max(1, (257 * percent + 99) / 100)
            let bucket = LogLinear.bucket(of: sorted[rank - 1])
            let end = min(try #require(sorted.last), LogLinear.lowerBound(ofBucket: bucket + 1) - 1)
            #expect(tally.quantile(Double(percent) / 100) == end, "seed \(seed), \(percent) %")
        }
    }

    @Test("Values below 128 have exact quantiles")
    func smallQuantiles() {
        let tally = Self.tally(0..<128)
        for rank in Int64(1)...128 {
            #expect(tally.quantile(Double(rank) / 128) == rank - 1)
        }
    }

    @Test("Parts add up to the whole, in any order", arguments: 1...5)
    func merging(seed: UInt64) {
        let values = Self.values(seed: seed, count: 300)
        let parts = [values[..<100], values[100..<250], values[250...], []].map { Self.tally($0) }
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            var sum = Tally()
            for index in order {
                sum.add(parts[index])
            }
            #expect(sum == Self.tally(values))
        }
    }

    @Test("An empty tally, and extreme values")
    func extremes() {
        #expect(Tally().quantile(0.5) == nil)
        #expect(Self.tally([0]).quantile(1) == 0)
        #expect(Self.tally([.max]).largest == .max)
        #expect(Self.tally([.max]).quantile(0.5) == Int64.max - 1)
    }

    @Test("A tally that was created from an open one does not change", arguments: 1...5)
    func open(seed: UInt64) {
        let values = Self.values(seed: seed, count: 500) + LogLinearTests.edges.filter { $0 < 1 << 50 }
        var open = Tally.Open()
        defer { open.close() }
        #expect(Tally(open) == Tally())
        for (index, value) in values.enumerated() {
            open.record(value)
            if index % 97 == 0 {
                #expect(Tally(open) == Self.tally(values[...index]))
            }
        }
        let closed = Tally(open)
        open.record(1)
        // The earlier tally is unchanged.
        #expect(closed == Self.tally(values))
        #expect(Tally(open) == Self.tally(values + [1]))
    }
}
