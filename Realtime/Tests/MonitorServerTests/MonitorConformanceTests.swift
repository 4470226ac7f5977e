import CommandTestSupport
import Experiments
import FreshnessCore
import Quantities
import Testing

@testable import LiveActivityModel
@testable import MonitorServer

/// Identical histories on every host of `MonitorStation` that accepts scripted events, with identical logs: the
/// simulator's cell, the service's state machine in its place, and the whole service over HTTP.
///
/// `load core` draws its own load, so it cannot follow a script; it also has no token rotation.
@Suite("Every host of the monitor produces the same log")
struct MonitorConformanceTests {
    @Test("The simulator's cell", arguments: MonitorHistory.all)
    func cell(_ history: MonitorHistory) throws {
        let world = try ScenarioLoader.world(history.scenario)
        var cell = CellSimulation(world: world, cell: 0, replication: 0, watch: .ride(0))
        _ = cell.run(through: .never)
        #expect(cell.story.compactMap(Self.words) == history.log)
    }

    @Test("The service's state machine", arguments: MonitorHistory.all + MonitorHistory.restarts)
    func machine(_ history: MonitorHistory) throws {
        let world = try ScenarioLoader.world(history.scenario)
        var cell = CellSimulation(world: world, cell: 0, remote: .withMonitor)
        let scratch = try Scratch()
        let registry = try history.restartsAt.map { _ in try Registry(path: scratch.path("tokens.sqlite")) }
        var host = try StateMachineAtWork(world, registry: registry)
        if let seconds = history.restartsAt {
            let restart = Instant.start + .seconds(seconds)
            host.drive(&cell, through: restart)
            try host.restart(at: restart)
        }
        host.drive(&cell, through: world.horizon)
        #expect(host.log.filter(Self.isOfMonitor).map(SenderHistory.short) == history.log)
    }

    /// `KilledMonitorTests` cover a kill during a write; they kill the process itself.
    @Test("The service over HTTP", arguments: MonitorHistory.all + MonitorHistory.restarts)
    func service(_ history: MonitorHistory) async throws {
        let log = try await ServiceAtWork.log(of: history.scenario, restartingAt: history.restartsAt)
        #expect(log.filter(Self.isOfMonitor).map(SenderHistory.short) == history.log)
    }

    /// Returns `true` if a line belongs to these histories; ``SenderHistory`` covers the sender's own actions.
    private static func isOfMonitor(_ line: String) -> Bool { !line.contains("unanswered") }

    /// Returns a line of a story in the words of the histories; `nil` for lines that they omit.
    private static func words(_ line: StoryLine) -> String? {
        let text: String? =
            switch line.happening {
            case .sent(let kind, _, _): "send \(kind)"
            case .answered(let kind, nil): "accepted \(kind)"
            case .answered(let kind, .some): "refused \(kind)"
            case .classified(.recoverable): "class stale"
            case .classified(.severe): "class severe"
            case .confirmed(.recovered): "class fresh"
            case .tokenPosted: "token"
            case .tokenInvalidated: "token invalidated"
            case .tokenDiscarded: "token discarded"
            default: nil
            }
        return text.map { "\(MonitorHistory.seconds(line.at)) \($0)" }
    }
}
