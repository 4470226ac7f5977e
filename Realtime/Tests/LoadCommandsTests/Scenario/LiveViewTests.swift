import Evaluation
import LiveActivityModel
import Quantities
import Reporting
import Studies
import Testing

@testable import LoadCommands
@testable import LoadGenerator

@Suite("The view of a scenario's run on a page")
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

    @Test("A sample is due once a second, and less often if samples take long")
    func pace() {
        var view = LiveView(planned: .minutes(1), scenarioTime: .minutes(1))
        #expect(!view.wantsLook(at: .milliseconds(900)) && view.wantsLook(at: .seconds(1)))
        view.append(Self.look(at: .seconds(1)), Self.course, at: .seconds(1))
        #expect(!view.wantsLook(at: .milliseconds(1900)) && view.wantsLook(at: .seconds(2)))
        view.append(Self.look(at: .seconds(2), took: .milliseconds(200)), Self.course, at: .seconds(2))
        #expect(!view.wantsLook(at: .milliseconds(5900)) && view.wantsLook(at: .seconds(6)))
    }

    @Test("Faults are marked in wall-clock time on requests and in the scenario's time on samples")
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
        let results = LoadReport(load: "load scenario", seed: 1, settings: [], rows: [])
        #expect(view.snapshot(results).faults == FaultSpan.all(of: scenario))
    }
}
