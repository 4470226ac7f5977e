import CGSL
import Foundation

/// Maximum-likelihood fits of families to samples.
///
/// For values that are not rounded, exponential and lognormal fits have a closed form. Gamma and Weibull are found as
/// the root of the equation that remains after the scale is eliminated (N. L. Johnson, S. Kotz and N. Balakrishnan,
/// "Continuous Univariate Distributions" 1, 1994, chapters 17 and 21), mixtures by expectation maximisation. For
/// rounded values this is only the start, from which ``NelderMead`` maximises their likelihood.
public enum MaximumLikelihood {
    /// The minimum number of values for a fit.
    public static let leastCount = 10

    /// The distribution of maximum likelihood in a family.
    ///
    /// - Parameters:
    ///   - family: The family.
    ///   - sample: The values.
    ///   - start: A fit of the same family to a similar sample, as a start; nil to search from the data alone.
    /// - Throws: The reason if there is none.
    /// - Complexity: Some hundred passes over the distinct values; for mixtures some thousand.
    public static func fit(_ family: FitFamily, to sample: Sample, from start: Fit? = nil) throws(FitError) -> Fit {
        guard sample.count >= leastCount else { throw .tooFewValues(count: sample.count, least: leastCount) }
        guard sample.groups.count > 1 else { throw .allEqual }
        if family == .mixture {
            return try LognormalMixture(sample).fit(from: start?.model)
        }
        let points = LogPoints(sample)
        guard var model = start?.model ?? smooth(family, points) else { throw .noMaximum(family) }
        if sample.isRounded {
            let search = start == nil ? NelderMead.thorough : .brief
            guard let refined = refined(model, Likelihood(sample), by: search) else { throw .noMaximum(family) }
            model = refined
        } else if start != nil {
            guard let again = smooth(family, points) else { throw .noMaximum(family) }
            model = again
        }
        return Fit(family: family, model: model, sample: sample)
    }

    // MARK: - By density

    /// The maximum-likelihood distribution by densities; nil if there is none.
    private static func smooth(_ family: FitFamily, _ points: LogPoints) -> FamilyMixture? {
        switch family {
        case .exponential:
            return FamilyMixture(.exponential(mean: points.mean))
        case .lognormal:
            let sigma = points.logVariance.squareRoot()
            return sigma > 0 ? FamilyMixture(.lognormal(logMedian: points.logMean, sigma: sigma)) : nil
        case .gamma:
            return gamma(points)
        case .weibull:
            return weibull(points)
        case .mixture:
            return nil
        }
    }

    /// The root of log k - ψ(k) = log(mean) - mean(log).
    ///
    /// The initial guess follows T. P. Minka, "Estimating a Gamma distribution", 2002.
    private static func gamma(_ points: LogPoints) -> FamilyMixture? {
        let gap = log(points.mean) - points.logMean
        guard gap > 0 else { return nil }
        let guess = (3 - gap + ((gap - 3) * (gap - 3) + 24 * gap).squareRoot()) / (12 * gap)
        let shape = Root.near(guess, within: 1e-6...GammaDistribution.largestShape) { shape in
            log(shape) - gsl_sf_psi(shape) - gap
        }
        return shape.map { FamilyMixture(.gamma(GammaDistribution(shape: $0, scale: points.mean / $0))) }
    }

    /// Σ x^k log x / Σ x^k - 1 / k = mean(log), with every value divided by the largest one to avoid overflow.
    private static func weibull(_ points: LogPoints) -> FamilyMixture? {
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
            return FamilyMixture(.weibull(shape: shape, scale: exp(top + log(mean) / shape)))
        }
    }

    // MARK: - By intervals

    /// The maximum of a rounded sample's likelihood near a start.
    static func refined(_ start: FamilyMixture, _ likelihood: Likelihood, by search: NelderMead) -> FamilyMixture? {
        search.minimum(from: start.coordinates) { -likelihood.logLikelihood(of: start.moved(to: $0)) }
            .map { start.moved(to: $0.point) }
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
    ///
    /// - Parameter merging: `true` to merge values within a thousandth of each other at the mean of their logarithms.
    ///   This changes the width of a mixture's part by at most 10^-3, because parts have a minimum width.
    init(_ sample: Sample, merging: Bool = false) {
        var open = (start: -Double.infinity, sum: 0.0, count: 0.0)
        let quarter = Double(sample.resolution) / sample.unit / 4
        var sum = 0.0
        var logSum = 0.0
        for group in sample.groups {
            let value = group.value == 0 ? quarter : Double(group.value) / sample.unit
            let count = Double(group.count)
            if !merging {
                logs.append(log(value))
                counts.append(count)
            } else if log(value) < open.start + 1e-3 {
                open = (open.start, open.sum + count * log(value), open.count + count)
            } else {
                if open.count > 0 {
                    logs.append(open.sum / open.count)
                    counts.append(open.count)
                }
                open = (log(value), count * log(value), count)
            }
            sum += value * count
            logSum += log(value) * count
        }
        if open.count > 0 {
            logs.append(open.sum / open.count)
            counts.append(open.count)
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
