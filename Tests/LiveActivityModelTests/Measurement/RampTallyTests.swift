import Quantities
import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("RampTally")
struct RampTallyTests {
    private static func ramps(seed: UInt64, count: Int, bits: Int64) -> [(low: Int64, high: Int64)] {
        var random = TestStream(seed: seed)
        return (0..<count)
            .map { _ in
                let ends = [random.number(0...bits), random.number(0...bits)]
                    .map { random.number(0...(Int64(1) << $0)) }
                return (min(ends[0], ends[1]), max(ends[0], ends[1]))
            }
    }

    private static func tally(_ ramps: some Sequence<(low: Int64, high: Int64)>) -> RampTally {
        var open = RampTally.Open()
        defer { open.close() }
        for ramp in ramps {
            open.record(from: ramp.low, to: ramp.high)
        }
        return RampTally(open)
    }

    @Test("Batches give the same result", arguments: 1...10)
    func batch(seed: UInt64) {
        let ramps = Self.ramps(seed: seed, count: 50, bits: 40).filter { $0.low < $0.high }
        var open = RampTally.Open()
        defer { open.close() }
        var batch = RampTally.Open.Batch()
        for ramp in ramps { open.record(from: ramp.low, to: ramp.high, in: &batch) }
        open.add(batch)
        #expect(RampTally(open) == Self.tally(ramps))
    }

    @Test("The time in each bucket matches a walk, microsecond by microsecond", arguments: 1...20)
    func againstWalk(seed: UInt64) {
        let ramps = Self.ramps(seed: seed, count: 20, bits: 11)
        var expected: [Int: Int64] = [:]
        for ramp in ramps {
            for value in ramp.low..<ramp.high {
                expected[LogLinear.bucket(of: value), default: 0] += 1
            }
        }
        let found = Self.tally(ramps).timePerBucket
        #expect(found.map(\.bucket) == expected.keys.sorted())
        #expect(found.map(\.time) == expected.keys.sorted().compactMap { expected[$0] })
    }

    @Test("The time in each bucket is the part of each ramp that is in it", arguments: 1...5)
    func againstOverlaps(seed: UInt64) {
        let ramps = Self.ramps(seed: seed, count: 50, bits: 45)
        var expected: [Int64] = []
        for bucket in 0..<LogLinear.bucketCount {
            let low = LogLinear.lowerBound(ofBucket: bucket)
            let high = LogLinear.lowerBound(ofBucket: bucket + 1)
            expected.append(ramps.reduce(0) { $0 + max(0, min(high, $1.high) - max(low, $1.low)) })
        }
        let tally = Self.tally(ramps)
        var found = [Int64](repeating: 0, count: LogLinear.bucketCount)
        for (bucket, time) in tally.timePerBucket {
            found[bucket] = time
        }
        #expect(found == expected)
        #expect(tally.time == ramps.reduce(0) { $0 + $1.high - $1.low })
    }

    @Test("The mean is the exact integral over the time", arguments: 1...10)
    func mean(seed: UInt64) {
        let ramps = Self.ramps(seed: seed, count: 40, bits: 30)
        // The integral of x from a to b is (b² - a²) / 2.
        let doubled = ramps.reduce(Int64(0)) { $0 + $1.high * $1.high - $1.low * $1.low }
        let time = ramps.reduce(0) { $0 + $1.high - $1.low }
        #expect(Self.tally(ramps).mean == Double(doubled) / 2 / Double(time))
    }

