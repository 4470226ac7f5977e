import Experiments
import FreshnessCore
import Quantities
import Testing

@testable import LiveActivityModel
@testable import MonitorServer

/// Identical histories on every host of `SenderStation` that accepts scripted events, with identical logs: the
/// simulator's cell, the service's state machine behind it, and the whole service over HTTP.
@Suite("Every host of the sender produces the same log")
struct SenderConformanceTests {
    @Test("The simulator's cell", arguments: SenderHistory.all)
    func cell(_ history: SenderHistory) throws {
        let world = try ScenarioLoader.world(history.scenario)
        var cell = CellSimulation(world: world, cell: 0, replication: 0, watch: .all)
        _ = cell.run(through: .never)
        #expect(SenderHistory.ordered(cell.story.compactMap(SenderHistory.words)) == history.log)
    }

    @Test("The service's state machine", arguments: SenderHistory.all)
    func machine(_ history: SenderHistory) throws {
        let world = try ScenarioLoader.world(history.scenario)
        var cell = CellSimulation(world: world, cell: 0, remote: .withMonitor)
        var host = try StateMachineAtWork(world, namesUnprocessed: history.namesUnprocessed)
        host.drive(&cell, through: world.horizon)
        #expect(SenderHistory.ordered(host.log) == history.serviceLog)
    }

    @Test("The service over HTTP", arguments: SenderHistory.all)
    func service(_ history: SenderHistory) async throws {
        let log = try await ServiceAtWork.log(of: history.scenario, namesUnprocessed: history.namesUnprocessed)
        #expect(SenderHistory.ordered(log) == history.serviceLog)
    }
}
