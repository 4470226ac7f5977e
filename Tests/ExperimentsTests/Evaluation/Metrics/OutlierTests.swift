import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import Evaluation

@Suite("The rides with the largest weight")
struct OutlierTests {
    private static func scenario(limit: TimeSpan) -> Scenario {
        var scenario = Scenario.smallPoisson
        scenario.devices.systemLimit = limit
        return scenario
    }

    @Test("A card that is never ended stays until Apple's limit or the end of the run, the earlier one")
    func life() {
        let long = Outlier(Self.scenario(limit: .hours(100)))
        let clock = Scenario.smallPoisson.clock
        let whole = Double((clock.duration + clock.drain).microseconds)
        #expect(long.life + long.ride == whole)
        let short = Outlier(Self.scenario(limit: .minutes(40)))
        #expect(short.life + short.ride == 2.4e9)
    }

    @Test("A ride without updates has the stage time that a random instant sees: E[X²] / E[X]")
    func stays() {
        var scenario = Self.scenario(limit: .hours(8))
        scenario.clock.duration = .hours(24)
        scenario.rides.stages = [
            Scenario.Stage(name: "waiting", duration: .constant(240e6)),
            Scenario.Stage(name: "riding", duration: .exponential(mean: 600e6)),
        ]
        let outlier = Outlier(scenario)
        // The second moment is computed numerically.
        #expect(outlier.stays[0] == 240e6)
        let stay = outlier.stays[1]
        #expect(abs(stay / 1200e6 - 1) < 0.01)
        #expect(outlier.ride == 840e6)
        let age = outlier.ageWithoutUpdates(inStage: 1)
        let middle = 240e6 + stay / 2
        #expect(age.denominator == stay)
        #expect(age.numerator == stay * middle)
    }
}
