import Quantities
import Studies
import TestSupport
import Testing

@testable import LiveActivityModel
@testable import MonitorServer

/// Identical histories on every host of `MonitorStation` and `SenderStation` that accepts scripted events, with identical
/// logs: the simulator's cell, the service's state machine in its place, and the whole service over HTTP.
///
/// `bench core` draws its own load, so it cannot follow a script; it also has no token rotation.
@Suite("Every host of the monitor and its sender produces the same log")
struct MonitorConformanceTests {
    private static let histories = ServiceHistory.ofMonitor + ServiceHistory.ofSender

    @Test("The simulator's cell", arguments: histories.filter { $0.restartsAt == nil })
    func cell(_ history: ServiceHistory) throws {
        let world = try ScenarioLoader.world(history.scenario())
        var cell = CellSimulation(world: world, cell: 0, replication: 0, watch: .all)
        _ = cell.run(through: .never)
        #expect(history.difference(from: cell.story.compactMap(ServiceHistory.words), ofService: false) == nil)
    }

    @Test("The service's state machine", arguments: histories)
    func machine(_ history: ServiceHistory) throws {
        let world = try ScenarioLoader.world(history.scenario())
        var cell = CellSimulation(world: world, cell: 0, remote: .withMonitor)
        let scratch = Scratch()
        let registry = try history.restartsAt.map { _ in try Registry(path: scratch.path("tokens.sqlite")) }
        var host = try StateMachineAtWork(world, registry: registry, namesUnprocessed: history.namesUnprocessed)
        if let seconds = history.restartsAt {
            let restart = Instant.start + .seconds(seconds)
            host.drive(&cell, through: restart)
            try host.restart(at: restart)
        }
        host.drive(&cell, through: world.horizon)
        #expect(history.difference(from: host.log) == nil)
    }

    /// `KilledMonitorTests` cover a kill during a write; they kill the process itself.
    @Test("The service over HTTP", arguments: histories)
    func service(_ history: ServiceHistory) async throws {
        #expect(history.difference(from: try await ServiceAtWork.log(of: history)) == nil)
    }
}
