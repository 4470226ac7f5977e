import Statistics

/// The numerator and denominator of a ratio in one replication.
typealias RatioPart = (numerator: Double, denominator: Double)

/// The estimates of one response by seed: each is a pooled ratio with its standard error.
struct SeedEstimates {
    /// The numerator and denominator of each replication, by seed.
    private var parts: [[RatioPart]]

    init(seeds: Int) {
        parts = Array(repeating: [], count: seeds)
    }

    mutating func add(_ part: RatioPart, seed: Int) {
        parts[seed].append(part)
    }

    /// The mean over seeds; nil if some seed has no observations of the response.
    var mean: Double? {
        let quotients = parts.compactMap { parts in
            let bottom = parts.reduce(0) { $0 + $1.denominator }
            return bottom > 0 ? parts.reduce(0) { $0 + $1.numerator } / bottom : nil
        }
        return quotients.count == parts.count ? quotients.reduce(0, +) / Double(quotients.count) : nil
    }

    /// The mean over seeds with its confidence interval; nil if the seeds have too few observations.
    var interval: StudentInterval? {
        let quotients = parts.compactMap { RatioEstimator($0)?.ratio }
        return quotients.count == parts.count ? StudentInterval(quotients) : nil
    }

    /// The skewness of a seed's estimate: that of the sum of its replications' residuals, estimated from all seeds.
    var skewness: Double {
        let all = parts.flatMap { $0 }
        let bottom = all.reduce(0) { $0 + $1.denominator }
        guard bottom > 0 else { return 0 }
        let ratio = all.reduce(0) { $0 + $1.numerator } / bottom
        var squares = 0.0
        var cubes = 0.0
        for part in all {
            let residual = part.numerator - ratio * part.denominator
            squares += residual * residual
            cubes += residual * residual * residual
        }
        guard squares > 0 else { return 0 }
        let seeds = Double(parts.count)
        return abs(cubes / seeds) / (squares / seeds * (squares / seeds).squareRoot())
    }

    /// The deviation of the mean over seeds from a value, as a normal score.
    func score(against exact: Double) -> Double? {
        interval?.score(against: exact)
    }

    /// The deviation of each seed from a value, in its own standard errors, as a normal score.
    ///
    /// Nil if some seed has too few observations, or none that vary.
    func scores(around exact: Double) -> [Double]? {
        let scores = parts.compactMap { seed -> Double? in
            guard let estimate = RatioEstimator(seed), estimate.standardError > 0 else { return nil }
            return Student.normalScore(
                (estimate.ratio - exact) / estimate.standardError,
                degreesOfFreedom: Double(estimate.degreesOfFreedom)
            )
        }
        return scores.count == parts.count ? scores : nil
    }

    /// The sum of the seeds' squared scores: chi-square distributed if the standard errors are correct.
    ///
    /// Nil if seeds differ although none of them has a spread.
    func spread(around exact: Double) -> (sum: Double, degreesOfFreedom: Double)? {
        if let scores = scores(around: exact) {
            return (scores.reduce(0) { $0 + $1 * $1 }, Double(scores.count))
        }
        return commonSpread(around: exact)
    }

    /// The sum of the seeds' squared scores, computed with a common standard error.
    ///
    /// If replications rarely differ, those of a seed may all be alike. Its own standard error is then 0 and has no
    /// meaning, but that of all seeds together does. Such estimates have heavy tails, and the sum of their squares has
    /// a variance of `n (2 + kurtosis)`: it is compared with the chi-square distribution of the same mean and variance
    /// (Satterthwaite).
    private func commonSpread(around exact: Double) -> (sum: Double, degreesOfFreedom: Double)? {
        let estimates = parts.compactMap { RatioEstimator($0) }
        guard estimates.count == parts.count else { return nil }
        let count = Double(estimates.count)
        let variance = estimates.reduce(0) { $0 + $1.standardError * $1.standardError } / count
        guard variance > 0 else { return nil }
        let squares = estimates.reduce(0) { $0 + ($1.ratio - exact) * ($1.ratio - exact) }
        let scale = 1 + max(0, kurtosis) / 2
        return (squares / variance / scale, count / scale)
    }

    /// The excess kurtosis of a seed's estimate: that of the sum of its replications' residuals, estimated from all
    /// seeds.
    private var kurtosis: Double {
        let all = parts.flatMap { $0 }
        let ratio = all.reduce(0) { $0 + $1.numerator } / all.reduce(0) { $0 + $1.denominator }
        var (squares, fourths) = (0.0, 0.0)
        for part in all {
            let square = (part.numerator - ratio * part.denominator) * (part.numerator - ratio * part.denominator)
            squares += square
            fourths += square * square
        }
        guard squares > 0 else { return 0 }
        // For one residual; a sum of n has 1/n of it.
        let ofOne = Double(all.count) * fourths / (squares * squares) - 3
        return ofOne * Double(parts.count) / Double(all.count)
    }
}

extension StudentInterval {
    /// `true` if the samples differ by no more than the rounding of times.
    var isCertain: Bool { halfWidth <= 1e-6 * abs(mean) }

    /// The deviation of the mean from a value in standard errors, as a normal score; nil for a wrong mean without
    /// spread.
    func score(against exact: Double) -> Double? {
        guard !isCertain else { return abs(mean - exact) <= 1e-5 * abs(exact) ? 0 : nil }
        let freedom = Double(count - 1)
        let error = halfWidth / Student.reach(level: level, degreesOfFreedom: freedom)
        return Student.normalScore((mean - exact) / error, degreesOfFreedom: freedom)
    }
}
