import Foundation
import LiveActivityModel
import ModelChecks
import Quantities
import ScenarioLanguage
import SimulationKernel
import TestSupport
import Testing

@testable import Verification

@Suite("Swarm")
struct SwarmTests {
    /// Gives a swarm a directory of its own.
    private static func withSwarm<Result>(
        _ seeds: Range<UInt64>,
        _ body: (Swarm) async throws -> Result
    ) async throws -> Result {
        let scratch = Scratch()
        return try await body(Swarm(seeds: seeds, directory: scratch.path))
    }

    @Test("Worlds from 100 seeds have no violations", .enabled(if: Loop.isFull), arguments: 0..<10)
    func passes(tenth: UInt64) async throws {
        let seeds = tenth * 10..<tenth * 10 + 10
        try await Self.withSwarm(seeds) { swarm in
            var begun: [UInt64] = []
            let outcome = try await swarm.run { seed, _ in begun.append(seed) }
            #expect(outcome.find == nil)
            #expect(outcome.worlds == 10 && outcome.events > 0 && begun == Array(seeds))
        }
    }

    @Test("A seed has one scenario, another seed another one, and half of them run until everything has ended")
    func scenarios() {
        let scenarios = (UInt64(0)..<200).map(ScenarioSwarm.scenario)
        #expect(scenarios == (UInt64(0)..<200).map(ScenarioSwarm.scenario))
        #expect(Set(scenarios.map(\.seed)).count == 200)
        #expect((70...130).contains(scenarios.count { Invariants.isDrained($0, after: 100) }))
    }

    @Test("At least half of the worlds are also compared in a variant that runs ahead to its end")
    func variantsRunAhead() throws {
        let compared = try (UInt64(0)..<40)
            .count { seed in
                let scenario = ScenarioSwarm.scenario(seed: seed)
                let loaded = try ScenarioReader.read(yaml: ScenarioWriter.resolvedYAML(scenario), named: scenario.name)
                return WorldCheck.verdict(on: loaded).isComparedAhead
            }
        #expect(compared >= 20, "\(compared) of 40")
    }

    // MARK: - Finding violations

    /// A planted violation wherever coalescing and a loss of connections occur together.
    private static func broken(_ world: SwarmWorld) -> [String] {
        let scenario = world.scenario
        let isHit = scenario.sender.coalesce && scenario.faults.contains { $0.kind == .connectionLost }
        return isHit ? ["sums differ: \(scenario.rides.stages.count) and 0"] : []
    }

    @Test("The first world that breaks a rule ends the swarm, with its seed", .enabled(if: Loop.isFull))
    func finds() async throws {
        let worlds = (UInt64(0)..<100).map { SwarmWorld(seed: $0) }
        let hit = try #require(worlds.firstIndex { !Self.broken($0).isEmpty })
        try await Self.withSwarm(0..<100) { swarm in
            let outcome = try await swarm.run({ _, _ in }) { world, _ in
                WorldCheck.Verdict(violations: Self.broken(world), events: 1)
            }
            #expect(outcome.find?.seed == UInt64(hit) && outcome.find?.world == worlds[hit])
            #expect(outcome.worlds == UInt64(hit) + 1 && outcome.events == Int64(hit) + 1)
        }
    }

    @Test("A reduced scenario has the violation and hardly anything else", .enabled(if: Loop.isFull))
    func shrinks() throws {
        let worlds = (UInt64(0)..<100).lazy.map { SwarmWorld(seed: $0) }
        let world = try #require(worlds.first { !Self.broken($0).isEmpty })
        let smaller = Shrinking.smallest(world) { !Self.broken($0).isEmpty }.scenario
        #expect(smaller.rides.stages.count == 1)
        #expect(smaller.sender.coalesce)
        #expect(smaller.faults.map(\.kind) == [.connectionLost])
        #expect(smaller.devices == Scenario.Devices())
        #expect(smaller.apns == Scenario.APNs())
        #expect(smaller.monitor == Scenario.Monitor())
        #expect(smaller.cells == 1)
    }

    @Test("A find is reduced while its kind of violation persists")
    func smaller() async throws {
        var scenario = Scenario()
        scenario.name = "endless"
        scenario.content.refresh = .constant(0)
        scenario.rides.arrivals.process = .even
        let world = SwarmWorld(scenario)
        try await Self.withSwarm(0..<1) { swarm in
            let find = Swarm.Find(seed: 0, violations: ["a cell has more than 1 events"], events: 0, world: world)
            let (smaller, violations) = try #require(swarm.smaller(find))
            #expect(violations == ["a cell has more than 200000 events"])
            #expect(smaller.scenario.content.refresh == .constant(0))
            #expect(swarm.smaller(Swarm.Find(seed: 0, violations: ["a"], events: 0, world: nil)) == nil)
        }
    }

    // MARK: - Large worlds

    @Test("A large world has the size that its seed draws, the same each time", .enabled(if: Loop.isFull))
    func large() throws {
        var sizes: [Int64] = []
        for seed in UInt64(0)..<24 {
            func drawn() throws -> (SwarmWorld, Int, Int64?) {
                var counted: Int64?
                let (world, mostEvents) = try SwarmWorld.drawn(seed: seed, events: 20_000) { world, most in
                    guard world.files.isEmpty else { return nil }
                    let text = ScenarioWriter.resolvedYAML(world.scenario)
                    let loaded = try ScenarioReader.read(yaml: text, named: "world")
                    counted = try WorldCheck.eventCount(of: loaded, mostEvents: most)
                    return counted
                }
                return (world, mostEvents, counted)
            }
            let (first, second) = (try drawn(), try drawn())
            #expect(first == second)
            if let events = first.2 { sizes.append(events) }
        }
        #expect(sizes.contains { $0 > 40_000 } && sizes.contains { $0 < 5000 })
        #expect(sizes.allSatisfy { $0 <= 200_000 })
    }

