import Foundation
import LiveActivityModel
import SimulationKernel
import Statistics
import TestSupport
import Testing

@testable import ScenarioLanguage
@testable import Traces

/// Calibration: from a column of data to the values of a scenario.
@Suite("Calibration")
struct CalibrationTests {
    /// A scenario with a text between its sections.
    static func scenario(with text: String) throws -> Scenario {
        let arrivals = "{process: poisson, rates_per_hour: [60]}"
        let rides = "rides: {arrivals: \(arrivals), stages: [{name: trip, duration: 10m}]}"
        return try ScenarioReader.read(yaml: "name: pasted\n\(rides)\n\(text)\n", named: "pasted.yaml").scenario
    }

    private static func calibration(
        _ values: [Int64],
        column: DataColumn = DataColumn(name: "wait_s", unit: .seconds),
        families: [FitFamily] = FitFamily.allCases
    ) throws -> Calibration {
        var found = DataColumn.Values()
        found.values = values
        let source = Calibration.Source(file: "waits.csv", column: column, values: found)
        return try Calibration(source, families: families)
    }

    /// Draws from a distribution, in whole tenths of a second.
    private static func draws(_ distribution: Distribution, count: Int = 500, seed: UInt64 = 3) throws -> [Int64] {
        let sampler = try distribution.compiled()
        let source = RandomSource(seed: seed, replication: 0)
        return (0..<count)
            .map {
                (sampler.value(for: source.draw(entity: UInt64($0), purpose: 4, index: 0)) + 50_000) / 100_000 * 100_000
            }
    }

    private static let skewed = Distribution.lognormal(median: 2e6, p95: 2e7)

    @Test(
        "Each fit and the data's quantiles are read back from a scenario unchanged",
        arguments: [0, 500_000]
    )
    func readBack(shift: Int64) throws {
        var column = DataColumn(name: "wait_s", unit: .seconds)
        column.shift = shift
        let calibration = try Self.calibration(Self.draws(Self.skewed), column: column)
        #expect(calibration.candidates.count == 4)
        #expect(calibration.candidates.first?.fit.family == .lognormal)
        for candidate in calibration.candidates {
            #expect(candidate.problem == nil)
            let text = "content: {refresh: \(calibration.yaml(candidate.fit))}"
            let scenario = try Self.scenario(with: text)
            #expect(scenario.content.refresh == calibration.distribution(candidate.fit), "\(text)")
        }
        let scenario = try Self.scenario(with: "content: {refresh: \(calibration.yaml(calibration.quantiles))}")
        #expect(scenario.content.refresh == calibration.quantiles)
    }

    @Test("The whole column can be named, but not a part of it")
    func empirical() throws {
        let whole = try Self.calibration(Self.draws(.exponential(mean: 4e6)))
        let text = try #require(whole.empirical.map { whole.yaml($0) })
        #expect(text == #"{empirical: {file: "waits.csv", column: "wait_s", unit: s}}"#)
        var column = DataColumn(name: "wait_s", unit: .seconds)
        column.filters = [DataColumn.Filter(column: "mode", value: "LTE")]
        #expect(try Self.calibration(Self.draws(.exponential(mean: 4e6)), column: column).empirical == nil)
    }

    @Test("Parameters are written with four digits")
    func digits() throws {
        let calibration = try Self.calibration(Self.draws(.exponential(mean: 4e6)), families: [.exponential])
        let best = try #require(calibration.best)
        guard case .exponential(let mean) = calibration.distribution(best.fit) else {
            Issue.record("an exponential distribution was fitted")
            return
        }
        #expect(mean.truncatingRemainder(dividingBy: 1000) == 0)
        #expect((mean / best.fit.distribution.mean - 1).magnitude < 5e-4)
    }

    @Test(
        "Candidates are ranked by Akaike's criterion; a good fit hits the quantiles, a miss is reported",
        .enabled(if: Loop.isFull)
    )
    func ranking() throws {
        let calibration = try Self.calibration(Self.draws(Self.skewed, count: 3000))
        let criteria = calibration.candidates.map(\.fit.informationCriterion)
        #expect(criteria == criteria.sorted())
        #expect(calibration.candidates.map(\.criterionDifference) == criteria.map { $0 - criteria[0] })
        let best = try #require(calibration.best)
        #expect(best.fit.family == .lognormal)
        #expect(best.missed.isEmpty)
        let exponential = try #require(calibration.candidates.first { $0.fit.family == .exponential })
        #expect(exponential.missed.contains(2))
    }

