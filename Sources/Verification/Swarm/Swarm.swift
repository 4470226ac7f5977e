import Experiments
public import LiveActivityModel
import Quantities
import SimulationKernel

/// Swarm testing: many small scenarios, each run and held against what must be true of any.
public struct Swarm: Sendable {
    /// The scenario of each seed.
    let generate: @Sendable (UInt64) -> Scenario
    /// What is wrong about a scenario.
    let check: @Sendable (Scenario) -> [String]

    /// A scenario in which something is wrong.
    public struct Failure: Hashable, Sendable {
        /// The seed it was drawn from.
        public let seed: UInt64
        /// What is wrong, a line each.
        public let violations: [String]
    }

    /// How many seeds are done before it is asked whether to go on; fixed, so that jobs do not show in what is found.
    private static let blockSize: UInt64 = 64

    /// Runs the scenarios of consecutive seeds, up to the first block of 64 with a failure.
    ///
    /// - Parameters:
    ///   - jobs: How many scenarios to run at the same time. It never shows in what is found.
    ///   - begin: Is told of each seed before its scenario is run; a crash is that of the last ones told of.
    /// - Returns: The failures in the order of their seeds.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func run(
        seeds: Range<UInt64>,
        jobs: Int,
        begin: @escaping @Sendable (_ seed: UInt64) -> Void
    ) async throws -> [Failure] {
        for first in stride(from: seeds.lowerBound, to: seeds.upperBound, by: Int(Self.blockSize)) {
            let block = first..<min(first + Self.blockSize, seeds.upperBound)
            let violations = try await concurrently(block.count, jobs: jobs) { index in
                await Task.yield()
                let seed = first + UInt64(index)
                begin(seed)
                return check(generate(seed))
            }
            let failures = zip(block, violations).filter { !$1.isEmpty }.map { Failure(seed: $0, violations: $1) }
            if !failures.isEmpty { return failures }
        }
        return []
    }

    /// Makes the scenario of a failure smaller, and tells what is then wrong.
    ///
    /// The first of its violations stays; others may go.
    public func smaller(_ failure: Failure) -> (scenario: Scenario, violations: [String]) {
        let kind = failure.violations.first.map(Shrinking.kind)
        let smallest = Shrinking.smallest(generate(failure.seed)) { candidate in
            check(candidate).contains { Shrinking.kind(of: $0) == kind }
        }
        return (smallest, check(smallest))
    }

    // MARK: - One scenario

    /// A run with more events is broken off: a refresh each microsecond, say, to which a smaller file may lead.
    private static let mostEvents = 200_000

    /// What is wrong about a scenario: with its file, with its repetition, with its sums, with its stories.
    ///
    /// Each cell is run twice: in order and untold, then in the opposite order, piece by piece and with the stories of all
    /// its rides.
    public static func violations(in scenario: Scenario) -> [String] {
        let text = ScenarioWriter.resolvedYAML(scenario)
        let world: World
        do {
            let read = try ScenarioReader.read(yaml: text, named: scenario.name).scenario
            guard read == scenario else {
                return ["the file of the scenario is that of another one, as of \(firstDifference(text, read))"]
            }
            let changed = try ScenarioReader.read(yaml: ScenarioWriter.changes(scenario), named: scenario.name).scenario
            guard changed == scenario else {
                return ["the changes of the scenario are those of another one, as of \(firstDifference(text, changed))"]
            }
            world = try ScenarioLoader.world(read)
        } catch {
            return ["the file of the scenario is refused: \(error)"]
        }
        var found: [String] = []
        for replication in 0..<UInt32(scenario.replications.count) {
            let untold = (0..<scenario.cells)
                .compactMap { Outcome(world, cell: $0, replication: replication, watch: .none) }
            guard untold.count == scenario.cells else { return ["a cell has more than \(mostEvents) events"] }
            for cell in (0..<scenario.cells).reversed() {
                guard let outcome = Outcome(world, cell: cell, replication: replication, watch: .all) else {
                    return ["the second run of a cell has more than \(mostEvents) events"]
                }
                if outcome.fingerprint != untold[cell].fingerprint {
                    found.append("the second run of a cell is another history")
                }
                if outcome.measurements != untold[cell].measurements {
                    found.append("the second run of a cell measures something else")
                }
                found += Invariants.violations(of: outcome.measurements, scenario: scenario, left: outcome.inventory)
                found += HistoryChecker.violations(of: outcome.stories, run: outcome.measurements, scenario: scenario)
            }
            var total = untold[0].measurements
            for other in untold.dropFirst() {
                total.add(other.measurements)
            }
            found += Invariants.violations(of: total, scenario: scenario)
        }
        return found
    }

    /// The first line in which the files of two scenarios differ.
    private static func firstDifference(_ text: String, _ other: Scenario) -> String {
        let lines = zip(text.split(separator: "\n"), ScenarioWriter.resolvedYAML(other).split(separator: "\n"))
        return lines.first { $0 != $1 }.map { "\"\($0)\" and \"\($1)\"" } ?? "what it does not state"
    }

    /// What is left of a cell that was run to its end.
    private struct Outcome {
        let measurements: Measurements
        let fingerprint: Fingerprint
        let inventory: CellSimulation.Inventory
        let stories: [StoryLine]

        /// Runs a cell; nil where that takes too long.
        init?(_ world: World, cell: Int, replication: UInt32, watch: Watch) {
            var simulation = CellSimulation(world: world, cell: cell, replication: replication, watch: watch)
            let piece = watch == .none ? 65_536 : 997
            var steps = 0
            while simulation.run(through: world.horizon, atMost: piece) {
                steps += piece
                guard steps < Swarm.mostEvents else { return nil }
            }
            simulation.finish()
            measurements = simulation.measurements
            fingerprint = simulation.fingerprint
            inventory = simulation.inventory
            stories = simulation.story
        }
    }
}

extension Swarm {
    /// The product's scenarios and checks.
    public init() { self.init(generate: ScenarioSwarm.scenario, check: Swarm.violations) }
}
