import Foundation

/// Stretches of a series that differ from the rest: change points in pairs.
///
/// Each bin of the series has the gain in log-likelihood of being different by a given amount. The stretch with the largest sum is
/// found by one pass (J. Bentley's maximum subarray), for each of several amounts. It is a scan statistic with variable window (J.
/// Glaz, J. Naus and S. Wallenstein, "Scan Statistics", 2001). What remains on both sides is searched again.
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

    /// Returns the stretches that differ, in order of time.
    ///
    /// - Parameters:
    ///   - count: The number of bins.
    ///   - amounts: The number of amounts.
    ///   - least: The gain below which a stretch counts as chance; twice the logarithm of the number of possible stretches is
    ///     a fair choice.
    ///   - gain: The gain of a bin for an amount.
    public static func stretches(
        count: Int,
        amounts: Int,
        least: Double,
        gain: (_ bin: Int, _ amount: Int) -> Double
    ) -> [Stretch] {
        let gains = (0..<amounts).map { amount in (0..<count).map { gain($0, amount) } }
        var found: [Stretch] = []
        var open = [0..<count]
        while let range = open.popLast(), found.count < 100 {
            guard let best = best(in: range, gains), best.gain >= least else { continue }
            found.append(best)
            open.append(range.lowerBound..<best.bins.lowerBound)
            open.append(best.bins.upperBound..<range.upperBound)
        }
        return found.sorted { $0.bins.lowerBound < $1.bins.lowerBound }
    }

    private static func best(in range: Range<Int>, _ gains: [[Double]]) -> Stretch? {
        var best: (bins: Range<Int>, amount: Int, gain: Double)?
        for amount in gains.indices {
            var (sum, start) = (0.0, range.lowerBound)
            for bin in range {
                if sum <= 0 { (sum, start) = (0, bin) }
                sum += gains[amount][bin]
                if sum > best?.gain ?? 0 { best = (start..<(bin + 1), amount, sum) }
            }
        }
        guard let best else { return nil }
        let values = gains[best.amount]
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
        let (low, high) = (best.bins.lowerBound, best.bins.upperBound)
        return Stretch(
            bins: best.bins,
            amount: best.amount,
            gain: best.gain,
            begins: reach(
                from: low,
                by: -1,
                within: range.lowerBound,
                sign: 1
            )...reach(from: low, by: 1, within: high - 1, sign: -1),
            ends: reach(
                from: high,
                by: -1,
                within: low + 1,
                sign: -1
            )...reach(from: high, by: 1, within: range.upperBound, sign: 1)
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
