import Foundation
import TestSupport
import Testing

@testable import FreshnessCore

@Suite struct UnitExponentialTests {
    /// Draws at both ends, around every power of two and at the split of the range, and several thousand others.
    private static let draws: [UInt64] = {
        var draws: [UInt64] = [1, 2, 3, .max, .max - 1]
        for shift in 1..<64 {
            let power: UInt64 = 1 << UInt64(shift)
            draws += [power - 1, power, power + 1, 0 &- power, 0 &- power - 1, 0 &- power + 1]
        }
        let split = UInt64((1 - 0.5.squareRoot()) * 0x1p64)
        draws += [split - 4096, split, split + 4096]
        var stream = TestStream(seed: 7)
        for index in 0..<4000 {
            draws.append(stream.next() >> UInt64(index % 64))
        }
        return draws.filter { $0 != 0 }
    }()

    @Test func valuesAreThoseOfTheLogarithm() {
        for draw in Self.draws {
            // Both forms are exact up to one rounding of the argument, each on its side.
            let exact =
                draw < 1 << 62 ? -log1p(-Double(draw) * 0x1p-64) : -log(Double(0 &- draw) * 0x1p-64)
            let error = abs(UnitExponential.value(for: draw) / exact - 1)
            #expect(error < 1e-15, "draw \(draw)")
        }
    }

    @Test func theEndsAreZeroAndSixtyFourOctaves() {
        #expect(UnitExponential.value(for: 0) == 0)
        #expect(UnitExponential.value(for: 1 << 63) == log(2))
        #expect(UnitExponential.value(for: .max) == 64 * log(2))
    }

    @Test func largerDrawsGiveLargerValues() {
        let values = Self.draws.sorted().map(UnitExponential.value)
        #expect(zip(values, values.dropFirst()).allSatisfy(<=))
    }

    /// The mean, the second moment and the Kolmogorov-Smirnov distance, each within about four standard errors.
    @Test func theDistributionIsExponentialOfMeanOne() {
        var stream = TestStream(seed: 11)
        let count = 20_000
        let values = (0..<count).map { _ in UnitExponential.value(for: stream.next()) }.sorted()
        let root = Double(count).squareRoot()
        let mean = values.reduce(0, +) / Double(count)
        #expect(abs(mean - 1) < 4 / root)
        // The variance of the square is 4! - 2².
        let second = values.reduce(0) { $0 + $1 * $1 } / Double(count)
        #expect(abs(second - 2) < 4 * 20.0.squareRoot() / root)
        var distance = 0.0
        for (index, value) in values.enumerated() {
            let share = 1 - exp(-value)
            distance = max(distance, share - Double(index) / Double(count), Double(index + 1) / Double(count) - share)
        }
        // A larger distance has a probability of one in a thousand.
        #expect(distance * root < 1.95)
    }
}