    @Test(
        "A mutant equals its scenario except for some keys; each shipped scenario has valid mutants",
        .enabled(if: Loop.isFull)
    )
    func mutants() throws {
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../experiments").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".yaml") }
        #expect(names.count >= 20)
        for name in names.sorted() {
            let base = try ScenarioReader.read(file: directory.appending(path: name).path).scenario
            let mutants = (UInt64(0)..<8).map { ScenarioSwarm.mutant(of: base, seed: $0) }
            #expect(mutants == (UInt64(0)..<8).map { ScenarioSwarm.mutant(of: base, seed: $0) })
            #expect(Set(mutants).count == 8)
            for mutant in mutants {
                #expect(mutant == mutant.keepingRules())
                let kept = ScenarioReduction.paths(of: base).filter(ScenarioReduction.paths(of: mutant).contains)
                #expect(kept.count * 2 > ScenarioReduction.paths(of: base).count, "\(name)")
            }
        }
    }

    @Test("Odd seeds have mutants of the given scenarios, in turn")
    func bases() {
        #expect((UInt64(0)..<6).map { Swarm.base(of: $0, among: ["a", "b"]) } == [nil, "a", nil, "b", nil, "a"])
        #expect(Swarm.base(of: 1, among: []) == nil)
    }

    // MARK: - Data

    @Test("Some worlds have valid data files with rows as extreme as allowed", .enabled(if: Loop.isFull))
    func data() throws {
        let scratch = Scratch()
        var (traces, columns) = (0, 0)
        for seed in UInt64(0)..<100 {
            let world = SwarmWorld(seed: seed)
            #expect(world == SwarmWorld(seed: seed))
            guard !world.files.isEmpty else { continue }
            traces += world.files.contains { $0.name.hasSuffix("rides.csv") } ? 1 : 0
            columns += world.files.contains { $0.name.hasSuffix("values.csv") } ? 1 : 0
            let file = scratch.path("\(seed).yaml")
            try world.write(to: file)
            #expect(try SwarmWorld(file: file).scenario == world.scenario)
            #expect(try WorldCheck.verdict(on: ScenarioReader.read(file: file)).violations == [], "seed \(seed)")
        }
        #expect(traces > 4 && columns > 4)
    }

    @Test("Rows of data are omitted as long as a world fails")
    func rows() throws {
        var scenario = Scenario()
        scenario.rides.trace = Scenario.Trace(file: "t.csv")
        let lines = ["header"] + (0..<100).map { "\($0)" }
        let world = SwarmWorld(scenario, files: [.init(name: "t.csv", lines: lines)])
        let smallest = Shrinking.smallest(world) {
            $0.scenario.rides.trace != nil && ($0.files.first?.lines.contains("70") ?? false)
        }
        #expect(smallest.files.map(\.lines) == [["header", "70"]])
    }

    @Test("A scenario whose file is rejected is a failure")
    func refused() throws {
        var scenario = ScenarioSwarm.scenario(seed: 1)
        scenario.sender.attempts = 99
        let violations = WorldCheck.violations(in: scenario)
        #expect(violations.count == 1)
        #expect(violations.first?.contains("sender.attempts") == true)
    }

    @Test("An endless run is aborted and reported")
    func endless() {
        var scenario = Scenario()
        scenario.content.refresh = .constant(0)
        #expect(WorldCheck.violations(in: scenario) == ["a cell has more than 200000 events"])
    }

    @Test("Nothing is certain to have ended while a phone may still be offline")
    func drained() {
        var scenario = Scenario()
        scenario.clock.drain = .hours(14)
        #expect(Invariants.isDrained(scenario, after: 100))
        scenario.devices.connectivity.offline = .exponential(mean: 40e6)
        #expect(Invariants.isDrained(scenario, after: 100))
        // An interval in 200,000 is longer than the remaining drain.
        scenario.devices.connectivity.offline = .lognormal(median: 10e6, p95: 240e6)
        #expect(!Invariants.isDrained(scenario, after: 100))
        scenario.clock.drain = .hours(10_000)
        #expect(Invariants.isDrained(scenario, after: 100))
    }

    @Test("The limit of events is the same for both runs of a cell, so it is not reported as a difference between them")
    func limit() throws {
        let world = SwarmWorld(seed: 1)
        let loaded = try ScenarioReader.read(yaml: ScenarioWriter.resolvedYAML(world.scenario), named: "one")
        try #require(world.files.isEmpty && loaded.scenario.cells == 1 && loaded.scenario.replications.count == 1)
        let all = WorldCheck.verdict(on: loaded)
        let count = Int(all.events)
        #expect(all.violations == [] && count > 100)
        #expect(WorldCheck.verdict(on: loaded, mostEvents: count * 2).violations == [])
        let most = count / 2
        #expect(WorldCheck.verdict(on: loaded, mostEvents: most).violations == ["a cell has more than \(most) events"])
    }
}
