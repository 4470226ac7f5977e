import LiveActivityModel
import Testing

@testable import Evaluation
@testable import InputFiles
@testable import ScenarioLanguage

@Suite("Rates as text")
struct RateTextTests {
    @Test(
        "A rate in any unit",
        arguments: [
            ("30/m", 0.5, 1800), ("2/s", 2, 7200), ("120/h", 120.0 / 3600, 120), ("0.5/m", 0.5 / 60, 30), ("0/h", 0, 0),
        ] as [(String, Double, Double)]
    )
    func rates(text: String, perSecond: Double, perHour: Double) {
        #expect(RateText.rate(text, perSeconds: 1) == perSecond)
        #expect(RateText.rate(text, perSeconds: 3600) == perHour)
        let amount = Amount(text)
        #expect(amount?.value(in: "1/s", isShare: false) == perSecond)
        #expect(amount?.value(in: "1/h", isShare: false) == perHour)
        #expect(amount?.value(in: "us", isShare: false) == nil)
        #expect(amount.flatMap { Amount($0.text) } == amount)
    }

    @Test("Other texts are no rates", arguments: ["30", "30/", "/m", "30/d", "30/m/m", "-1/s", "x/s", "30 /m", "3/8"])
    func refused(text: String) {
        #expect(RateText.parts(text) == nil)
    }

    private static let scenario = """
        rides: {arrivals: {process: poisson, rates_per_hour: [RATE]}, stages: [{name: a, duration: 1m}]}
        sender: {rate_limit: {per_second: LIMIT, burst: 10}}
        """

    private func read(rate: String, limit: String) throws -> Scenario {
        let text = Self.scenario.replacing("RATE", with: rate).replacing("LIMIT", with: limit)
        return try ScenarioReader.read(yaml: text, named: "a.yaml").scenario
    }

    @Test("Scenario keys accept rates, which are written as plain numbers")
    func keys() throws {
        let scenario = try read(rate: "2/m", limit: "30/m")
        #expect(scenario.rides.arrivals.ratesPerHour == [120])
        #expect(scenario.sender.rateLimit?.perSecond == 0.5)
        #expect(ScenarioWriter.changes(scenario).contains("per_second: 0.5"))
        #expect(try read(rate: "120", limit: "10/m").sender.rateLimit?.perSecond == 0.167)
    }

    @Test("A rate that no step approximates is rejected", arguments: ["1/h", "0.0001/s", "-1/s", "1/d", "2000000/s"])
    func refusedKeys(limit: String) {
        #expect(throws: ScenarioError.self) { try read(rate: "120", limit: limit) }
    }
}
