import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import Results
@testable import ScenarioLanguage

@Suite("Changes between two scenarios")
struct ScenarioChangeTests {
    @Test("Changes are listed by path in file order, without names and numbers of replications")
    func changes() {
        let first = Scenario.smallPoisson
        var second = first
        second.name = "other"
        second.description = "Another one."
        second.replications.count = 9
        second.seed = 8
        second.content.ttl = .minutes(2)
        second.rides.stages[1].duration = .exponential(mean: 300e6)
        second.rides.arrivals.ratesPerHour = [160, 80]
        second.faults.append(.init(kind: .connectionLost, at: .minutes(5)))
        #expect(
            ScenarioChange.changes(from: first, to: second).map(\.description) == [
                "seed: 7 → 8",
                "rides.arrivals.rates_per_hour: [160] → [160, 80]",
                "rides.stages.1.duration: {exponential: {mean: 10m}} → {exponential: {mean: 5m}}",
                "content.ttl: 1m30s → 2m",
                "faults.1: absent → {kind: connection_lost, at: 5m, duration: 0s, share: 1, factor: 1}",
            ]
        )
    }

    @Test("A section that one scenario lacks is listed whole; equal scenarios have no changes")
    func sections() {
        var second = Scenario.smallPoisson
        second.devices.staleContentLimit = .minutes(7)
        #expect(
            ScenarioChange.changes(from: .smallPoisson, to: second).map(\.description) == [
                "devices.stale_content_limit: off → 7m"
            ]
        )
        let drawn = Scenario().varied(SwarmDraws(seed: 1))
        #expect(ScenarioChange.changes(from: drawn, to: drawn).isEmpty)
        #expect(!ScenarioChange.changes(from: Scenario(), to: drawn).isEmpty)
    }
}
