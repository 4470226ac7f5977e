public import LiveActivityModel
import ModelChecks
import Quantities
public import ScenarioLanguage
import SimulationKernel
import Studies

/// Runs a world and checks it against the invariants.
public enum WorldCheck {
    /// The maximum number of events of a cell in a small world, beyond which it is aborted; reduction may lead to a
    /// refresh every microsecond, for example.
    public static let mostEventsOfSmall = 200_000

    /// The result of a world.
    public struct Verdict: Hashable, Sendable {
        /// The violations, one line each; empty if there are none.
        public var violations: [String]
        /// The number of events of its runs, each counted once.
        public var events: Int64
        /// `true` if its variant ran ahead to the end and was compared with the run event by event.
        public var isComparedAhead = false
    }

    /// The violations of a world, which is written to a file and read from there.
    static func verdict(on world: SwarmWorld, at file: String, mostEvents: Int) -> Verdict {
        do {
            try world.write(to: file)
        } catch {
            return Verdict(violations: ["the file of the scenario cannot be written: \(error)"], events: 0)
        }
        return verdict(onFile: file, of: world.scenario, mostEvents: mostEvents)
    }

    /// The violations of the world in a file.
    ///
    /// - Parameter scenario: The scenario that the file was written from; nil if unknown.
    public static func verdict(onFile file: String, of scenario: Scenario? = nil, mostEvents: Int) -> Verdict {
        do {
            let loaded = try ScenarioReader.read(file: file)
            guard scenario == nil || loaded.scenario == scenario else {
                return Verdict(violations: ["the file of the scenario is that of another one"], events: 0)
            }
            return verdict(on: loaded, mostEvents: mostEvents)
        } catch {
            return Verdict(violations: ["the file of the scenario is rejected: \(error)"], events: 0)
        }
    }

    /// The violations of a scenario without data files.
    static func violations(in scenario: Scenario) -> [String] {
        do {
            return verdict(
                on: try ScenarioReader.read(yaml: ScenarioWriter.resolvedYAML(scenario), named: scenario.name)
            )
            .violations
        } catch {
            return ["the file of the scenario is rejected: \(error)"]
        }
    }

