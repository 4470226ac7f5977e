import Experiments
import Foundation
import LiveActivityModel
import ModelChecks
import Quantities
import SimulationKernel
import TestSupport
import Testing

@testable import Verification

@Suite("Swarm")
struct SwarmTests {
    @Test("Worlds from 100 seeds have no violations", .enabled(if: Loop.isFull), arguments: 0..<10)
    func passes(tenth: UInt64) async throws {
        let course = try await Self.search(tenth * 10..<tenth * 10 + 10, jobs: 2) { world in
            WorldCheck.violations(in: world.scenario)
        }
        #expect(course.finds == [])
        #expect(course.current.worlds == 10)
    }

    @Test("A seed has one scenario, another seed another one, and half of them run until everything has ended")
    func scenarios() {
        let scenarios = (UInt64(0)..<200).map(ScenarioSwarm.scenario)
        #expect(scenarios == (UInt64(0)..<200).map(ScenarioSwarm.scenario))
        #expect(Set(scenarios.map(\.seed)).count == 200)
        #expect((70...130).contains(scenarios.count { Invariants.isDrained($0, after: 100) }))
    }

    // MARK: - Finding violations

    /// Judges worlds in this process.
    private final class DirectJudge: WorldJudge {
        private let check: @Sendable (SwarmWorld) -> [String]
        /// `true` if the swarm gets worlds with violations, so that it reduces them.
        private let handsOut: Bool

        init(_ check: @escaping @Sendable (SwarmWorld) -> [String], handsOut: Bool) {
            self.check = check
            self.handsOut = handsOut
        }

        func judge(seed: UInt64) -> WorldAnswer? {
            judge(SwarmWorld(ScenarioSwarm.scenario(seed: seed)), mostEvents: 0)
        }

        func judge(_ world: SwarmWorld, mostEvents: Int) -> WorldAnswer? {
            WorldAnswer(verdict: .init(violations: check(world), events: 1), world: handsOut ? world : nil)
        }

        func stop() {}
    }

    private static func search(
        _ seeds: Range<UInt64>,
        jobs: Int,
        time: TimeSpan? = nil,
        keep directory: String? = nil,
        shrinks: Bool = true,
        check: @escaping @Sendable (SwarmWorld) -> [String]
    ) async throws -> SwarmCourse {
        let settings = Swarm.Settings(
            seeds: seeds,
            time: time,
            directory: directory,
            jobs: jobs,
            patience: .minutes(5),
            worker: [],
            finder: "freshet 0"
        )
        let course = SwarmCourse()
        try await Swarm(settings, judges: { _ in DirectJudge(check, handsOut: shrinks) }).run(course)
        return course
    }

    /// A planted violation wherever coalescing and a loss of connections occur together.
    @Sendable private static func broken(_ world: SwarmWorld) -> [String] {
        let scenario = world.scenario
        let isHit = scenario.sender.coalesce && scenario.faults.contains { $0.kind == .connectionLost }
        return isHit ? ["sums differ: \(scenario.rides.stages.count) and 0"] : []
    }

    @Test("Violations are found by any number of jobs, and do not stop the swarm", .enabled(if: Loop.isFull))
    func finds() async throws {
        let seeds = UInt64(0)..<100
        let one = try await Self.search(seeds, jobs: 1, shrinks: false, check: Self.broken)
        let four = try await Self.search(seeds, jobs: 4, shrinks: false, check: Self.broken)
        #expect(one.finds == four.finds)
        let hit = seeds.filter { !Self.broken(SwarmWorld(ScenarioSwarm.scenario(seed: $0))).isEmpty }
        #expect(one.finds.map(\.seed) == [try #require(hit.first)])
        #expect(one.current.failures == hit.count)
        #expect(one.current.seeds == seeds && one.current.worlds == 100)
    }

    @Test("A reduced scenario has the violation and hardly anything else; it is stored", .enabled(if: Loop.isFull))
    func shrinks() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let course = try await Self.search(0..<100, jobs: 2, keep: directory, check: Self.broken)
        let find = try #require(course.finds.first)
        #expect(find.smallerViolations == ["sums differ: 1 and 0"])
        let smaller = try #require(find.smaller).scenario
        #expect(smaller.sender.coalesce)
        #expect(smaller.faults.map(\.kind) == [.connectionLost])
        #expect(smaller.devices == Scenario.Devices())
        #expect(smaller.apns == Scenario.APNs())
        #expect(smaller.monitor == Scenario.Monitor())
        #expect(smaller.cells == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["swarm-\(find.seed).yaml"])
        let file = try #require(find.file)
        #expect(try SwarmWorld(file: file) == find.smaller)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.hasPrefix("# Found by freshet 0, seed \(find.seed): freshet verify --swarm 1 --swarm-seed "))
        #expect(text.contains("\n#   sums differ: 1 and 0\n"))
    }

    @Test("Once the time is over no further world is begun")
    func time() async throws {
        let course = try await Self.search(7..<UInt64.max, jobs: 2, time: .milliseconds(50)) { _ in [] }
        let done = course.current
        #expect(done.seeds == 7..<7 + UInt64(done.worlds))
    }

    // MARK: - Large worlds

    @Test("A large world has the size that its seed draws, the same each time", .enabled(if: Loop.isFull))
    func large() throws {
        var sizes: [Int64] = []
        for seed in UInt64(0)..<24 {
            func drawn() throws -> (SwarmWorld, Int, Int64?) {
                var noted: SwarmWorld?
                var counted: Int64?
                let (world, mostEvents) = try SwarmWorld.drawn(seed: seed, events: 20_000) {
                    noted = $0
                } count: { most in
                    guard let world = noted, world.files.isEmpty else { return nil }
                    let text = ScenarioWriter.resolvedYAML(world.scenario)
                    let loaded = try ScenarioReader.read(yaml: text, named: "world")
                    counted = try WorldCheck.eventCount(of: loaded, mostEvents: most)
                    return counted
                }
                #expect(noted == world)
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

    @Test("The command for a seed names the scenarios if the seed has a mutant")
    func command() {
        func command(seed: UInt64, _ bases: [String]) -> String {
            Swarm.Find(seed: seed, violations: []).command(events: nil, bases: bases)
        }
        #expect(command(seed: 3, ["a", "b"]).hasSuffix(" --swarm-seed 3 --swarm-from a --swarm-from b"))
        #expect(command(seed: 2, ["a"]).hasSuffix(" --swarm-seed 2"))
        #expect(SwarmWorker.base(of: 3, among: ["a", "b"]) == "b")
    }

    // MARK: - Data

    @Test("Some worlds have valid data files with rows as extreme as allowed", .enabled(if: Loop.isFull))
    func data() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "data-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var (traces, columns) = (0, 0)
        for seed in UInt64(0)..<100 {
            let world = SwarmWorld(seed: seed)
            #expect(world == SwarmWorld(seed: seed))
            guard !world.files.isEmpty else { continue }
            traces += world.files.contains { $0.name.hasSuffix("rides.csv") } ? 1 : 0
            columns += world.files.contains { $0.name.hasSuffix("values.csv") } ? 1 : 0
            let file = directory.appending(path: "\(seed).yaml").path
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
