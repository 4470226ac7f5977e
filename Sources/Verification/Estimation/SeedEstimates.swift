import Statistics

/// Numerator and denominator of a quotient in one replication.
typealias RatioPart = (numerator: Double, denominator: Double)

/// What the seeds say about one response: of each a pooled quotient with its standard error.
struct SeedEstimates {
    /// Numerator and denominator of each replication, seed by seed.
    private var parts: [[RatioPart]]

    init(seeds: Int) {
        parts = Array(repeating: [], count: seeds)
    }

    mutating func add(_ part: RatioPart, seed: Int) {
        parts[seed].append(part)
    }

    /// The mean over seeds; nil when some seed has seen nothing of what is asked.
    var mean: Double? {
        let quotients = parts.compactMap { parts in
            let bottom = parts.reduce(0) { $0 + $1.denominator }
            return bottom > 0 ? parts.reduce(0) { $0 + $1.numerator } / bottom : nil
        }
        return quotients.count == parts.count ? quotients.reduce(0, +) / Double(quotients.count) : nil
    }

    /// The mean over seeds with its interval; nil when the seeds say too little.
    var interval: StudentInterval? {
        let quotients = parts.compactMap { RatioEstimator($0)?.ratio }
        return quotients.count == parts.count ? StudentInterval(quotients) : nil
    }

    /// How lopsided the estimate of a seed is: the skewness of the sum of its replications' residuals, from all seeds.
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

    /// How far the mean over seeds lies from a value, as a normal score.
    func score(against exact: Double) -> Double? {
        interval?.score(against: exact)
    }

    /// How far each seed lies from a value, in its own standard errors, as a normal score.
    ///
    /// Nil when some seed has too little seen, or has seen nothing that could differ.
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

    /// The sum of the seeds' squared scores: chi-square, if errors are what they claim.
    ///
    /// Nil when seeds differ though none of them has a spread.
    func spread(around exact: Double) -> (sum: Double, degreesOfFreedom: Double)? {
        if let scores = scores(around: exact) {
            return (scores.reduce(0) { $0 + $1 * $1 }, Double(scores.count))
        }
        return commonSpread(around: exact)
    }

    /// The sum of the seeds' squared scores by the standard error that all of them have in common.
    ///
    /// Where replications rarely differ, those of a seed may be all alike. Its own standard error, 0, says nothing then; that
    /// of all seeds together does. Such estimates have heavy tails, and the sum of their squares a variance of
    /// `n (2 + kurtosis)`: it is held against the chi-square that has the same mean and variance (Satterthwaite).
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

    /// The excess kurtosis of the estimate of a seed: that of the sum of its replications' residuals, from all seeds.
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
        // Of one residual; a sum of n has an nth of it.
        let ofOne = Double(all.count) * fourths / (squares * squares) - 3
        return ofOne * Double(parts.count) / Double(all.count)
    }
}

extension StudentInterval {
    /// Whether the samples differ by no more than the rounding of times.
    var isCertain: Bool { halfWidth <= 1e-6 * abs(mean) }

    /// How far the mean lies above a value, in standard errors, as a normal score; nil for a mean without spread that is off.
    func score(against exact: Double) -> Double? {
        guard !isCertain else { return abs(mean - exact) <= 1e-5 * abs(exact) ? 0 : nil }
        let freedom = Double(count - 1)
        let error = halfWidth / Student.reach(level: level, degreesOfFreedom: freedom)
        return Student.normalScore((mean - exact) / error, degreesOfFreedom: freedom)
    }
}
