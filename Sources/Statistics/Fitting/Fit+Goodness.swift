import SimulationKernel

extension Fit {
    /// The maximum distance between the distribution functions of the sample and of the fit (Kolmogorov, Smirnov).
    ///
    /// For rounded values only the distances between their intervals are considered, where the sample's function is
    /// known.
    public func distance(to sample: Sample) -> Double {
        let count = Double(sample.count)
        // Both sides of a step are considered.
        let reach = sample.isRounded ? Double(sample.resolution) / 2 : 0
        var distance = 0.0
        for group in sample.groups {
            let value = Double(group.value)
            let after = Double(group.cumulative) / count
            let before = Double(group.cumulative - group.count) / count
            distance = max(
                distance,
                (after - cumulative(value + reach)).magnitude,
                (cumulative(max(0, value - reach)) - before).magnitude
            )
        }
        return min(distance, 1)
    }

    /// The probability of a distance at least as large if the fit were the true distribution: a parametric bootstrap.
    ///
    /// The tables of Kolmogorov's distribution apply to a distribution that is known in advance. A distribution that
    /// was fitted to the same values is closer to them, so the tabulated probabilities are too high (H. W. Lilliefors,
    /// JASA 62, 1967). This function draws samples of the same size from the fit, rounds them as the data are, fits
    /// them, and counts how many are as far from their own fit (W. Stute, W. González Manteiga and M. Presedo
    /// Quindimil, Metrika 40, 1993).
    ///
    /// - Parameters:
    ///   - sample: The values that were fitted.
    ///   - replications: The number of samples; probabilities have steps of 1 / (replications + 1).
    ///   - seed: The seed of the draws, which are keyed by sample and value, so the same seed gives the same result.
    /// - Returns: (1 + samples at least as far) / (1 + samples); nil if the fit cannot be drawn from, or its samples
    ///   cannot be fitted.
    /// - Precondition: There is at least one replication.
    public func bootstrap(_ sample: Sample, replications: Int, seed: UInt64) -> Double? {
        precondition(replications > 0, "a bootstrap draws samples")
        guard let sampler = try? distribution.compiled(within: 0...0x1p62) else { return nil }
        let observed = distance(to: sample)
        var asFar = 0
        for replication in 0..<replications {
            let source = RandomSource(seed: seed, replication: UInt32(truncatingIfNeeded: replication))
            let values = (0..<sample.count)
                .map { entity in
                    let draw = source.draw(entity: UInt64(entity), purpose: Self.purpose, index: 0)
                    return Self.rounded(sampler.value(for: draw), to: sample.resolution)
                }
            let drawn = Sample(values, resolution: sample.resolution, unit: sample.unit)
            guard let fit = try? MaximumLikelihood.fit(family, to: drawn, from: self) else { return nil }
            if fit.distance(to: drawn) >= observed { asFar += 1 }
        }
        return Double(asFar + 1) / Double(replications + 1)
    }

    /// An arbitrary number: no other draws share the seed.
    private static let purpose: UInt16 = 1

    private static func rounded(_ value: Int64, to resolution: Int64) -> Int64 {
        (value + resolution / 2) / resolution * resolution
    }
}
