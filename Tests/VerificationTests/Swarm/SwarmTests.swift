import Experiments
import LiveActivityModel
import Quantities
import SimulationKernel
import TestSupport
import Testing

@testable import Verification

@Suite("Swarm")
struct SwarmTests {
    @Test("Nothing is wrong with scenarios from 100 seeds", .enabled(if: Loop.isFull), arguments: 0..<10)
    func passes(tenth: UInt64) async throws {
        let failures = try await Swarm().run(seeds: tenth * 10..<tenth * 10 + 10, jobs: 2) { _ in }
        #expect(failures == [])
    }

    @Test("A seed has one scenario, another seed another one, and half of them run until all has ended")
    func scenarios() {
        let scenarios = (UInt64(0)..<200).map(ScenarioSwarm.scenario)
        #expect(scenarios == (UInt64(0)..<200).map(ScenarioSwarm.scenario))
        #expect(Set(scenarios.map(\.seed)).count == 200)
        #expect((70...130).contains(scenarios.count(where: Invariants.isDrained)))
    }

    // MARK: - What is wrong is found

    /// A model in which something is wrong wherever coalescing and a loss of connections meet.
    private static let broken = Swarm(
        generate: ScenarioSwarm.scenario,
        check: { scenario in
            let isHit = scenario.sender.coalesce && scenario.faults.contains { $0.kind == .connectionLost }
            return isHit ? ["sums differ: \(scenario.rides.stages.count) and 0"] : []
        }
    )

    @Test("What is wrong is found, by any number of jobs, and stops the swarm after the block of its seed")
    func finds() async throws {
        let seeds = UInt64(0)..<1000
        let one = try await Self.broken.run(seeds: seeds, jobs: 1) { #expect($0 < 128) }
        let four = try await Self.broken.run(seeds: seeds, jobs: 4) { _ in }
        #expect(one == four)
        let hit = seeds.filter { seed in
            let scenario = ScenarioSwarm.scenario(seed: seed)
            return scenario.sender.coalesce && scenario.faults.contains { $0.kind == .connectionLost }
        }
        #expect(one.map(\.seed) == hit.filter { $0 / 64 == hit[0] / 64 })
    }

    @Test("A smaller scenario holds what is wrong and hardly anything else", .enabled(if: Loop.isFull))
    func shrinks() async throws {
        let failures = try await Self.broken.run(seeds: 0..<1000, jobs: 2) { _ in }
        let smaller = Self.broken.smaller(try #require(failures.first))
        #expect(smaller.violations == ["sums differ: 1 and 0"])
        #expect(smaller.scenario.sender.coalesce)
        #expect(smaller.scenario.faults.map(\.kind) == [.connectionLost])
        #expect(smaller.scenario.devices == Scenario.Devices())
        #expect(smaller.scenario.apns == Scenario.APNs())
        #expect(smaller.scenario.monitor == Scenario.Monitor())
        #expect(smaller.scenario.cells == 1)
    }

    @Test("A scenario whose file is refused is a failure")
    func refused() throws {
        var scenario = ScenarioSwarm.scenario(seed: 1)
        scenario.sender.attempts = 99
        let violations = Swarm.violations(in: scenario)
        #expect(violations.count == 1)
        #expect(violations.first?.contains("sender.attempts") == true)
    }

    @Test("A run without end is broken off and told of")
    func endless() {
        var scenario = Scenario()
        scenario.content.refresh = .constant(0)
        #expect(Swarm.violations(in: scenario) == ["a cell has more than 200000 events"])
    }
}
