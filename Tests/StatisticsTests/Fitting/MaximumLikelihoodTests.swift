import Foundation
import SimulationKernel
import Statistics
import TestSupport
import Testing

/// Fits compared with SciPy's, and fits of draws compared with the drawn distribution.
@Suite("Maximum likelihood")
struct MaximumLikelihoodTests {
    /// The output of `Fixtures/fits.py`.
    struct Known: Decodable {
        let scipy: String
        let cases: [Case]

        struct Case: Decodable, CustomTestStringConvertible {
            let name: String
            let unit: Double
            let resolution: Int64?
            let values: [Int64]
            let fits: [KnownFit]

            var testDescription: String { name }
        }

        struct KnownFit: Decodable {
            let family: String
            let logLikelihood: Double
            let parameters: [String: Double]
            let distance: Double?

            enum CodingKeys: String, CodingKey {
                case family, parameters
                case logLikelihood = "log_likelihood"
                case distance = "ks_distance"
            }
        }

        static func read() throws -> Known {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/fits.json")
            return try JSONDecoder().decode(Known.self, from: Data(contentsOf: file))
        }
    }

    @Test("Parameters, likelihoods and distances equal those of SciPy 1.17.1")
    func agreesWithSciPy() throws {
        let known = try Known.read()
        #expect(known.cases.count == 5)
        for data in known.cases {
            let sample = Sample(data.values, unit: data.unit)
            #expect(sample.isRounded == (data.resolution != nil), "\(data.name)")
            if let resolution = data.resolution { #expect(sample.resolution == resolution) }
            for expected in data.fits {
                let family = try #require(FitFamily(rawValue: expected.family))
                let fit = try MaximumLikelihood.fit(family, to: sample)
                let label: Comment = "\(data.name), \(expected.family)"
                // The likelihood is flat at its maximum, so parameters have half as many reliable digits as its height.
                #expect((fit.logLikelihood - expected.logLikelihood).magnitude < 1e-5, label)
                #expect(fit.parameters.count == expected.parameters.count, label)
                for parameter in fit.parameters {
                    let value = try #require(expected.parameters[parameter.name], label)
                    let found = parameter.isScale ? parameter.value / data.unit : parameter.value
                    #expect((found / value - 1).magnitude < 2e-4, "\(data.name), \(expected.family) \(parameter.name)")
                }
                if let distance = expected.distance {
                    #expect((fit.distance(to: sample) - distance).magnitude < 1e-4, label)
                }
            }
        }
    }

    static let truths: [(FitFamily, Distribution)] = [
        (.exponential, .exponential(mean: 3e6)),
        (.lognormal, .lognormal(median: 6e5, p95: 2e6)),
        (.gamma, .gamma(shape: 0.7, scale: 4e6)),
        (.weibull, .weibull(shape: 1.8, scale: 9e6)),
    ]

    /// At 4,000 draws, four standard errors of any parameter are less than 8%.
    @Test(
        "The parameters of the drawn distribution are recovered, from exact and from rounded values",
        .enabled(if: Loop.isFull),
        arguments: truths
    )
    func recovers(family: FitFamily, truth: Distribution) throws {
        let sampler = try truth.compiled()
        let source = RandomSource(seed: 11, replication: 0)
        let values = (0..<4000).map { sampler.value(for: source.draw(entity: UInt64($0), purpose: 3, index: 0)) }
        let wanted = Self.numbers(of: truth)
        for step in [1, 100_000] as [Int64] {
            let rounded = values.map { ($0 + step / 2) / step * step }
            let sample = Sample(rounded, unit: 1e6)
            #expect(sample.isRounded == (step > 1))
            let fit = try MaximumLikelihood.fit(family, to: sample)
            let found = Self.numbers(of: fit.distribution)
            #expect(found.count == wanted.count)
            for (found, wanted) in zip(found, wanted) {
                #expect((found / wanted - 1).magnitude < 0.08, "\(family), step \(step): \(found), not \(wanted)")
            }
        }
    }

    @Test("Ignored rounding biases the fit; intervals do not")
    func roundingCounts() throws {
        let truth = Distribution.weibull(shape: 0.8, scale: 2e6)
        let sampler = try truth.compiled()
        let source = RandomSource(seed: 12, replication: 0)
        let values = (0..<4000)
            .map { (sampler.value(for: source.draw(entity: UInt64($0), purpose: 3, index: 0)) + 500_000) / 1_000_000 }
        #expect(values.contains(0))
        let fit = try MaximumLikelihood.fit(.weibull, to: Sample(values))
        let shape = try #require(fit.parameters.first).value
        #expect((shape / 0.8 - 1).magnitude < 0.06)
        // The usual workaround, a half instead of each zero and the density at each value, is strongly biased.
        let patched = try MaximumLikelihood.fit(
            .weibull,
            to: Sample(values.enumerated().map { max(1, $1 * 2) * 1_000_000 + Int64($0) }, unit: 2e6)
        )
        let patchedShape = try #require(patched.parameters.first).value
        #expect((patchedShape / 0.8 - 1).magnitude > 0.15)
    }

    @Test("Too few values and equal values are rejected")
    func refuses() {
        #expect(throws: FitError.tooFewValues(count: 9, least: 10)) {
            _ = try MaximumLikelihood.fit(.gamma, to: Sample(Array(1...9)))
        }
        #expect(throws: FitError.allEqual) {
            _ = try MaximumLikelihood.fit(.gamma, to: Sample([Int64](repeating: 7, count: 50)))
        }
    }

    private static func numbers(of distribution: Distribution) -> [Double] {
        switch distribution {
        case .exponential(let mean): [mean]
        case .lognormal(let median, let p95): [median, p95]
        case .gamma(let shape, let scale), .weibull(let shape, let scale): [shape, scale]
        default: []
        }
    }
}
