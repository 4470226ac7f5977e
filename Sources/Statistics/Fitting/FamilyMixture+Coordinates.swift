import Foundation

extension FamilyMixture {
    /// The minimum width of a part in its logarithm, without which a part could shrink to a single value.
    static let leastSigma = 0.01

    /// The parameters as unbounded numbers, for a search.
    ///
    /// Scales and shapes are represented by their logarithms, weights by their log odds relative to the first part.
    var coordinates: [Double] {
        let weights: [Double] = parts.dropFirst().map { log($0.weight / parts[0].weight) }
        return weights + parts.flatMap(\.family.coordinates)
    }

    /// Returns the same families with other parameters.
    func moved(to coordinates: [Double]) -> FamilyMixture {
        // Beyond odds of e^30 a part is negligible; without the bound the search could diverge.
        var odds = [1.0]
        for logOdds in coordinates.prefix(parts.count - 1) { odds.append(exp(min(30, max(-30, logOdds)))) }
        let total = odds.reduce(0, +)
        var rest = coordinates.dropFirst(parts.count - 1)
        return FamilyMixture(
            zip(parts, odds)
                .map { part, odds in
                    let width = part.family.coordinates.count
                    let moved = part.family.moved(to: Array(rest.prefix(width)), least: parts.count > 1)
                    rest = rest.dropFirst(width)
                    return Part(weight: odds / total, family: moved)
                }
        )
    }
}

extension ContinuousFamily {
    fileprivate var coordinates: [Double] {
        switch self {
        case .exponential(let mean): [log(mean)]
        case .lognormal(let logMedian, let sigma): [logMedian, log(sigma)]
        // The mean is known much better than the scale, so the axes are aligned with the likelihood.
        case .gamma(let gamma): [log(gamma.shape), log(gamma.shape * gamma.scale)]
        case .weibull(let shape, let scale): [log(shape), log(scale)]
        }
    }

    fileprivate func moved(to coordinates: [Double], least isBounded: Bool) -> ContinuousFamily {
        switch self {
        case .exponential:
            return .exponential(mean: exp(coordinates[0]))
        case .lognormal:
            let sigma = exp(coordinates[1])
            let least = isBounded ? FamilyMixture.leastSigma : 0
            return .lognormal(logMedian: coordinates[0], sigma: max(sigma, least))
        case .gamma:
            let shape = min(exp(coordinates[0]), GammaDistribution.largestShape)
            return .gamma(GammaDistribution(shape: shape, scale: exp(coordinates[1]) / shape))
        case .weibull:
            return .weibull(shape: exp(coordinates[0]), scale: exp(coordinates[1]))
        }
    }
}
