import CGSL
import SimulationKernel
import Statistics
import TestSupport
import Testing

/// Compiled tables compared with GSL's quantile functions, at 100,000 probabilities each.
struct CompiledAccuracyTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var distribution: Distribution
        /// The maximum relative error of a quantile, apart from one base unit of rounding.
        var bound: Double

        var testDescription: String { "\(distribution)" }

        /// GSL's quantile of a small probability of the lower tail, or of the upper one.
        func quantile(isLower: Bool, _ probability: Double) -> Double {
            switch distribution {
            case .exponential(let mean):
                (isLower ? gsl_cdf_exponential_Pinv : gsl_cdf_exponential_Qinv)(probability, mean)
            case .lognormalOfLog(let mu, let sigma, let unit):
                (isLower ? gsl_cdf_lognormal_Pinv : gsl_cdf_lognormal_Qinv)(probability, mu, sigma) * unit
            case .gamma(let shape, let scale):
                (isLower ? gsl_cdf_gamma_Pinv : gsl_cdf_gamma_Qinv)(probability, shape, scale)
            case .weibull(let shape, let scale):
                (isLower ? gsl_cdf_weibull_Pinv : gsl_cdf_weibull_Qinv)(probability, scale, shape)
            default:
                .nan
            }
        }
    }

    /// Half of the draws anywhere, half in the tails, down to 2^-44.
    static let draws: [UInt64] = {
        let source = RandomSource(seed: 4, replication: 0)
        return (0..<100_000 as Range<UInt32>)
            .map { index in
                let draw = source.draw(entity: 0, purpose: 0, index: index)
                guard index % 2 == 0 else { return draw }
                let tail = max((draw >> 1) >> (draw % 44), 1 << 20)
                return index % 4 == 0 ? tail : ~tail
            }
    }()

    static let cases: [Case] = [
        Case(distribution: .exponential(mean: 3e6), bound: 6e-6),
        Case(distribution: .exponential(mean: 1e12), bound: 6e-6),
        Case(distribution: .lognormalOfLog(mu: 0, sigma: 0.1, unit: 1e6), bound: 3e-7),
        Case(distribution: .lognormalOfLog(mu: 1, sigma: 0.5, unit: 1e6), bound: 3e-6),
        Case(distribution: .lognormalOfLog(mu: -0.5, sigma: 1, unit: 1e6), bound: 8e-6),
        Case(distribution: .lognormalOfLog(mu: 0, sigma: 1.5, unit: 1e6), bound: 2e-5),
        Case(distribution: .lognormalOfLog(mu: 0, sigma: 2.5, unit: 1e6), bound: 4e-5),
        Case(distribution: .gamma(shape: 0.5, scale: 1e9), bound: 2e-5),
        Case(distribution: .gamma(shape: 1.5, scale: 1e9), bound: 5e-6),
        Case(distribution: .gamma(shape: 7, scale: 1e8), bound: 2e-6),
        Case(distribution: .gamma(shape: 100, scale: 1e8), bound: 4e-7),
        Case(distribution: .weibull(shape: 0.2, scale: 1e6), bound: 3e-4),
        Case(distribution: .weibull(shape: 0.5, scale: 1e9), bound: 3e-5),
        Case(distribution: .weibull(shape: 0.7, scale: 1e9), bound: 2e-5),
        Case(distribution: .weibull(shape: 1.5, scale: 1e9), bound: 3e-6),
        Case(distribution: .weibull(shape: 5, scale: 1e9), bound: 2e-6),
    ]

    @Test(.enabled(if: Loop.isFull), arguments: cases)
    func quantiles(_ test: Case) throws {
        let sampler = try test.distribution.compiled()
        var worst = 0.0
        for draw in Self.draws {
            let isLower = draw < 1 << 63
            let probability = (Double(isLower ? draw : ~draw) + 0.5) * 0x1p-64
            let exact = test.quantile(isLower: isLower, probability)
            let error = max(abs(Double(sampler.value(for: draw)) - exact) - 1, 0) / exact
            worst = max(worst, error)
        }
        // A bound far above the actual error would not detect a coarser table.
        #expect((test.bound / 3...test.bound).contains(worst))
    }

    /// The tails alone: at 10^-9 the upper one is accurate to 3 · 10^-6.
    @Test(arguments: cases.filter { $0.bound < 3e-5 })
    func farTails(_ test: Case) throws {
        let sampler = try test.distribution.compiled()
        let draw = UInt64(0x1p64 * 1e-9)
        let lower = test.quantile(isLower: true, 1e-9)
        let upper = test.quantile(isLower: false, 1e-9)
        #expect(abs(Double(sampler.value(for: draw)) - lower) <= 1 + 1e-5 * lower)
        #expect(abs(Double(sampler.value(for: ~draw)) - upper) <= 1 + 3e-6 * upper)
    }

    @Test(.enabled(if: Loop.isFull), arguments: cases)
    func neverFalls(_ test: Case) throws {
        let sampler = try test.distribution.compiled()
        let values = Self.draws.sorted().map { sampler.value(for: $0) }
        #expect(values == values.sorted())
    }
}
