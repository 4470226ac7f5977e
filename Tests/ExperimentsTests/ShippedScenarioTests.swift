import Foundation
import LiveActivityModel
import ModelChecks
import ScenarioLanguage
import Statistics
import Studies
import TestSupport
import Testing

@testable import Evaluation

extension ShippedScenario {
    /// The scenario at a reduced scale, measured from its first instant.
    func small(settings: [String] = []) throws -> World {
        try ScenarioLoader.load(file: path, settings: smallSettings + ["clock.warm_up=0s"] + settings)
    }
}

@Suite("Shipped scenarios")
struct ShippedScenarioTests {
    @Test("Each has a scale")
    func scales() {
        #expect(ShippedScenario.all.map(\.name) == ShippedScenario.scales.keys.sorted())
    }

    @Test(
        "Each loads unchanged, under the name of its file, and names the schema",
        .enabled(if: Loop.isFull),
        arguments: ShippedScenario.all
    )
    func loads(shipped: ShippedScenario) throws {
        let scenario = try ScenarioLoader.load(file: shipped.path).scenario
        #expect(scenario.name == shipped.name)
        #expect(!scenario.description.isEmpty)
        let text = try String(contentsOfFile: shipped.path, encoding: .utf8)
        #expect(text.hasPrefix("# yaml-language-server: $schema=freshet.schema.json\n"))
    }

    @Test(
        "Each design gives valid scenarios at all points, with defined responses and checks",
        .enabled(if: Loop.isFull),
        arguments: [
            ("booked-rides", 4), ("content-endpoint", 16), ("eta-refresh", 10), ("fan-out-collapse", 4),
            ("metastable", 72), ("morning-and-evening", 4), ("new-years-eve", 36),
            ("retry-policies", 24), ("tokens-or-channels", 6),
            ("tune-fresh-limit", 24), ("two-arms", 3),
            ("what-freshness-costs", 20),
            ("what-matters", 567),
        ]
    )
    func designs(name: String, points: Int) throws {
        let sweep = try Sweep(ScenarioReader.read(file: ShippedScenario(name).path))
        #expect(sweep.points.count == points)
        #expect(sweep.isWhole)
        // Levels that made one scenario twice would be compared with themselves; the crossed design does so on purpose,
        // where both of the points that it crosses have the same coordinate.
        if sweep.factors.design == .grid { #expect(Set(sweep.points.map(\.run)).count == points) }
        if let goal = sweep.factors.goal {
            #expect(try Tuning(sweep, goal: goal).problem.errors.isEmpty)
        }
    }

    @Test("The schema beside them is up to date")
    func schema() throws {
        let path = "\(ShippedScenario.directory)/freshet.schema.json"
        #expect(try String(contentsOfFile: path, encoding: .utf8) == ScenarioSchema.json())
    }

    @Test(
        "Nothing is lost or counted twice, and the number of threads has no effect",
        .enabled(if: Loop.isFull),
        arguments: ShippedScenario.all
    )
    func conserves(shipped: ShippedScenario) async throws {
        let world = try shipped.small()
        let result = try await RunEngine(world: world, replications: 1, jobs: 1).run(progress: RunProgress())
        #expect(Invariants.violations(of: result.total, scenario: result.scenario) == [])

        let again = try await RunEngine(world: world, replications: 1, jobs: 2).run(progress: RunProgress())
        #expect(again.fingerprint == result.fingerprint)
        #expect(again.cells.map(\.measurements) == result.cells.map(\.measurements))
    }
}
