import FreshnessCore
import LiveActivityModel
import LoadGenerator
import Quantities
import Results
import Shell
import SimulationKernel
import Studies
import TestSupport
import Testing

@testable import Evaluation

/// Whole runs in real time, with APNs in the process.
@Suite("A run in real time")
struct LiveRunTests {
    /// Some rides within a minute, with losses and rejections.
    private static var scenario: Scenario {
        var scenario = Scenario()
        scenario.cells = 2
        scenario.clock.duration = .minutes(1)
        scenario.clock.drain = .minutes(20)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 40
        scenario.rides.arrivals.spread = .minutes(1)
        scenario.rides.stages = [
            Scenario.Stage(name: "a", duration: .constant(60e6)), Scenario.Stage(name: "b", duration: .constant(200e6)),
        ]
        scenario.content.refresh = .exponential(mean: 20e6)
        scenario.apns.latency = .exponential(mean: 1e6)
        scenario.apns.reasons = [Scenario.ReasonShare(reason: .tooManyRequests, share: Probability(0.1))]
        scenario.apns.loss = Probability(0.1)
        scenario.sender.requestTime = .exponential(mean: 0.2e6)
        return scenario
    }

    private static func run(_ world: World, speed: Double) throws -> LiveRun {
        try LiveRun(world: world, speed: speed, remote: .observed, wire: InProcessWire(APNsRules(world: world)))
    }

    @Test("It has the rides and pushes of its simulation and agrees with it")
    func agrees() async throws {
        let world = try ScenarioLoader.world(Self.scenario)
        let run = try Self.run(world, speed: 300)
        let outcome = try await run.run()
        let simulated = try await RunEngine(world: world, replications: 1, jobs: 1).run(progress: RunProgress())
        #expect(outcome.result.total[.ridesCompleted] == 40)
        #expect(outcome.result.total[.activitiesStarted] == simulated.total[.activitiesStarted])
        #expect(outcome.lateness.count == UInt64(outcome.progress.requests))
        #expect(outcome.progress.requests >= 40)
        let metrics = ResultComparison(simulated: simulated, live: outcome.result).metrics
        #expect(metrics.prefix(3).map(\.response) == ResultComparison.deciding.map(\.response.text))
        #expect(metrics.allSatisfy { $0.first != nil || $0.second == nil })
    }

    @Test("Groups run in real time, with their members in several cells", arguments: Scenario.FanOut.allCases)
    func groups(by: Scenario.FanOut) async throws {
        var scenario = Self.scenario
        var groups = Scenario.Groups()
        (groups.by, groups.size) = (by, .uniform(low: 1, high: 6))
        scenario.groups = groups
        scenario.rides.arrivals.count = 10
        scenario.devices.start.by = .push
        let world = try ScenarioLoader.world(scenario)
        let outcome = try await Self.run(world, speed: 300).run()
        let simulated = try await RunEngine(world: world, replications: 1, jobs: 1).run(progress: RunProgress())
        for counter in [Counter.groupsRequested, .activitiesStarted, .ridesCompleted, .fateSentOn, .endsSent] {
            #expect(outcome.result.total[counter] == simulated.total[counter], "\(counter)")
        }
        #expect(outcome.result.total[.groupsRequested] == 10)
        #expect((outcome.result.total[.pushesSentOn] > 0) == (by == .channel))
    }

