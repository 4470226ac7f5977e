import LiveActivityModel
import Testing

@testable import InputFiles
@testable import ScenarioLanguage

@Suite("The levels of factors")
struct FactorTests {
    /// The levels of a range in their written form.
    private func levels(_ range: String) throws -> [String] {
        let yaml = "name: town\nfactors: {vary: {rides.scale: \(range)}}"
        let factors = try #require(try ScenarioReader.read(yaml: yaml, named: "a.yaml").experiment.factors)
        return factors.vary[0].gridLevels.map(\.label)
    }

    /// Computed by hand.
    @Test(
        "Ranges have equal differences or equal ratios and include both ends",
        arguments: [
            ("{from: 1m, to: 5m, steps: 5}", ["1m", "2m", "3m", "4m", "5m"]),
            ("{from: 1s, to: 100s, steps: 3, scale: log}", ["1s", "10s", "1m40s"]),
            ("{from: 1ms, to: 2ms, steps: 4}", ["1ms", "1.333ms", "1.667ms", "2ms"]),
            ("{from: 1s, to: 2s, steps: 4}", ["1s", "1.333s", "1.667s", "2s"]),
            ("{from: 1, to: 1000, steps: 4, scale: log}", ["1", "10", "100", "1000"]),
            ("{from: 1, to: 10, steps: 4}", ["1", "4", "7", "10"]),
            ("{from: -3, to: 3, steps: 3}", ["-3", "0", "3"]),
            ("{from: 1%, to: 5%, steps: 3}", ["1%", "3%", "5%"]),
            ("{from: 0.1%, to: 10%, steps: 3, scale: log}", ["0.1%", "1%", "10%"]),
            ("{from: 0%, to: 0.0002%, steps: 3}", ["0%", "0.0001%", "0.0002%"]),
            ("{from: 0.0000001%, to: 0.7%, steps: 2}", ["0.0000001%", "0.7%"]),
            ("{from: 0.5, to: 1, steps: 4}", ["0.5", "0.666667", "0.833333", "1"]),
            ("{from: 2, to: 8, steps: 1}", ["2"]),
            // Whole numbers are closer together than the steps.
            ("{from: 1, to: 3, steps: 9}", ["1", "2", "3"]),
            // The ends are kept as written, whatever is rounded between them.
            ("{from: 0.123456789, to: 0.987654321, steps: 3}", ["0.123456789", "0.555556", "0.987654321"]),
            ("{from: 1000001us, to: 2000001us, steps: 2}", ["1.000001s", "2.000001s"]),
            ("{from: 0.1234564, to: 0.1234566, steps: 3}", ["0.1234564", "0.1234566"]),
        ]
    )
    func ranges(_ range: String, _ expected: [String]) throws {
        #expect(try levels(range) == expected)
    }

    @Test("Shares of a unit interval select evenly among listed levels, and interpolate ranges")
    func shares() throws {
        let yaml =
            "name: town\nfactors: {vary: {monitor.fresh_limit: [1m, 2m, 3m], rides.scale: {from: 1, to: 5}}, design: sobol, points: 1}"
        let factors = try #require(try ScenarioReader.read(yaml: yaml, named: "a.yaml").experiment.factors)
        let listed = [0, 0.33, 0.34, 0.66, 0.67, 0.999_999].map { factors.vary[0].level(at: $0).label }
        #expect(listed == ["1m", "1m", "2m", "2m", "3m", "3m"])
        #expect([0, 0.25, 0.5, 0.99].map { factors.vary[1].level(at: $0).label } == ["1", "2", "3", "5"])
    }
}

@Suite("Decision variables and conditions of the world")
struct FactorChoiceTests {
    @Test(
        "The path decides which kind a factor is",
        arguments: [
            ("content.ttl", true), ("monitor.retry.max_attempts", true), ("apns.expiration", true),
            ("rides.stages.3.refresh", true), ("rides.stages.3.refresh.lognormal.median", true),
            ("rides.stages.3.duration", false), ("rides.scale", false), ("apns.loss", false),
            ("faults.0.duration", false), ("devices.start.by", true), ("devices.start.time", false),
            ("groups.by", true),
            ("contents", false),
        ]
    )
    func choices(path: String, isChoice: Bool) {
        #expect(Factor(path: path, levels: .listed([]), origin: Origin(.file(line: 1, column: 1))).isChoice == isChoice)
    }

    @Test("A choice that is zipped with a property of the world belongs to the world")
    func zipped() throws {
        let yaml = """
            name: town
            factors:
              vary: {content.ttl: [1m, 2m], rides.scale: [1, 2], monitor.fresh_limit: [3m, 4m]}
              zip: [[rides.scale, content.ttl]]
            """
        let factors = try #require(try ScenarioReader.read(yaml: yaml, named: "a.yaml").experiment.factors)
        #expect(factors.choices == [2])
    }
}
