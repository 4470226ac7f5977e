import Foundation

/// A fit of two or three lognormal distributions with weights: expectation maximisation, then a search.
///
/// A. P. Dempster, N. M. Laird and D. B. Rubin, JRSS B 39, 1977. The likelihood of a mixture has several maxima, so the
/// iteration starts at several fixed splits of the data by quantiles, and the best result is used. A third part is kept
/// if it lowers Akaike's criterion by more than ``worthOfThird``.
struct LognormalMixture {
    /// The minimum improvement of Akaike's criterion by a third part.
    ///
    /// Beyond this difference the worse of two models has "essentially no support" (K. P. Burnham and D. R. Anderson,
    /// "Model Selection and Multimodel Inference", 2002).
    static let worthOfThird = 10.0

    /// The minimum number of values of a part; fewer describe individual values rather than a distribution.
    static let leastValues = 10.0

    /// The initial splits of the data, as shares below each cut.
    private static let splits: [[Double]] = [[0.5], [0.8], [0.95], [0.2]]
    private static let splitsOfThree: [[Double]] = [[0.33, 0.67], [0.5, 0.9], [0.2, 0.8], [0.8, 0.97]]

    /// The number of distinct values beyond which neighbours are merged during the search for parts.
    private static let mostPoints = 10_000

    private let sample: Sample
    private let points: LogPoints

    init(_ sample: Sample) {
        self.sample = sample
        points = LogPoints(sample, merging: sample.groups.count > Self.mostPoints)
    }

    /// The mixture of maximum likelihood.
    ///
    /// - Parameter start: The start of the iteration, with the desired number of parts; nil to search.
    func fit(from start: FamilyMixture?) throws(FitError) -> Fit {
        if let start {
            guard let model = finished(start, iterations: 100, by: .brief) else { throw .noMaximum(.mixture) }
            return Fit(family: .mixture, model: model, sample: sample)
        }
        guard let two = best(Self.splits) else { throw .noMaximum(.mixture) }
        guard let three = best(Self.splitsOfThree),
            three.informationCriterion < two.informationCriterion - Self.worthOfThird
        else { return two }
        return three
    }

    /// The best result of several starts.
    private func best(_ splits: [[Double]]) -> Fit? {
        var best: (model: FamilyMixture, likelihood: Double)?
        let likelihood = Likelihood(sample)
        for split in splits {
            guard let start = self.start(split) else { continue }
            let model = expectationMaximisation(start, iterations: 60)
            let value = likelihood.logLikelihood(of: model)
            if isSound(model), value > best?.likelihood ?? -.infinity { best = (model, value) }
        }
        return best.flatMap { finished($0.model, iterations: 2000, by: .thorough) }
            .flatMap { isSound($0) ? Fit(family: .mixture, model: ordered($0), sample: sample) : nil }
    }

    private func isSound(_ model: FamilyMixture) -> Bool {
        model.parts.allSatisfy { $0.weight * points.count >= Self.leastValues }
    }

    private func finished(_ start: FamilyMixture, iterations: Int, by search: NelderMead) -> FamilyMixture? {
        let model = expectationMaximisation(start, iterations: iterations)
        guard sample.isRounded else { return model }
        return MaximumLikelihood.refined(model, Likelihood(sample), by: search)
    }

    /// A start with one part for each interval of the data between two cuts.
    private func start(_ cuts: [Double]) -> FamilyMixture? {
        var parts: [FamilyMixture.Part] = []
        var seen = 0.0
        var sums = (count: 0.0, log: 0.0, square: 0.0)
        var bounds = cuts + [2]
        for (log, count) in zip(points.logs, points.counts) {
            sums = (sums.count + count, sums.log + count * log, sums.square + count * log * log)
            seen += count
            if seen >= bounds[0] * points.count || seen == points.count {
                parts.append(part(sums))
                sums = (0, 0, 0)
                bounds.removeFirst()
            }
        }
        // Ties can cover a whole interval.
        return parts.count == cuts.count + 1 ? FamilyMixture(parts) : nil
    }

    private func part(_ sums: (count: Double, log: Double, square: Double)) -> FamilyMixture.Part {
        let mean = sums.log / sums.count
        let variance = max(0, sums.square / sums.count - mean * mean)
        let sigma = max(variance.squareRoot(), FamilyMixture.leastSigma)
        return FamilyMixture.Part(weight: sums.count / points.count, family: .lognormal(logMedian: mean, sigma: sigma))
    }

    /// Iterates until the relative gain of the likelihood is less than 10^-10, or a part has less than one value.
    private func expectationMaximisation(_ start: FamilyMixture, iterations: Int) -> FamilyMixture {
        var parts = start.parts
        var last = -Double.infinity
        for _ in 0..<iterations {
            let scores = parts.compactMap(Score.init)
            guard scores.count == parts.count else { break }
            var sums = [(count: Double, log: Double, square: Double)](repeating: (0, 0, 0), count: parts.count)
            var densities = [Double](repeating: 0, count: parts.count)
            var likelihood = 0.0
            for (logarithm, count) in zip(points.logs, points.counts) {
                var total = 0.0
                for index in densities.indices {
                    densities[index] = scores[index].density(logarithm)
                    total += densities[index]
                }
                guard total > 0 else { continue }
                likelihood += count * log(total)
                for index in densities.indices {
                    let share = count * densities[index] / total
                    // Relative to the overall mean, to avoid cancellation in the squares.
                    let offset = logarithm - points.logMean
                    sums[index].count += share
                    sums[index].log += share * offset
                    sums[index].square += share * offset * offset
                }
            }
            guard sums.allSatisfy({ $0.count > 1 }) else { break }
            parts = sums.map { sum in
                var part = part(sum)
                if case .lognormal(let offset, let sigma) = part.family {
                    part.family = .lognormal(logMedian: offset + points.logMean, sigma: sigma)
                }
                return part
            }
            if (likelihood - last).magnitude <= 1e-10 * likelihood.magnitude { break }
            last = likelihood
        }
        return FamilyMixture(parts)
    }

    /// The mixture with its parts ordered by median, so that equal fits have the same form.
    private func ordered(_ model: FamilyMixture) -> FamilyMixture {
        func logMedian(_ part: FamilyMixture.Part) -> Double {
            if case .lognormal(let logMedian, _) = part.family { logMedian } else { 0 }
        }
        return FamilyMixture(model.parts.sorted { logMedian($0) < logMedian($1) })
    }

    /// A part's density of the logarithm, times its weight.
    private struct Score {
        let factor: Double
        let mean: Double
        let scale: Double

        init?(_ part: FamilyMixture.Part) {
            guard case .lognormal(let logMedian, let sigma) = part.family else { return nil }
            factor = part.weight / sigma
            mean = logMedian
            scale = -0.5 / (sigma * sigma)
        }

        func density(_ logarithm: Double) -> Double {
            factor * exp(scale * (logarithm - mean) * (logarithm - mean))
        }
    }
}
