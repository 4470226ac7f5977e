import Experiments
import LiveActivityModel
import Quantities
import Reporting
import Testing

@testable import LoadCommands
@testable import LoadGenerator

@Suite("Page of a scenario's live run")
struct LiveViewTests {
    private static func look(at time: TimeSpan, took: TimeSpan = .zero) -> LiveLook {
        LiveLook(
            glance: FreshnessGlance(at: time),
            progress: LiveProgress(),
            cells: [],
            lateness: LiveOutcome.Lateness(),
            took: took
        )
    }

    private static let course = LoadCourse(
        items: "requests",
        done: "sent",
        outcomes: [],
        windows: [],
        percentile99: nil
    )

    @Test("The thread of the cells takes a snapshot once per second, and fewer if a snapshot is slow")
    func pace() {
        var view = LiveView(planned: .minutes(1), scenarioTime: .minutes(1))
        #expect(!view.wantsLook(at: .milliseconds(900)) && view.wantsLook(at: .seconds(1)))
        view.append(Self.look(at: .seconds(1)), Self.course, at: .seconds(1))
        #expect(!view.wantsLook(at: .milliseconds(1900)) && view.wantsLook(at: .seconds(2)))
        view.append(Self.look(at: .seconds(2), took: .milliseconds(200)), Self.course, at: .seconds(2))
        #expect(!view.wantsLook(at: .milliseconds(5900)) && view.wantsLook(at: .seconds(6)))
    }

    @Test("A run's faults are marked by the clock on requests, and by the scenario's time on snapshots")
    func faults() throws {
        var scenario = Scenario()
        scenario.faults = [Scenario.Fault(kind: .apnsSilent, at: .seconds(20), duration: .seconds(10))]
        let world = try ScenarioLoader.world(scenario)
        let run = try LiveRun(
            world: world,
            speed: 10,
            remote: .observed,
            wire: InProcessWire(APNsRules(world: world))
        )
        #expect(run.course.faults == FaultSpan.all(of: scenario, atSpeed: 10))
        let view = run.view(until: world.horizon)
        let results = LoadResults(name: "load scenario", seed: 1, settings: [], rows: [])
        #expect(view.snapshot(results).faults == FaultSpan.all(of: scenario))
    }
}
