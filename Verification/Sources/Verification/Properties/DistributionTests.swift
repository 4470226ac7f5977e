import ScenarioLanguage
import SimulationKernel
import Statistics
import Studies

/// The draws of every family have its distribution, in each of many streams, and the streams vary as much as expected.
struct DistributionTests {
    /// The drawn distribution, and the one it is compared with.
    struct Subject: Sendable {
        var name: String
        var drawn: Distribution
        var reference: Distribution

        init(_ name: String, _ drawn: Distribution, against reference: Distribution? = nil) {
            self.name = name
            self.drawn = drawn
            self.reference = reference ?? drawn
        }
    }

    var subjects = DistributionTests.families
    /// The number of streams of each.
    var seeds = 20
    /// The number of draws of each stream.
    var draws = 1_000_000
    /// The allowed range of the p-value of a stream.
    var allowed = 1e-4...(1 - 1e-4)
    /// The minimum p-value of the distance between the streams' p-values and the uniform distribution.
    var leastOfAll = 1e-3

    /// Every family, with values large enough that rounding to integers does not matter.
    static var families: [Subject] {
        let scale = 1e10
        return [
            Subject("uniform", .uniform(low: scale, high: 5 * scale)),
            Subject("exponential", .exponential(mean: scale)),
            Subject("lognormal", .lognormal(median: scale, p95: 4 * scale)),
            Subject("lognormal of logarithm", .lognormalOfLog(mu: 1, sigma: 1, unit: scale)),
            Subject("gamma", .gamma(shape: 0.7, scale: scale)),
            Subject("gamma with a mode", .gamma(shape: 4, scale: scale)),
            Subject("weibull", .weibull(shape: 0.8, scale: scale)),
            Subject(
                "quantiles",
                .quantiles(
                    [(0, 1), (0.5, 2), (0.95, 5), (1, 9)]
                        .map { QuantilePoint(probability: $0.0, value: $0.1 * scale) }
                )
            ),
            Subject(
                "mixture",
                .mixture([
                    .init(weight: 3, distribution: .exponential(mean: scale)),
                    .init(weight: 1, distribution: .gamma(shape: 9, scale: scale)),
                ])
            ),
            Subject("shifted", .shifted(by: scale, .weibull(shape: 2, scale: scale))),
            Subject(
                "mixture of constants",
                .mixture(
                    [0.5, 0.3, 0.15, 0.05].enumerated()
                        .map { .init(weight: $0.element, distribution: .constant(Double($0.offset) * scale)) }
                )
            ),
            Subject(
                "empirical",
                .empirical(EmpiricalValues(file: "values.csv", column: "value", sorted: [1, 2, 2, 5, 9, 14, 14]))
            ),
            Subject("triangular", .triangular(min: scale, mode: 2 * scale, max: 6 * scale)),
        ]
    }

    func outcome(jobs: Int) async throws -> PropertyOutcome {
        let samplers = try subjects.map { try $0.drawn.compiled() }
        let (seeds, draws, subjects) = (seeds, draws, subjects)
        let chances = try await concurrently(subjects.count * seeds, jobs: jobs) { index in
            let (subject, seed) = index.quotientAndRemainder(dividingBy: seeds)
            let values = DistributionTests.values(
                samplers[subject],
                purpose: UInt16(subject) + 1,
                seed: seed,
                count: draws
            )
            return DistributionTests.chance(of: values, subjects[subject].reference)
        }
        var violations: [String] = []
        for (subject, name) in subjects.map(\.name).enumerated() {
            let own = Array(chances[(subject * seeds)..<((subject + 1) * seeds)])
            for (seed, chance) in own.enumerated() where !allowed.contains(chance) {
                violations.append("\(name), seed \(seed + 1): p = \(chance)")
            }
            let ofAll = KolmogorovSmirnov.pValue(uniform: own.map { $0.isNaN ? 0 : $0 })
            if !(ofAll > leastOfAll) { violations.append("\(name): the seeds' p-values are not uniform, p = \(ofAll)") }
        }
        return PropertyOutcome(
            violations: violations,
            of: "\(subjects.count) distributions, \(seeds) times \(draws) draws each"
        )
    }

    /// Draws in ascending order.
    ///
    /// The streams are fixed, and so is the verdict: by chance alone, one of sixteen choices of streams would be
    /// rejected.
    private static func values(_ sampler: Sampler, purpose: UInt16, seed: Int, count: Int) -> [Int64] {
        let source = RandomSource(seed: UInt64(seed) + 1, replication: 0)
        return (0..<UInt64(count))
            .map { sampler.value(for: source.draw(entity: $0, purpose: purpose, index: 0)) }
            .sorted()
    }

    /// The p-value of the distance of sorted values from a distribution.
    ///
    /// By Pearson's test if values repeat often, otherwise by Kolmogorov and Smirnov.
    private static func chance(of values: [Int64], _ distribution: Distribution) -> Double {
        var different: [(value: Int64, count: Int)] = []
        for value in values {
            if different.last?.value == value {
                different[different.count - 1].count += 1
            } else {
                different.append((value, 1))
            }
        }
        guard different.count < values.count / 100 else {
            return KolmogorovSmirnov.pValue(uniform: values.map { distribution.cumulative(Double($0)) })
        }
        var below = 0.0
        let expected = different.map { part in
            let chance = distribution.cumulative(Double(part.value))
            defer { below = chance }
            return (chance - below) * Double(values.count)
        }
        return GoodnessOfFit(observed: different.map(\.count), expected: expected)?.pValue ?? .nan
    }
}
