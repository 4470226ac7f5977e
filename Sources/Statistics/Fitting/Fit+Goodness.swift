import SimulationKernel

extension Fit {
    /// The largest distance between the distribution function of the sample and that of the fit (Kolmogorov, Smirnov).
    ///
    /// Of rounded values it is looked for only between the intervals, where the sample tells what its function is.
    public func distance(to sample: Sample) -> Double {
        let count = Double(sample.count)
        // Towards both sides, as values on a step count for the step.
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

    /// The chance of a distance at least as large, had the fit been the truth: a parametric bootstrap.
    ///
    /// The tables of Kolmogorov's distribution are for a distribution known beforehand. One that was fitted to the same
    /// values lies closer to them, and so the tables' chances come out too high (H. W. Lilliefors, JASA 62, 1967). Here
    /// samples as large are drawn from the fit, rounded as the data are, and fitted themselves; counted is how many lie as
    /// far from their fit (W. Stute, W. González Manteiga and M. Presedo Quindimil, Metrika 40, 1993).
    ///
    /// - Parameters:
    ///   - sample: The values that were fitted.
    ///   - replications: How many samples are drawn; chances come in steps of one in one more.
    ///   - seed: Of the draws, which are keyed by sample and value: the same seed gives the same chance.
    /// - Returns: (1 + samples as far) / (1 + samples); nil where the fit cannot be drawn from, or samples of it not be
    ///   fitted.
    /// - Precondition: There is a replication.
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

    /// Any number will do: no other draws share the seed.
    private static let purpose: UInt16 = 1

    private static func rounded(_ value: Int64, to resolution: Int64) -> Int64 {
        (value + resolution / 2) / resolution * resolution
    }
}