    @Test("A quantile has its share of the time below it, within its bucket", arguments: 1...10)
    func quantiles(seed: UInt64) throws {
        let ramps = Self.ramps(seed: seed, count: 30, bits: 36)
        let tally = Self.tally(ramps)
        func time(below value: Int64) -> Double {
            Double(ramps.reduce(0) { $0 + max(0, min(value, $1.high) - $1.low) })
        }
        for percent in 1...99 {
            let share = Double(percent) / 100
            let bucket = LogLinear.bucket(of: max(0, try #require(tally.quantile(share)) - 1))
            let wanted = share * Double(tally.time)
            #expect(time(below: LogLinear.lowerBound(ofBucket: bucket)) <= wanted)
            #expect(time(below: LogLinear.lowerBound(ofBucket: bucket + 1) + 1) >= wanted)
        }
    }

    @Test("A single ramp over small values has linear quantiles")
    func straight() {
        let tally = Self.tally([(0, 100)])
        for percent in Int64(0)...100 {
            #expect(tally.quantile(Double(percent) / 100) == percent)
        }
        #expect(tally.mean == 50)
    }

    @Test("Parts add up to the whole, in any order", arguments: 1...5)
    func merging(seed: UInt64) {
        let ramps = Self.ramps(seed: seed, count: 90, bits: 40)
        let parts = [ramps[..<30], ramps[30..<80], ramps[80...], []].map { Self.tally($0) }
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            var sum = RampTally()
            for index in order {
                sum.add(parts[index])
            }
            #expect(sum == Self.tally(ramps))
        }
    }

    @Test("An empty tally, and ramps of length zero")
    func empty() {
        for tally in [RampTally(), Self.tally([(7, 7)])] {
            #expect(tally.time == 0)
            #expect(tally.mean == nil)
            #expect(tally.quantile(0.5) == nil)
            #expect(tally.timePerBucket.isEmpty)
        }
    }

    @Test("A tally that was created from an open one does not change", arguments: 1...5)
    func open(seed: UInt64) {
        let ramps = Self.ramps(seed: seed, count: 300, bits: 45) + [(9, 9), (0, 1)]
        var open = RampTally.Open()
        defer { open.close() }
        open.record(from: 7, to: 7)
        #expect(RampTally(open) == RampTally())
        for (index, ramp) in ramps.enumerated() {
            open.record(from: ramp.low, to: ramp.high)
            if index % 47 == 0 {
                #expect(RampTally(open) == Self.tally(ramps[...index]))
            }
        }
        let closed = RampTally(open)
        open.record(from: 1, to: 2)
        // The earlier tally is unchanged.
        #expect(closed == Self.tally(ramps))
        #expect(RampTally(open) == Self.tally(ramps + [(1, 2)]))
    }

    @Test("A ramp in two pieces equals the whole ramp", arguments: 1...5)
    func pieces(seed: UInt64) {
        var random = TestStream(seed: seed)
        let ramps = Self.ramps(seed: seed, count: 60, bits: 45)
        let pieces = ramps.flatMap { ramp in
            let cut = random.number(ramp.low...ramp.high)
            return [(ramp.low, cut), (cut, ramp.high)]
        }
        #expect(Self.tally(pieces) == Self.tally(ramps))
    }
}

@Suite("Ramp")
struct RampTests {
    /// Ages around 2^31, above which 64 bits cannot hold the difference of their squares, and the longest possible
    /// ones.
    private static let ages: [Int64] = {
        let longest = TimeSpan.longest.microseconds
        var ages: [Int64] = [longest - 1, longest, 2 * longest]
        for power in [0, 1, 10, 30, 31, 32, 40, 48, 61] {
            let age = Int64(1) << power
            ages += [age - 1, age, age + 1]
        }
        return ages
    }()

    @Test("Twice the area is the difference of the squares", arguments: ages)
    func area(high: Int64) {
        for low in Self.ages where low <= high {
            let squares = (high.multipliedFullWidth(by: high), low.multipliedFullWidth(by: low))
            let wanted = Self.number(squares.0) - Self.number(squares.1)
            #expect(Ramp.doubledArea(from: low, to: high) == wanted, "\(low) to \(high)")
        }
    }

    private static func number(_ product: (high: Int64, low: UInt64)) -> Int128 {
        Int128(product.high) << 64 | Int128(product.low)
    }
}
