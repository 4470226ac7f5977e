import LiveActivityModel
import Quantities
import ScenarioLanguage
import SimulationKernel
import Studies
import Testing

/// The section `cohorts` of a scenario.
@Suite("The section cohorts")
struct CohortsSectionTests {
    private static func errors(_ yaml: String) -> [String] {
        do {
            _ = try ScenarioReader.read(yaml: yaml, named: "c.yaml")
            return []
        } catch .invalid(let diagnostics) {
            return diagnostics.map { "\($0)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test("A cohort has its own values, and the rest of the file")
    func values() throws {
        let yaml = """
            content: {ttl: 3m}
            monitor: {fresh_limit: 30s}
            cohorts:
              - {name: a, share: 5%, set: {content.ttl: 1m, devices.token.delay: {uniform: {low: 1s, high: 2s}}}}
              - {name: b, share: 10%, rollout: [{at: 10m, share: 50%}]}
            """
        let loaded = try ScenarioReader.read(yaml: yaml, named: "c.yaml")
        let scenario = try ScenarioLoader.world(loaded).scenario
        let own = scenario.scenario(ofCohort: 1)
        #expect(own.content.ttl == .minutes(1))
        #expect(own.devices.token.delay == .uniform(low: 1e6, high: 2e6))
        #expect(own.monitor == scenario.monitor)
        #expect(scenario.scenario(ofCohort: 2).content == scenario.content)
        #expect(scenario.cohorts[1].share(at: .start + .minutes(9)) == Probability(0.1))
        #expect(scenario.cohorts[1].share(at: .start + .minutes(10)) == Probability(0.5))
        let written = ScenarioWriter.resolvedYAML(scenario)
        #expect(try ScenarioReader.read(yaml: written, named: "w.yaml").scenario.cohorts == scenario.cohorts)
    }

    @Test("A setting or a factor may add a value to a cohort")
    func settings() throws {
        let yaml = "cohorts: [{name: a, share: 5%, set: {monitor.fresh_limit: 10s}}]"
        let settings = [
            "cohorts.0.set.content.ttl=3m", "cohorts.0.set.content.refresh={lognormal: {median: 20s, p95: 50s}}",
            "cohorts.0.set.monitor.retry.max_attempts=2",
        ]
        let scenario = try ScenarioReader.read(yaml: yaml, named: "c.yaml", settings: settings).scenario
        let own = scenario.scenario(ofCohort: 1)
        #expect(own.content.ttl == .minutes(3))
        #expect(own.content.refresh == .lognormal(median: 20e6, p95: 50e6))
        #expect(own.monitor.retry.maxAttempts == 2)
        #expect(own.monitor.freshLimit == .seconds(10))
        #expect(own.monitor.recoveryWindow == scenario.monitor.recoveryWindow)
    }

    @Test("Another TTL of a cohort makes fresh shares incomparable, as that of the scenario does")
    func rulers() throws {
        let yaml = """
            cohorts: [{name: a, share: 5%, set: {content.ttl: 1m}}]
            factors:
              vary: {cohorts.0.set.content.ttl: [1m, 2m]}
              responses: [ride_fresh_coverage_ratio, ride_stage_coverage_ratio]
            """
        let factors = try #require(try ScenarioReader.read(yaml: yaml, named: "c.yaml").experiment.factors)
        #expect(factors.responses.map(factors.measuresAlike) == [false, true])
    }

    @Test(
        "Tokens that change all the time are refused, in a cohort too",
        arguments: [
            "devices: {token: {rotation: 0s}}", "devices: {start: {by: push, token_rotation: 0s}}",
            "{devices: {token: {rotation: 1h}}, cohorts: [{name: a, share: 5%, set: {devices.token.rotation: {uniform: {low: 0s, high: 1s}}}}]}",
        ]
    )
    func rotations(yaml: String) throws {
        let loaded = try ScenarioReader.read(yaml: yaml, named: "c.yaml")
        let error = #expect(throws: ScenarioError.self) { try ScenarioLoader.world(loaded) }
        #expect(error?.description.contains("rotation must last at least 1 s on average") ?? false, "\(error as Any)")
        let slower = yaml.replacing("0s}", with: "1s}").replacing("high: 1s", with: "high: 3s")
        _ = try ScenarioLoader.world(ScenarioReader.read(yaml: slower, named: "c.yaml"))
    }

    @Test("The metric of a stopping rule may be that of a cohort")
    func precision() throws {
        let yaml = """
            replications: {count: 2, until: {metric: "stage_lag_us{cohort:a}", half_width: 5%}}
            cohorts: [{name: a, share: 5%, set: {content.ttl: 1m}}]
            """
        #expect(Self.errors(yaml) == [])
        let errors = Self.errors(yaml.replacing("cohort:a", with: "cohort:b"))
        #expect(errors.count == 1 && errors[0].contains("must name a metric that has an interval"), "\(errors)")
    }

    @Test("A rollout may step at local times")
    func localTimes() throws {
        let yaml = """
            clock: {starts_at: "Fri 17:00", duration: 6h}
            cohorts: [{name: a, share: 5%, rollout: [{at: "Fri 18:30", share: 50%}]}]
            """
        let scenario = try ScenarioReader.read(yaml: yaml, named: "c.yaml").scenario
        #expect(scenario.cohorts[0].rollout.map(\.at) == [.minutes(90)])
    }

    @Test(
        "Errors name the place, the value and the other value",
        arguments: [
            (
                "{name: a, share: 5%, set: {sender.connections: 3}}",
                "c.yaml:1:38: cohorts.0.set.sender.connections must be the path of a value under content, devices or monitor"
            ),
            (
                "{name: a, share: 5%, set: {monitor.retry.budget.capacity: 3}}",
                "cannot differ between cohorts: cohorts share the budget of their cell"
            ),
            (
                "{name: a, share: 5%, set: {content.ttl: 2x}}",
                "c.yaml:1:51: cohorts.0.set makes content.ttl invalid, which must be a duration"
            ),
            (
                "{name: a, share: 5%, set: {content.eta: {step: 10s}}}",
                "switches on what is off in the scenario (content.eta is off)"
            ),
            (
                "{name: a, share: 5%, set: {content.payload: {limit: 1000}}}",
                "cohorts.0.set sets content.payload.limit, which cannot differ between cohorts: APNs has one limit for all"
            ),
            (
                "{name: a, share: 5%, set: {monitor.retry: {budget: {capacity: 1, per_second: 1}}}}",
                "cohorts.0.set sets monitor.retry.budget, which cannot differ between cohorts"
            ),
            (
                "{name: a, share: 5%, set: {content.renew_before: 30m}}",
                "switches on what is off in the scenario (content.renew_before is off)"
            ),
            ("{name: others, share: 5%}", "must not be \"others\", the name of the rides that belong to no cohort"),
            (
                "{name: a, share: 50%}, {name: a, share: 10%}",
                "must differ from the names of earlier cohorts, got \"a\""
            ),
            (
                "{name: a, share: 60%}, {name: b, share: 50%}",
                "cohorts.1.share must leave the shares of all cohorts together at most 100%, got 110% at 0s, with \"a\""
            ),
            (
                "{name: a, share: 60%}, {name: b, share: 5%, rollout: [{at: 1h, share: 41%}]}",
                "cohorts.1.rollout.0.share must leave the shares of all cohorts together at most 100%, got 101% at 1h"
            ),
            (
                "{name: a, share: 1%, rollout: [{at: 20m, share: 5%}, {at: 10m, share: 9%}]}",
                "cohorts.0.rollout.1.at must be after cohorts.0.rollout.0.at (20m), got 10m: a rollout goes forward"
            ),
            (
                "{name: a, share: 1%, rollout: [{at: 9m, share: 5%}, {at: 24h, share: 9%}]}",
                "cohorts.0.rollout.1.at must be before the end of clock.duration"
            ),
        ]
    )
    func refusals(cohorts: String, expected: String) {
        let errors = Self.errors("cohorts: [\(cohorts)]")
        #expect(errors.contains { $0.contains(expected) }, "\(errors)")
    }
}