    /// The violations of a world in a file: in its file, its repetition, its sums and its histories.
    ///
    /// Each cell is run three times: in order and ahead of time; in reverse order, in pieces, event by event and with the
    /// histories of all its rides; and ahead of time by handlers alone, until it packs its activities.
    ///
    /// - Parameter mostEvents: The maximum number of events of a cell; more is a violation, and the cell is aborted.
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
            verdict.violations = ["the scenario cannot be compiled: \(error)"]
            return verdict
        }
        for replication in 0..<UInt32(scenario.replications.count) {
            let untold = (0..<scenario.cells)
                .compactMap { Outcome(world, cell: $0, replication: replication, .accelerated, mostEvents) }
            verdict.events += untold.reduce(0) { $0 + $1.events }
            guard untold.count == scenario.cells else {
                verdict.violations = ["a cell has more than \(mostEvents) events"]
                return verdict
            }
            for cell in (0..<scenario.cells).reversed() {
                guard let outcome = Outcome(world, cell: cell, replication: replication, .none, mostEvents),
                    let rested = Outcome(world, cell: cell, replication: replication, .handlersOnly, mostEvents)
                else {
                    verdict.violations = ["the second run of a cell has more than \(mostEvents) events"]
                    return verdict
                }
                verdict.violations += differences(
                    between: outcome,
                    and: [("accelerated", untold[cell]), ("packed", rested)],
                    in: world,
                    cell: cell,
                    replication: replication
                )
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
        checkSpeculation(in: world.scenario, mostEvents, &verdict)
        checkRoles(in: world, mostEvents, &verdict)
        return verdict
    }

    /// Adds the differences between the schedules in a variant of the scenario whose cells run ahead.
    private static func checkSpeculation(in scenario: Scenario, _ mostEvents: Int, _ verdict: inout Verdict) {
        var variant = scenario
        variant.allowSpeculation(seed: scenario.seed)
        let world: World
        do {
            world = try ScenarioLoader.world(variant)
        } catch {
            verdict.violations.append("its variant that runs ahead cannot be compiled: \(error)")
            return
        }
        // Without a rate limit a cell may have more events than allowed.
        guard let byEvents = Outcome(world, cell: 0, replication: 0, .none, mostEvents),
            let byHandlers = Outcome(world, cell: 0, replication: 0, .handlersOnly, mostEvents),
            let accelerated = Outcome(world, cell: 0, replication: 0, .accelerated, mostEvents)
        else { return }
        verdict.isComparedAhead = byHandlers.ranAhead && accelerated.ranAhead
        verdict.violations += differences(
            between: byEvents,
            and: [("packed", byHandlers), ("accelerated", accelerated)],
            in: world,
            cell: 0,
            replication: 0
        )
        .map { "in its variant that runs ahead: \($0)" }
    }

    /// Adds the differences that it makes if the rides without a cohort are a cohort, too.
    ///
    /// The scenario's own values then concern no ride, so an event that did not turn to its cohort would show.
    private static func checkRoles(in world: World, _ mostEvents: Int, _ verdict: inout Verdict) {
        guard !world.scenario.cohorts.isEmpty, world.scenario.cohorts.count < Scenario.Cohort.most else { return }
        // A channel belongs to no cohort.
        guard !world.scenario.hasChannels else { return }
        var variant = world.scenario
        // It gets the rides that all others leave.
        var rest = Scenario.Cohort(name: "rest", share: Probability(1))
        rest.sections = Scenario.Cohort.Sections(world.scenario)
        variant.cohorts.append(rest)
        variant.content.ttl = .seconds(1)
        variant.devices.activitiesEnabled = .never
        variant.devices.swipe.share = Probability(1)
        variant.monitor.recoveryWindow = .zero
        for speculation in [Speculation.none, .accelerated] {
            do {
                let divided = try ScenarioLoader.world(variant)
                guard let ours = Outcome(world, cell: 0, replication: 0, speculation, mostEvents),
                    let theirs = Outcome(divided, cell: 0, replication: 0, speculation, mostEvents)
                else { return }
                let isSame = Counter.allCases.allSatisfy { ours.measurements[$0] == theirs.measurements[$0] }
                if ours.fingerprint != theirs.fingerprint || !isSame {
                    verdict.violations.append(
                        "\(speculation): rides have another history if those without a cohort have one"
                    )
                }
            } catch {
                verdict.violations.append("its variant with a cohort for all rides cannot be compiled: \(error)")
            }
        }
    }

    /// The differences between the run of a cell event by event and others.
    private static func differences(
        between outcome: Outcome,
        and others: [(name: String, run: Outcome)],
        in world: World,
        cell: Int,
        replication: UInt32
    ) -> [String] {
        others.flatMap { name, run -> [String] in
            var violations: [String] = []
            if outcome.fingerprint != run.fingerprint {
                violations.append("the \(name) run of a cell has a different history")
            }
            if outcome.measurements != run.measurements {
                violations.append("the \(name) run of a cell has different measurements")
            }
            guard !violations.isEmpty else { return [] }
            let difference = SpeculationCheck.firstDifference(in: world, cell: cell, replication: replication)
            return violations + [difference ?? "the histories by handlers alone are the same"]
        }
    }

    /// The number of events of a world in all its cells and replications; nil if a cell exceeds a limit.
    static func eventCount(of loaded: LoadedScenario, mostEvents: Int) throws(ScenarioError) -> Int64? {
        let world = try ScenarioLoader.world(loaded)
        var events: Int64 = 0
        for replication in 0..<UInt32(loaded.scenario.replications.count) {
            for cell in 0..<loaded.scenario.cells {
                guard let run = Outcome(world, cell: cell, replication: replication, .accelerated, mostEvents) else {
                    return nil
                }
                events += run.events
            }
        }
        return events
    }

    // MARK: - The file

    /// The difference between a scenario and the one that is read from its files; nil if there is none.
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
            return "the file of the scenario is rejected: \(error)"
        }
        return nil
    }

    /// The first line in which the files of two scenarios differ.
    private static func firstDifference(_ text: String, _ other: Scenario) -> String {
        let lines = zip(text.split(separator: "\n"), ScenarioWriter.resolvedYAML(other).split(separator: "\n"))
        return lines.first { $0 != $1 }.map { "\"\($0)\" and \"\($1)\"" } ?? "what it does not state"
    }

    // MARK: - Runs

    /// The result of a cell that was run to its end.
    private struct Outcome {
        let measurements: Measurements
        let fingerprint: Fingerprint
        let inventory: CellSimulation.Inventory
        let events: Int64
        /// `true` if it ran ahead, and needed no restart.
        let ranAhead: Bool
        /// The violations in its histories.
        let violations: [String]

        /// Runs a cell; nil if it has more events than allowed, or if the task is cancelled.
        ///
        /// A run without speculation also records the histories of all rides. A run by handlers alone packs activities.
        init?(_ world: World, cell: Int, replication: UInt32, _ speculation: Speculation, _ mostEvents: Int) {
            var simulation = CellSimulation(
                world: world,
                cell: cell,
                replication: replication,
                watch: speculation == .none ? .all : .none,
                speculation: speculation,
                restLimit: speculation == .handlersOnly ? 16 : .max
            )
            var checker = HistoryChecker(world.scenario)
            let piece = speculation == .none ? 997 : 65_536
            var goesOn = true
            while goesOn {
                goesOn = simulation.run(through: world.horizon, atMost: piece)
                guard simulation.eventCount <= mostEvents, !Task.isCancelled else { return nil }
                checker.take(simulation.takeStory())
            }
            simulation.finish()
            guard !simulation.hasMisspeculated else {
                guard let again = Outcome(world, cell: cell, replication: replication, .none, mostEvents) else {
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
            ranAhead = simulation.speculates
            violations = speculation == .none ? checker.violations(closedBy: measurements) : []
        }
    }
}