    @Test("Of two equally good fits the simpler one is chosen")
    func simplest() throws {
        var overtaken = 0
        for seed in 1...12 as ClosedRange<UInt64> {
            let values = try Self.draws(.exponential(mean: 4e6), count: 200, seed: seed)
            let calibration = try Self.calibration(values, families: [.exponential, .gamma, .weibull])
            let best = try #require(calibration.best).fit.family
            let exponential = try #require(calibration.candidates.first { $0.fit.family == .exponential })
            #expect((best == .exponential) == (exponential.criterionDifference <= 2))
            if exponential.criterionDifference > 0, best == .exponential { overtaken += 1 }
        }
        #expect(overtaken > 0)
    }

    @Test(
        "Odd values give a fit that a scenario accepts or no fit, but never NaN",
        arguments: [
            [Int64](repeating: 0, count: 30) + [1],
            [Int64](repeating: 0, count: 30) + [315_360_000_000_000],
            [0] + [Int64](repeating: 315_360_000_000_000, count: 30),
            (1...12).map { $0 },
            (0..<14).map { exponent in (0..<exponent).reduce(1) { product, _ in product * 10 } },
            [Int64](repeating: 5_000_000, count: 20) + [5_000_001],
            (0..<40).map { 1_000_000_000_000 + $0 },
            [Int64](repeating: 1, count: 500) + [Int64](repeating: 1_000_000_000, count: 500),
        ] as [[Int64]]
    )
    func oddValues(values: [Int64]) throws {
        let calibration = try Self.calibration(values)
        #expect(!calibration.candidates.isEmpty)
        for candidate in calibration.candidates {
            let label = Comment(rawValue: "\(candidate.fit.family) \(candidate.fit.parameters)")
            #expect(candidate.fit.logLikelihood.isFinite, label)
            #expect((0...1).contains(candidate.distance), label)
            #expect(candidate.quantiles == candidate.quantiles.sorted(), label)
            guard candidate.problem == nil else { continue }
            let scenario = try Self.scenario(with: "content: {refresh: \(calibration.yaml(candidate.fit))}")
            #expect(scenario.content.refresh == calibration.distribution(candidate.fit), label)
        }
    }

    @Test("Few values are not enough to report a missed quantile")
    func fewValues() throws {
        let calibration = try Self.calibration(Self.draws(.exponential(mean: 4e6), count: 12), families: [.exponential])
        #expect(calibration.candidates[0].missed.isEmpty)
        #expect(throws: FitError.tooFewValues(count: 4, least: 10)) {
            _ = try Self.calibration([1, 2, 3, 4])
        }
    }
}

/// Fits of files that cannot be distributed with the package.
@Suite("Calibration on real data")
struct RealCalibrationTests {
    /// Computed with SciPy 1.17.1, `fit(CensoredData(interval=…), floc=0)`; times in seconds.
    private static let cancellations: [(FitFamily, Double, [Double])] = [
        (.exponential, -13575.492418, [234.714191]),
        (.lognormal, -13445.586332, [128.925110, 821.237883]),
        (.gamma, -13574.726611, [0.96718997, 242.676393]),
        (.weibull, -13565.474840, [0.93181581, 226.174924]),
    ]

    @Test(
        "Times to cancellation once a driver is assigned",
        .enabled(if: RealData.has("cancels-gett.csv"), "no real data")
    )
    func cancellations() throws {
        var column = DataColumn(name: "cancel_after_s", unit: .seconds)
        column.filters = [DataColumn.Filter(column: "driver_assigned", value: "1")]
        let values = try column.read(path: RealData.path("cancels-gett.csv"))
        #expect(values.values.count == 2102)
        let sample = Sample(values.values, unit: 1e6)
        #expect(sample.resolution == 1_000_000)
        for (family, likelihood, parameters) in Self.cancellations {
            let fit = try MaximumLikelihood.fit(family, to: sample)
            #expect((fit.logLikelihood - likelihood).magnitude < 1e-3)
            for (parameter, expected) in zip(fit.parameters, parameters) {
                let found = parameter.isScale ? parameter.value / 1e6 : parameter.value
                #expect((found / expected - 1).magnitude < 1e-3, "\(family) \(parameter.name) \(found)")
            }
        }
    }
}
