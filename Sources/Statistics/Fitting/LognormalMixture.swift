import Foundation

/// Fits two or three lognormal distributions with weights: expectation and maximisation, then a search.
///
/// A. P. Dempster, N. M. Laird and D. B. Rubin, JRSS B 39, 1977. The likelihood of a mixture has several maxima, so the
/// iteration begins at several splits of the data by quantiles, always the same ones, and the best end counts. A third
/// part is kept where it lowers Akaike's criterion by more than ``worthOfThird``.
struct LognormalMixture {
    /// By how much a third part must lower Akaike's criterion.
    ///
    /// Beyond this difference the worse of two models has "essentially no support" (K. P. Burnham and D. R. Anderson,
    /// "Model Selection and Multimodel Inference", 2002).
    static let worthOfThird = 10.0

    /// A part with fewer values describes those values, and no distribution.
    static let leastValues = 10.0

    /// Where the data are split to begin with, as shares below each cut.
    private static let splits: [[Double]] = [[0.5], [0.8], [0.95], [0.2]]
    private static let splitsOfThree: [[Double]] = [[0.33, 0.67], [0.5, 0.9], [0.2, 0.8], [0.8, 0.97]]

    /// More distinct values are merged with their neighbours while the parts are searched for.
    private static let mostPoints = 10_000

    private let sample: Sample
    private let points: LogPoints

    init(_ sample: Sample) {
        self.sample = sample
        points = LogPoints(sample, merging: sample.groups.count > Self.mostPoints)
    }

    /// The likeliest mixture.
    ///
    /// - Parameter start: Where to begin, with as many parts as are wanted; nil to search.
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

    /// The likeliest end of several beginnings.
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

    /// Each stretch of the data between two cuts as a part.
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
        // Ties can swallow a stretch whole.
        return parts.count == cuts.count + 1 ? FamilyMixture(parts) : nil
    }

    private func part(_ sums: (count: Double, log: Double, square: Double)) -> FamilyMixture.Part {
        let mean = sums.log / sums.count
        let variance = max(0, sums.square / sums.count - mean * mean)
        let sigma = max(variance.squareRoot(), FamilyMixture.leastSigma)
        return FamilyMixture.Part(weight: sums.count / points.count, family: .lognormal(logMedian: mean, sigma: sigma))
    }

    /// Iterates until the likelihood gains less than 10^-10 of itself, or a part is left with less than one value.
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
                    // Taken from the overall mean, so that the squares do not cancel.
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

    /// The parts by their medians, so that equal fits are written alike.
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
