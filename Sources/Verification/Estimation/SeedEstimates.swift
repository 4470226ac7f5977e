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

    /// The sum of the seeds' squared scores, each by its own standard error: chi-square, if errors are what they claim.
    ///
    /// A seed in which nothing happened that could differ has no score; nil if such a seed is off.
    func spread(around exact: Double) -> (sum: Double, degreesOfFreedom: Int)? {
        var sum = 0.0
        var count = 0
        for seed in parts {
            guard let estimate = RatioEstimator(seed) else { return nil }
            guard estimate.standardError > 0 else {
                guard estimate.ratio == exact else { return nil }
                continue
            }
            let score = Student.normalScore(
                (estimate.ratio - exact) / estimate.standardError,
                degreesOfFreedom: Double(estimate.degreesOfFreedom)
            )
            sum += score * score
            count += 1
        }
        return (sum, count)
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
