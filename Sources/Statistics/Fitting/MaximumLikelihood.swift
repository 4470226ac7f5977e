import CGSL
import Foundation

/// Maximum-likelihood fits of families to samples.
///
/// For values that are not rounded, exponential and lognormal fits have a closed form. Gamma and Weibull are found as
/// the root of the equation that remains after the scale is eliminated (N. L. Johnson, S. Kotz and N. Balakrishnan,
/// "Continuous Univariate Distributions" 1, 1994, chapters 17 and 21). For rounded values this is only the start, from
/// which ``NelderMead`` maximises their likelihood.
public enum MaximumLikelihood {
    /// The minimum number of values for a fit.
    public static let leastCount = 10

    /// The distribution of maximum likelihood in a family.
    ///
    /// - Parameters:
    ///   - family: The family.
    ///   - sample: The values.
    /// - Throws: The reason if there is none.
    /// - Complexity: Some hundred passes over the distinct values.
    public static func fit(_ family: FitFamily, to sample: Sample) throws(FitError) -> Fit {
        guard sample.count >= leastCount else { throw .tooFewValues(count: sample.count, least: leastCount) }
        guard sample.groups.count > 1 else { throw .allEqual }
        guard var model = smooth(family, LogPoints(sample)) else { throw .noMaximum(family) }
        if sample.isRounded {
            guard let refined = refined(model, Likelihood(sample)) else { throw .noMaximum(family) }
            model = refined
        }
        return Fit(family: family, model: model, sample: sample)
    }

    // MARK: - By density

    /// The maximum-likelihood distribution by densities; nil if there is none.
    private static func smooth(_ family: FitFamily, _ points: LogPoints) -> ContinuousFamily? {
        switch family {
        case .exponential:
            return .exponential(mean: points.mean)
        case .lognormal:
            let sigma = points.logVariance.squareRoot()
            return sigma > 0 ? .lognormal(logMedian: points.logMean, sigma: sigma) : nil
        case .gamma:
            return gamma(points)
        case .weibull:
            return weibull(points)
        }
    }

    /// The root of log k - ψ(k) = log(mean) - mean(log).
    ///
    /// The initial guess follows T. P. Minka, "Estimating a Gamma distribution", 2002.
    private static func gamma(_ points: LogPoints) -> ContinuousFamily? {
        let gap = log(points.mean) - points.logMean
        guard gap > 0 else { return nil }
        let guess = (3 - gap + ((gap - 3) * (gap - 3) + 24 * gap).squareRoot()) / (12 * gap)
        let shape = Root.near(guess, within: 1e-6...GammaDistribution.largestShape) { shape in
            log(shape) - gsl_sf_psi(shape) - gap
        }
        return shape.map { .gamma(GammaDistribution(shape: $0, scale: points.mean / $0)) }
    }

    /// Σ x^k log x / Σ x^k - 1 / k = mean(log), with every value divided by the largest one to avoid overflow.
    private static func weibull(_ points: LogPoints) -> ContinuousFamily? {
        let top = points.largestLog
        let spread = points.logVariance.squareRoot()
        guard spread > 0 else { return nil }
        // The logarithm of a Weibull variable has the standard deviation π / (k √6).
        let shape = Root.near(1.2825 / spread, within: 1e-4...1e5) { shape in
            let sums = points.powerSums(shape, below: top)
            return sums.weighted / sums.plain - 1 / shape - (points.logMean - top)
        }
        return shape.map { shape in
            let mean = points.powerSums(shape, below: top).plain / points.count
            return .weibull(shape: shape, scale: exp(top + log(mean) / shape))
        }
    }

    // MARK: - By intervals

    /// The maximum of a rounded sample's likelihood near a start.
    private static func refined(_ start: ContinuousFamily, _ likelihood: Likelihood) -> ContinuousFamily? {
        NelderMead.minimum(from: start.coordinates) { -likelihood.logLikelihood(of: start.moved(to: $0)) }
            .map { start.moved(to: $0) }
    }
}

/// The logarithms of the values with their counts; a zero of a rounded sample is placed at a quarter of its resolution.
struct LogPoints {
    private(set) var logs: [Double] = []
    private(set) var counts: [Double] = []
    let count: Double
    let mean: Double
    let logMean: Double
    let logVariance: Double
    let largestLog: Double

    /// Creates the logarithms of a sample.
    init(_ sample: Sample) {
        let quarter = Double(sample.resolution) / sample.unit / 4
        var sum = 0.0
        var logSum = 0.0
        for group in sample.groups {
            let value = group.value == 0 ? quarter : Double(group.value) / sample.unit
            let count = Double(group.count)
            logs.append(log(value))
            counts.append(count)
            sum += value * count
            logSum += log(value) * count
        }
        count = Double(sample.count)
        mean = sum / count
        let logMean = logSum / count
        self.logMean = logMean
        logVariance = zip(logs, counts).reduce(0) { $0 + $1.1 * ($1.0 - logMean) * ($1.0 - logMean) } / count
        largestLog = logs[logs.count - 1]
    }

    /// Σ (x / top)^k, and the same sum with each term multiplied by log(x / top).
    func powerSums(_ shape: Double, below top: Double) -> (plain: Double, weighted: Double) {
        var sums = (plain: 0.0, weighted: 0.0)
        for (log, count) in zip(logs, counts) {
            let power = count * exp(shape * (log - top))
            sums.plain += power
            sums.weighted += power * (log - top)
        }
        return sums
    }
}
