import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

@Suite("Timers that the ride's own events set")
struct AppointmentTests {
    @Test("An activity has pending events for its ride and a refresh, and for nothing that these will schedule")
    func pendingEvents() throws {
        let cell = try Self.crowd(.none)
        let (events, activities) = (cell.loop.pendingCount, cell.activities.takenCount)
        #expect(activities > 300)
        // A tenth more for the next request, for pushes in flight, and for the few checks that come sooner.
        #expect(events * 10 < activities * 22)
    }

    @Test("Ahead of time, most activities are over before they have an event of their own, if few pushes overlap")
    func pendingEventsAhead() throws {
        let cell = try Self.crowd(.accelerated, latency: 0.02)
        let (events, activities) = (cell.loop.pendingCount, cell.activities.takenCount)
        #expect(events < 50 && activities < 50, "\(events) events of \(activities) activities")
    }

    /// A cell after 250 s of a scenario whose activities last seven minutes.
    private static func crowd(_ speculation: Speculation, latency: Double = 1) throws -> CellSimulation {
        var scenario = Scenario.crowd()
        scenario.content.ttl = .minutes(2)
        scenario.apns.latency = .seconds(latency)
        scenario.sender.requestTime = .seconds(0.02)
        // Each is over long before its token changes.
        scenario.devices.token.rotation = .seconds(8 * 3600)
        scenario.watch(retries: [0, 10])
        let world = try ScenarioLoader.world(scenario)
        var cell = CellSimulation(world: world, cell: 0, replication: 0, speculation: speculation)
        _ = cell.run(through: .start + .seconds(250))
        return cell
    }

    @Test("A token changes at its instant: before a stage change, in a later stage, and after the ride")
    func rotations() throws {
        var scenario = Scenario.ride(100, 100)
        scenario.devices.token.rotation = .seconds(70)
        scenario.monitor.enabled = true
        scenario.apns.loss = .always
        let cell = try FinishedCell(scenario)
        let rotations = cell.log(.token).filter { $0.contains("rotated") }
        #expect(rotations.prefix(3) == ["70 token rotated", "140 token rotated", "210 token rotated"])
    }
}
