import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

@Suite("Records of searched activities")
struct ActivityRecordTests {
    /// Returns the value of the only ride of a scenario [s]; the search changes nothing.
    private static func seconds(_ criterion: ActivitySearch.Criterion, _ scenario: Scenario) throws -> Int64 {
        let world = try ScenarioLoader.world(scenario)
        var cell = CellSimulation(
            world: world,
            cell: 0,
            replication: 0,
            search: ActivitySearch(criterion, count: 1)
        )
        _ = cell.run(through: world.horizon)
        cell.finish()
        #expect(try FinishedCell(scenario, ride: nil).measurements == cell.measurements)
        return try criterion.value(#require(cell.search?.found.first)) / 1_000_000
    }

    @Test(
        "The largest error of the ETA: by the change of the estimate, and without a countdown also by the time passed"
    )
    func etaError() throws {
        var scenario = Scenario.ride(100)
        scenario.content.updatesAt = [.seconds(25), .seconds(45)]
        var eta = Scenario.ETA()
        (eta.drift, eta.timer) = (0.1, true)
        scenario.content.eta = eta
        // One second later in each step of 10 s; five steps from 45 to 100.
        #expect(try Self.seconds(.etaError, scenario) == 5)
        scenario.content.eta = Scenario.ETA()
        #expect(try Self.seconds(.etaError, scenario) == 55)
    }

    @Test("The time without the driver's photo: on its way, lost, or without a card")
    func photo() throws {
        var scenario = Scenario.ride(40, 100)
        scenario.content.payload.bytes = .constant(1500)
        scenario.content.payload.photoBytes = .constant(2000)
        scenario.content.payload.photoStage = "s1"
        scenario.devices.pictures = Scenario.Pictures()
        scenario.apns.latency = .seconds(2)
        #expect(try Self.seconds(.photoMissingTime, scenario) == 2)
        scenario.devices.systemLimit = .seconds(60)
        #expect(try Self.seconds(.photoMissingTime, scenario) == 2 + 80)
        scenario.apns.loss = .always
        #expect(try Self.seconds(.photoMissingTime, scenario) == 100)
    }

    @Test("The time of leftover cards: the activity after its ride, and the card after its activity while it is wrong")
    func leftovers() throws {
        var scenario = Scenario.ride(100)
        scenario.apns.loss = .always
        scenario.devices.initialContentLimit = nil
        scenario.devices.systemLimit = .seconds(150)
        #expect(try Self.seconds(.leftoverWrongTime, scenario) == 50)
        // It showed the ride as if it went on, and its card stays for another minute.
        scenario.devices.dismissal.atLimit = .minutes(1)
        #expect(try Self.seconds(.leftoverWrongTime, scenario) == 50 + 60)
    }
}