    @Test("A run that is ended early is measured up to there, and a sample has the screens and the server's belief")
    func earlyEnd() async throws {
        let world = try ScenarioLoader.world(Self.scenario)
        let run = try Self.run(world, speed: 1)
        let end = EarlyEnd()
        let running = Task { try await run.run(endingWith: end) }
        var look: LiveLook?
        let hasLooked = await eventually {
            run.askForLook()
            look = run.takeLook() ?? look
            return look.map { $0.glance.at >= .seconds(5) } ?? false
        }
        #expect(hasLooked)
        #expect(end.ask(.terminated))
        let outcome = try await running.value
        let (mark, glance) = (try #require(outcome.earlyEnd), try #require(look?.glance))
        #expect(mark.cause == .terminated && mark.planned == .minutes(1) && mark.ran >= .seconds(5))
        let measured = outcome.result.total[.measuredTime]
        #expect(measured >= 2 * 5_000_000 && measured < 2 * (world.horizon - .start).microseconds)
        let live = outcome.result.total[.liveAtHorizon]
        #expect(live > 0 && live <= 40)
        let screens = try #require(glance.screens)
        let belief = try #require(glance.belief)
        #expect(screens.fresh > 0 && Int64(screens.fresh + screens.stale + screens.wrongStage) <= live)
        #expect(belief.fresh > 0)
        let soFar = try #require(look.map { run.outcome(at: $0) })
        #expect(soFar.result.total[.activitiesStarted] <= outcome.result.total[.activitiesStarted])
        #expect(soFar.result.total[.activitiesStarted] > 0)
    }

    @Test("A cancelled run ends immediately")
    func cancelled() async throws {
        let world = try ScenarioLoader.world(Self.scenario)
        let run = try Self.run(world, speed: 1)
        let task = Task { try await run.run() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Settings that an external monitor does not support are rejected, and settings of its sender are ignored")
    func refusedByMonitor() throws {
        var (pushed, unwatched, allSeeing, renewing) = (Self.scenario, Self.scenario, Self.scenario, Self.scenario)
        pushed.devices.start.by = .appThenPush
        unwatched.monitor.enabled = false
        allSeeing.monitor.feedback = .delivery
        renewing.content.renewBefore = .minutes(30)
        var (awaiting, grouped) = (Self.scenario, Self.scenario)
        awaiting.content.endpoint = Scenario.ContentEndpoint()
        grouped.groups = Scenario.Groups()
        let cases: [(Scenario, LiveRunError)] = [
            (pushed, .startsByPush(.appThenPush)), (unwatched, .withoutMonitor), (allSeeing, .seesScreens),
            (renewing, .renews), (awaiting, .contentEndpoint), (grouped, .groups),
        ]
        for (scenario, error) in cases {
            #expect(throws: error) { try LiveRunError.check(scenario, remote: .withMonitor) }
            try LiveRunError.check(scenario, remote: .observed)
            #expect("\(error)".contains("allowed: "))
        }
        var resuming = Self.scenario
        resuming.sender.preempt = .resume
        try LiveRunError.check(resuming, remote: .withMonitor)
    }

    @Test("Cohorts run in real time, except with values that a part outside the cells has once for all rides")
    func cohorts() throws {
        func scenario(_ change: (inout Scenario) -> Void) -> Scenario {
            var scenario = Self.scenario
            var own = scenario
            change(&own)
            var cohort = Scenario.Cohort(name: "new", share: .always)
            cohort.sections = Scenario.Cohort.Sections(own)
            scenario.cohorts = [cohort]
            return scenario
        }
        let younger = scenario { ($0.content.ttl, $0.devices.swipe.share) = (.minutes(1), .always) }
        for remote in [RemoteStations.observed, .withMonitor] { try LiveRunError.check(younger, remote: remote) }
        let slower = scenario { $0.monitor.freshLimit = .minutes(9) }
        try LiveRunError.check(slower, remote: .observed)
        let policy = LiveRunError.cohorts(
            set: "values under monitor",
            reason: "the monitor has one policy for all rides"
        )
        #expect(throws: policy) { try LiveRunError.check(slower, remote: .withMonitor) }
        let waking = scenario { $0.content.wakeApp = Scenario.WakeApp() }
        #expect(throws: LiveRunError.wakesApp) { try LiveRunError.check(waking, remote: .observed) }
    }

    @Test("Settings that no wire supports are rejected")
    func refused() throws {
        var scripted = Self.scenario
        scripted.apns.script = [.lost]
        var resuming = Self.scenario
        resuming.sender.preempt = .resume
        var waking = Self.scenario
        waking.content.wakeApp = Scenario.WakeApp()
        var rotating = Self.scenario
        (rotating.devices.start.by, rotating.devices.start.tokenRotation) = (.push, .constant(3600e6))
        let cases: [(Scenario, LiveRunError)] = [
            (scripted, .scripted), (resuming, .resumesRequests), (waking, .wakesApp),
            (rotating, .startTokensRotate),
        ]
        for (scenario, error) in cases {
            let world = try ScenarioLoader.world(scenario)
            #expect(throws: error) {
                _ = try Self.run(world, speed: 1)
            }
        }
    }
}
