import LiveActivityModel
import ModelChecks
import Quantities
import Studies
import Testing

@Suite("Timeouts of one instant")
struct TiedTimeOutTests {
    /// No request is answered in time.
    ///
    /// A retry of the monitor that is repeated at its timeout, and the refresh that begins at the same instant, time out
    /// together.
    @Test(
        "Of two requests of an activity, the first to begin is the first to time out, ahead of time as well",
        arguments: 4...9 as ClosedRange<Int64>,
        5...12 as ClosedRange<Int64>
    )
    func order(ttl: Int64, refresh: Int64) throws {
        var scenario = Scenario.ride(30).times(3)
        scenario.clock.duration = .seconds(60)
        scenario.content.ttl = .seconds(ttl)
        scenario.content.refresh = .seconds(Double(refresh))
        scenario.watch(retries: [0, 3])
        scenario.sender.streams = 100
        scenario.sender.requestTime = .seconds(5)
        scenario.sender.timeout = .seconds(2)
        scenario.sender.attempts = 2
        let world = try ScenarioLoader.world(scenario)
        let cell = CellSimulation(world: world, cell: 0, replication: 0, watch: .all, speculation: .handlersOnly)
        let speculates = cell.speculates
        #expect(speculates)
        #expect(SpeculationCheck.firstDifference(in: world, cell: 0, replication: 0) == nil)
    }
}
