public import SimulationKernel

extension Distribution {
    /// The integer form of this distribution, which the simulation draws from.
    ///
    /// Families become tables of their quantile functions. Apart from rounding to base units, a sampled quantile
    /// differs from the true one by at most 4 · 10^-5 of its value, for lognormal distributions with sigma up to 2.5,
    /// gamma and Weibull with shapes from 0.5 on, and exponential ones; 10^-5 is typical, and far upper tails are
    /// better. Heavier shapes are less precise in the lower tail (3 · 10^-4 for Weibull with shape 0.2). Tests assert
    /// these figures down to the cut-off at 2^-44 from either end. All other distributions are exact except for the
    /// rounding of their bounds.
    ///
    /// - Parameter range: The allowed values, in base units; within ±2^62.
    /// - Returns: A sampler of whole base units.
    /// - Throws: The errors of ``validated(range:)``.
    public func compiled(
        within range: ClosedRange<Double> = Distribution.defaultRange
    ) throws(DistributionError) -> Sampler {
        precondition(
            range.lowerBound >= -0x1p62 && range.upperBound <= 0x1p62,
            "allowed values are integers of 64 bits"
        )
        try validated(range: range)
        return try sampler(shiftedBy: 0)
    }

    /// The integer form of a valid distribution, with every value shifted before it is rounded.
    private func sampler(shiftedBy shift: Double) throws(DistributionError) -> Sampler {
        switch self {
        case .constant(let value):
            return .constant(Self.integer(value + shift))
        case .uniform(let low, let high):
            return Self.uniform(from: low + shift, to: high + shift)
        case .quantiles(let points):
            return Self.sampler(for: points, shiftedBy: shift)
        case .mixture(let components):
            return try Self.sampler(for: components, shiftedBy: shift)
        case .empirical(let values):
            let offset = Self.integer(shift)
            return Sampler(.values(values.sorted.map { $0 + offset }))
        case .shifted(let by, let distribution):
            return try distribution.sampler(shiftedBy: shift + by)
        case .triangular(let min, let mode, let max):
            let triangle = try TriangularDistribution(min: min, mode: mode, max: max)
            guard min < max else { return .constant(Self.integer(min + shift)) }
            let table = QuantileTable { tail, probability in
                let value = tail == .lower ? triangle.quantile(probability) : triangle.upperQuantile(probability)
                return Self.node(value + shift)
            }
            return Sampler(.table(table))
        case .exponential, .lognormal, .lognormalOfLog, .gamma, .weibull:
            let family = try continuousFamily()
            let table = try QuantileTable { (tail, probability) throws(DistributionError) in
                Self.node(try family.quantile(tail, probability) + shift)
            }
            return Sampler(.table(table))
        }
    }

    private static func sampler(for points: [QuantilePoint], shiftedBy shift: Double) -> Sampler {
        let first = points[0]
        let last = points[points.count - 1]
        var pieces = SamplerPieces()
        pieces.append(.constant(integer(first.value + shift)), upTo: first.probability)
        for (left, right) in zip(points, points.dropFirst()) {
            pieces.append(uniform(from: left.value + shift, to: right.value + shift), upTo: right.probability)
        }
        pieces.append(.constant(integer(last.value + shift)), upTo: 1)
        return pieces.joined()
    }

    private static func sampler(
        for components: [MixtureComponent],
        shiftedBy shift: Double
    ) throws(DistributionError) -> Sampler {
        let total = components.reduce(0) { $0 + $1.weight }
        var pieces = SamplerPieces()
        var sum = 0.0
        for component in components {
            sum += component.weight
            // The last sum is the total, so the last share ends at exactly 1.
            pieces.append(try component.distribution.sampler(shiftedBy: shift), upTo: sum / total)
        }
        return pieces.joined()
    }

    private static func uniform(from low: Double, to high: Double) -> Sampler {
        let start = integer(low)
        return Sampler(.uniform(low: start, width: UInt64(integer(high) - start)))
    }

    private static func integer(_ value: Double) -> Int64 { Int64(value.rounded()) }

    /// A quantile as a node: rounded to 24 significant bits or to an integer, whichever is coarser.
    ///
    /// log, exp and pow of glibc differ in their last bits on processors without FMA, but must give the same table
    /// there. A difference of one unit in the last place of a Double survives the rounding only if a rounding boundary
    /// is in between, which has a probability of 2^-28 at most. Of the 11,010 nodes of a table, up to 24 differed at
    /// all (measured with GSL 2.7.1 for 19 distributions), by a few units. About one table in a million may therefore
    /// still differ. The error of 2^-25 of the value is negligible compared with that of the interpolation.
    private static func node(_ value: Double) -> Int64 {
        let unit = max(value.ulp * 0x1p29, 1)
        return integer((value / unit).rounded() * unit)
    }
}

/// A sequence of samplers, each with its share of the draws.
private struct SamplerPieces {
    private var pieces: [(last: UInt64, sampler: Sampler)] = []

    /// Gives a sampler all draws from the end of the previous one up to a probability; does nothing if there are none.
    mutating func append(_ sampler: Sampler, upTo probability: Double) {
        guard pieces.last?.last != .max else { return }
        guard probability < 1 else {
            pieces.append((last: .max, sampler: sampler))
            return
        }
        let end = UInt64((probability * 0x1p64).rounded())
        let start = pieces.last.map { $0.last + 1 } ?? 0
        if end > start {
            pieces.append((last: end - 1, sampler: sampler))
        }
    }

    func joined() -> Sampler { Sampler(joining: pieces) }
}
