public import Experiments
import LiveActivityModel
import SimulationKernel

/// Runs a world and holds it against what must be true of any.
public enum WorldCheck {
    /// A cell of a small world with more events is broken off: a refresh each microsecond, say, to which a smaller file may lead.
    public static let mostEventsOfSmall = 200_000

    /// What came of a world.
    public struct Verdict: Hashable, Sendable {
        /// What is wrong, a line each; empty when all is well.
        public var violations: [String]
        /// How many events its runs had, each counted once.
        public var events: Int64
    }

    /// What is wrong about a scenario without data files.
    static func violations(in scenario: Scenario) -> [String] {
        do {
            return verdict(
                on: try ScenarioReader.read(yaml: ScenarioWriter.resolvedYAML(scenario), named: scenario.name)
            )
            .violations
        } catch {
            return ["the file of the scenario is refused: \(error)"]
        }
    }

    /// What is wrong about a world in a file: with its file, with its repetition, with its sums, with its stories.
    ///
    /// Each cell is run three times: in order and optimistic; in the opposite order, piece by piece and event by event, with
    /// the stories of all its rides; and with activities at rest.
    ///
    /// - Parameter mostEvents: A cell with more is broken off, which is a violation.
    public static func verdict(on loaded: LoadedScenario, mostEvents: Int = mostEventsOfSmall) -> Verdict {
        var verdict = Verdict(violations: [], events: 0)
        let scenario = loaded.scenario
        if let difference = difference(in: scenario) {
            verdict.violations = [difference]
            return verdict
        }
        let world: World
        do {
            world = try ScenarioLoader.world(loaded)
        } catch {
            verdict.violations = ["the scenario makes no world: \(error)"]
            return verdict
        }
        for replication in 0..<UInt32(scenario.replications.count) {
            let untold = (0..<scenario.cells)
                .compactMap { Outcome(world, cell: $0, replication: replication, .optimistic, mostEvents) }
            verdict.events += untold.reduce(0) { $0 + $1.events }
            guard untold.count == scenario.cells else {
                verdict.violations = ["a cell has more than \(mostEvents) events"]
                return verdict
            }
            for cell in (0..<scenario.cells).reversed() {
                guard let outcome = Outcome(world, cell: cell, replication: replication, .none, mostEvents),
                    let rested = Outcome(world, cell: cell, replication: replication, .certain, mostEvents)
                else {
                    verdict.violations = ["the second run of a cell has more than \(mostEvents) events"]
                    return verdict
                }
                for (name, run) in [("optimistic", untold[cell]), ("rested", rested)] {
                    if outcome.fingerprint != run.fingerprint {
                        verdict.violations.append("the \(name) run of a cell is another history")
                    }
                    if outcome.measurements != run.measurements {
                        verdict.violations.append("the \(name) run of a cell measures something else")
                    }
                }
                verdict.violations += Invariants.violations(
                    of: outcome.measurements,
                    scenario: world.scenario,
                    left: outcome.inventory
                )
                verdict.violations += outcome.violations
            }
            var total = untold[0].measurements
            for other in untold.dropFirst() {
                total.add(other.measurements)
            }
            verdict.violations += Invariants.violations(of: total, scenario: world.scenario)
        }
        return verdict
    }

    /// How many events a world has in all its cells and replications; nil where a cell has more than some number.
    static func eventCount(of loaded: LoadedScenario, mostEvents: Int) throws(ScenarioError) -> Int64? {
        let world = try ScenarioLoader.world(loaded)
        var events: Int64 = 0
        for replication in 0..<UInt32(loaded.scenario.replications.count) {
            for cell in 0..<loaded.scenario.cells {
                guard let run = Outcome(world, cell: cell, replication: replication, .optimistic, mostEvents) else {
                    return nil
                }
                events += run.events
            }
        }
        return events
    }

    // MARK: - The file

    /// How a scenario differs from what its files are read as; nil where it does not.
    private static func difference(in scenario: Scenario) -> String? {
        let text = ScenarioWriter.resolvedYAML(scenario)
        do {
            let read = try ScenarioReader.read(yaml: text, named: scenario.name).scenario
            guard read == scenario else {
                return "the file of the scenario is that of another one, as of \(firstDifference(text, read))"
            }
            let changed = try ScenarioReader.read(yaml: ScenarioWriter.changes(scenario), named: scenario.name).scenario
            guard changed == scenario else {
                return "the changes of the scenario are those of another one, as of \(firstDifference(text, changed))"
            }
        } catch {
            return "the file of the scenario is refused: \(error)"
        }
        return nil
    }

    /// The first line in which the files of two scenarios differ.
    private static func firstDifference(_ text: String, _ other: Scenario) -> String {
        let lines = zip(text.split(separator: "\n"), ScenarioWriter.resolvedYAML(other).split(separator: "\n"))
        return lines.first { $0 != $1 }.map { "\"\($0)\" and \"\($1)\"" } ?? "what it does not state"
    }

    // MARK: - Runs

    /// What is left of a cell that was run to its end.
    private struct Outcome {
        let measurements: Measurements
        let fingerprint: Fingerprint
        let inventory: CellSimulation.Inventory
        let events: Int64
        /// What is wrong with the stories that were told.
        let violations: [String]

        /// Runs a cell; nil where it has more events than allowed.
        ///
        /// A run without speculation also records the stories of all rides. A run without optimism puts activities to rest.
        init?(_ world: World, cell: Int, replication: UInt32, _ speculation: Speculation, _ mostEvents: Int) {
            var simulation = CellSimulation(
                world: world,
                cell: cell,
                replication: replication,
                watch: speculation == .none ? .all : .none,
                speculation: speculation,
                restLimit: speculation == .certain ? 16 : .max
            )
            var checker = HistoryChecker(world.scenario)
            let piece = speculation == .none ? 997 : 65_536
            var goesOn = true
            while goesOn {
                goesOn = simulation.run(through: world.horizon, atMost: piece)
                guard simulation.eventCount <= mostEvents else { return nil }
                checker.take(simulation.takeStory())
            }
            simulation.finish()
            guard !simulation.hasErred else {
                guard let again = Outcome(world, cell: cell, replication: replication, .certain, mostEvents) else {
                    return nil
                }
                self = again
                return
            }
            checker.take(simulation.takeStory())
            measurements = simulation.measurements
            fingerprint = simulation.fingerprint
            inventory = simulation.inventory
            events = Int64(simulation.eventCount)
            violations = speculation == .none ? checker.violations(closedBy: measurements) : []
        }
    }
}
