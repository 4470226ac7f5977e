import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import ScenarioLanguage

struct RunIDTests {
    private static var withData: Scenario {
        var scenario = Scenario.smallPoisson
        var trace = Scenario.Trace(file: "rides.csv")
        trace.rides = [TracedRide(request: .start, stages: [.minutes(1), .minutes(9)], isCancelled: false)]
        scenario.rides.trace = trace
        scenario.content.refresh = empirical([1, 2, 3])
        return scenario
    }

    private static func empirical(_ values: [Int64]) -> Distribution {
        let data = EmpiricalValues(file: "gaps.csv", column: "gap", sorted: values)
        return .mixture([MixtureComponent(weight: 1, distribution: .shifted(by: 1, .empirical(data)))])
    }

    @Test
    func sixteenDigits() {
        let id = RunID(.smallPoisson)
        #expect(id.description.count == 16)
        #expect(UInt64(id.description, radix: 16) == id.value)
        #expect(UInt64(7).hexadecimal == "0000000000000007")
    }

    @Test(
        arguments: [
            { $0.seed = 2 },
            { $0.name = "other" },
            { $0.content.ttl = .seconds(91) },
            { $0.rides.trace?.rides[0].request = Instant(microseconds: 1) },
            {
                let stages: [TimeSpan] = [.minutes(1), .minutes(8)]
                $0.rides.trace?.rides[0] = TracedRide(request: .start, stages: stages, isCancelled: false)
            },
            { $0.rides.trace?.rides[0].isCancelled = true },
            { $0.content.refresh = empirical([1, 2, 4]) },
        ] as [@Sendable (inout Scenario) -> Void]
    )
    func changesWithScenarioSeedAndData(change: @Sendable (inout Scenario) -> Void) {
        var changed = RunIDTests.withData
        change(&changed)
        #expect(RunID(changed) != RunID(RunIDTests.withData))
    }

    @Test
    func whatReadingLeftOutIsNoPartOfIt() {
        var changed = RunIDTests.withData
        changed.rides.trace?.cleaning.read = 99
        #expect(RunID(changed) == RunID(RunIDTests.withData))
    }

    @Test("Ids are stable: a new key with a default or another wording keeps them; a change here needs another version")
    func idsHold() {
        #expect(RunID.version == 2)
        #expect(RunID(Scenario()).description == "98208445f1b0cb4f")
        #expect(RunID(.smallPoisson).description == "aa68ef96e3dd132c")
    }

    @Test("More replications extend the same run; antithetic ones are another run")
    func replications() {
        var changed = Scenario.smallPoisson
        changed.replications.count = 20
        changed.replications.until = Scenario.Precision()
        #expect(RunID(changed) == RunID(.smallPoisson))
        changed.replications.antithetic = true
        #expect(RunID(changed) != RunID(.smallPoisson))
    }

    @Test("A world has one id, with its values in the file or in settings")
    func settings() throws {
        func id(_ yaml: String, _ settings: [String] = []) throws -> RunID {
            RunID(try ScenarioReader.read(yaml: yaml, named: "x.yaml", settings: settings).scenario)
        }
        let file = "name: x\ndescription: |\n  Words.\ncells: 2\n"
        #expect(try id(file, ["cells=2"]) == id(file))
        #expect(try id(file, ["cells=3"]) == id(file.replacing("cells: 2", with: "cells: 3")))
        #expect(try id(file, ["cells=3"]) != id(file))
    }
}
