import Foundation

/// Stretches of a series that differ from the rest: change points in pairs.
///
/// Each bin of the series has the gain in log-likelihood of being different by a given amount. The stretches with the largest sum of
/// gains, less a price for each stretch, are found by dynamic programming (B. Jackson and others, "An algorithm for optimal
/// partitioning of data on an interval", IEEE Signal Processing Letters 12, 2005). So two stretches are one if the bins between them
/// cost less than another stretch.
public struct ScanStatistic: Hashable, Sendable {
    /// A stretch that differs.
    public struct Stretch: Hashable, Sendable {
        /// The bins.
        public let bins: Range<Int>
        /// The index of the amount by which it differs most likely.
        public let amount: Int
        /// The gain in log-likelihood.
        public let gain: Double
        /// The bins at which it may have begun instead, with at most 1.92 less log-likelihood (95 %).
        public let begins: ClosedRange<Int>
        /// The bins at which it may have ended instead.
        public let ends: ClosedRange<Int>
    }

    /// Half of the 95 % quantile of chi-square with one degree of freedom.
    private static let plausible = 1.92

    /// Returns the stretches that differ, in order of time, with at least one bin between two of them.
    ///
    /// - Parameters:
    ///   - count: The number of bins.
    ///   - amounts: The number of amounts.
    ///   - least: The price of a stretch: the gain below which it counts as chance. Twice the logarithm of the number of possible
    ///     stretches is a fair choice.
    ///   - gain: The gain of a bin for an amount.
    /// - Complexity: O(`count` · `amounts`) time and memory.
    public static func stretches(
        count: Int,
        amounts: Int,
        least: Double,
        gain: (_ bin: Int, _ amount: Int) -> Double
    ) -> [Stretch] {
        let gains = (0..<amounts).map { amount in (0..<count).map { gain($0, amount) } }
        let found = partition(gains, count: count, least: least)
        return found.indices.map { place in
            let low = place > 0 ? found[place - 1].bins.upperBound : 0
            let high = place + 1 < found.count ? found[place + 1].bins.lowerBound : count
            return stretch(found[place].bins, found[place].amount, gains[found[place].amount], low..<high)
        }
    }

    /// Returns the stretches, with their amounts, whose gains less their prices have the largest sum.
    private static func partition(_ gains: [[Double]], count: Int, least: Double) -> [(bins: Range<Int>, amount: Int)] {
        // The best sums up to a bin, if the bin is usual, and if it is in a stretch of each amount.
        var usual = 0.0
        var different = [Double](repeating: -.infinity, count: gains.count)
        // The amount of the bin before, by bin, or -1 if that bin is usual: for a usual bin, and for one of each amount.
        var beforeUsual = [Int](repeating: -1, count: count)
        var begins = [[Bool]](repeating: [Bool](repeating: false, count: count), count: gains.count)
        for bin in 0..<count {
            var (best, before) = (usual, -1)
            for amount in gains.indices where different[amount] > best { (best, before) = (different[amount], amount) }
            for amount in gains.indices {
                let isFirst = usual - least >= different[amount]
                begins[amount][bin] = isFirst
                different[amount] = gains[amount][bin] + (isFirst ? usual - least : different[amount])
            }
            (usual, beforeUsual[bin]) = (best, before)
        }
        var amount = -1
        for other in gains.indices where different[other] > (amount < 0 ? usual : different[amount]) { amount = other }
        var found: [(bins: Range<Int>, amount: Int)] = []
        var (bin, end) = (count - 1, count)
        while bin >= 0 {
            if amount < 0 {
                amount = beforeUsual[bin]
                end = bin
            } else if begins[amount][bin] {
                found.append((bin..<end, amount))
                amount = -1
            }
            bin -= 1
        }
        return found.reversed()
    }

    /// Returns a stretch with the intervals of its bounds, which may move within a range.
    private static func stretch(_ bins: Range<Int>, _ amount: Int, _ values: [Double], _ range: Range<Int>) -> Stretch {
        // A bound may move as long as the bins between cost little.
        func reach(from bin: Int, by step: Int, within limit: Int, sign: Double) -> Int {
            var (place, sum, last) = (bin, 0.0, bin)
            while place != limit {
                let next = step > 0 ? place : place - 1
                sum += sign * values[next]
                place += step
                if sum < -plausible { break }
                last = place
            }
            return last
        }
        let (low, high) = (bins.lowerBound, bins.upperBound)
        let begins = (
            reach(from: low, by: -1, within: range.lowerBound, sign: 1),
            reach(from: low, by: 1, within: high - 1, sign: -1)
        )
        let ends = (
            reach(from: high, by: -1, within: low + 1, sign: -1),
            reach(from: high, by: 1, within: range.upperBound, sign: 1)
        )
        return Stretch(
            bins: bins,
            amount: amount,
            gain: values[bins].reduce(0, +),
            begins: begins.0...begins.1,
            ends: ends.0...ends.1
        )
    }

    /// The gain in log-likelihood of a share of trials instead of another.
    public static func gain(successes: Int, of trials: Int, share: Double, insteadOf usual: Double) -> Double {
        guard trials > 0 else { return 0 }
        let (yes, no) = (Double(successes), Double(trials - successes))
        return (yes > 0 ? yes * log(share / usual) : 0) + (no > 0 ? no * log((1 - share) / (1 - usual)) : 0)
    }

    /// The gain in log-likelihood of a Poisson count with a factor on its expectation.
    public static func gain(count: Int, expected: Double, factor: Double) -> Double {
        (count > 0 ? Double(count) * log(factor) : 0) - expected * (factor - 1)
    }
}
