public import Evaluation
import InputFiles
import LiveActivityModel
public import ScenarioLanguage
public import Statistics
import TextFormats

/// The search for the best design point, which runs replications where they decide most until the choice is certain.
///
/// All points see the same worlds (common random numbers), which makes their differences small and the search fast.
public struct Tuning: Sendable {
    /// The design to search.
    public let sweep: Sweep
    /// The goal of the search.
    public let goal: Goal
    /// The goal in numbers.
    public let problem: SelectionProblem
    /// The objective, evaluated in each replication.
    public let objective: ResolvedObjective
    /// The response of each constraint, also evaluated in each replication.
    public let limits: [ResolvedResponse]
    /// The ride time without a card, for each constraint that it bounds; nil for the others.
    private let withoutCard: [ResolvedResponse?]
    /// ``causesWithoutCard``, as far as the scenario has them.
    private let causes: [ResolvedResponse?]

    /// The measurements of why rides have no card: the ride time with the card of an ended activity, the rides that never
    /// had one, and the activities that ended for another reason than the end of the ride.
    ///
    /// No metric divides the time itself.
    public static let causesWithoutCard =
        [Response(metric: "ride_ended_card_time_ratio"), Response(metric: "rides_without_activity_count")]
        + [
            "no_token", "token_not_posted", "no_update", "content_expired", "severe", "swiped", "system_limit",
        ]
        .map { Response(metric: "activities_ended_count", scope: "reason:\($0)") }

    /// Creates a search.
    ///
    /// - Parameter options: The options for parts of the goal, by their keys in `factors.goal`. Errors about a missing
    ///   key name its option.
    /// - Throws: ``ScenarioError`` if the goal is invalid, with its location in the file or its option.
    public init(_ sweep: Sweep, goal: Goal, options: [String: GoalOption] = [:]) throws(ScenarioError) {
        self.sweep = sweep
        self.goal = goal
        guard sweep.points.count <= Tuning.mostPoints else {
            let message =
                "make \(sweep.points.count) design points; a search compares at most \(Tuning.mostPoints), pair by pair"
            throw .invalid([sweep.diagnostic(at: "factors", message)])
        }
        do throws(GoalErrors) {
            (problem, objective, limits) = try goal.problem(
                systems: sweep.points.count,
                of: sweep.factors,
                in: sweep.experiment.scenario
            )
            try goal.requireOneBasis(for: objective, limits: limits, of: sweep.factors)
        } catch {
            throw .invalid(
                error.all.map { error in
                    let option = error.part.flatMap { options[$0.rawValue] }
                    let missing = error.missing.flatMap { options[$0.rawValue] }
                    guard let option, option.isGiven else { return sweep.diagnostic(at: error.path, error.description) }
                    let advice = missing.map { ": set it with \($0.name)" } ?? ""
                    return Diagnostic(file: option.name, message: error.description + advice)
                }
            )
        }
        let scenario = sweep.experiment.scenario
        withoutCard = limits.map { Self.withoutCard(bounding: $0.response, in: scenario) }
        causes =
            withoutCard.allSatisfy { $0 == nil } ? [] : Self.causesWithoutCard.map { try? $0.resolve(in: scenario) }
    }

    /// Returns the ride time without a card over the same window, if a response covers only the rest; otherwise nil.
    private static func withoutCard(bounding response: Response, in scenario: Scenario) -> ResolvedResponse? {
        let coverages = ["ride_fresh_coverage_ratio", "ride_stage_coverage_ratio"]
        guard coverages.contains(response.metric), response.scope == "all", response.statistic == "ratio" else {
            return nil
        }
        // The worst window of one is not the worst window of the other.
        if case .worst = response.window { return nil }
        let bound = Response(metric: "ride_no_card_time_ratio", window: response.window)
        guard let resolved = try? bound.resolve(in: scenario), resolved.stretch == nil else { return nil }
        return resolved
    }

    /// An option that replaces a part of the file's goal.
    public struct GoalOption: Sendable {
        /// The option as typed, with its dashes.
        public let name: String
        /// `true` if the option was given.
        public let isGiven: Bool

        /// Creates an option.
        public init(_ name: String, isGiven: Bool) {
            self.name = name
            self.isGiven = isGiven
        }
    }

    /// The file with the goal of the search, from the file or from options.
    public var experiment: Experiment {
        var experiment = sweep.experiment
        experiment.factors?.goal = goal
        return experiment
    }

    /// The largest number of points.
    ///
    /// Every pair of points is kept in memory.
    private static let mostPoints = 2000

    /// Runs replications until the choice is certain or the budget is spent.
    ///
    /// - Parameters:
    ///   - store: The store of results, which is searched first.
    ///   - jobs: The number of replications that run at the same time.
    ///   - report: Called with the numbers of replications run and of points left.
    /// - Throws: `CancellationError`, `TaskStore.WriteError`, `ScenarioError`, ``UndefinedResponse``.
    public func run(
        store: TaskStore,
        jobs: Int,
        report: @escaping @Sendable (_ replications: Int, _ survivors: Int) -> Void
    ) async throws -> TuningResult {
        let engine = SweepEngine(sweep: sweep, store: store, jobs: jobs)
        let search = Search(
            procedure: KNProcedure(problem),
            worlds: ReadyWorlds(sweep: sweep, keepsAll: true),
            systems: sweep.points.count
        )
        try store.prepare()
        while let runs = search.next {
            let tasks = runs.map { run in
                let point = sweep.points[run.system]
                return RunTask(point, replication: run.replication, cells: 0..<point.cells, keepsCells: false)
            }
            try await engine.run(tasks, worlds: search.worlds, progress: RunProgress())
            try record(runs, tasks, from: store, in: search)
            report(search.procedure.outcome.runs, search.procedure.outcome.survivors.count)
        }
        let outcome = search.procedure.outcome
        let beside = try await runPresent(as: outcome, engine, search.worlds)
        return TuningResult(tuning: self, outcome: outcome, samples: search.samples, beside: beside)
    }

    /// Runs the present settings, if they are no design point, as often as the point that was selected or leads.
    ///
    /// - Returns: The samples; empty if the present settings are a design point, or none are defined.
    private func runPresent(
        as outcome: SelectionOutcome,
        _ engine: SweepEngine,
        _ worlds: ReadyWorlds
    ) async throws -> [TuningResult.Sample] {
        guard let present = sweep.presentBeside else { return [] }
        let count =
            switch outcome.decision {
            case .selected(let best), .notSure(let best): outcome.systems[best].replications
            case .noneFeasible: problem.initialReplications
            }
        let tasks = (0..<count)
            .map { RunTask(present, replication: $0, cells: 0..<present.cells, keepsCells: false) }
        try await engine.run(tasks, worlds: worlds, progress: RunProgress())
        return try tasks.map { try sample(of: $0, at: present, engine.store, worlds) }
    }

    /// The state of the search.
    ///
    /// It is a class because Swift 6.3 crashes if a value of this size is carried across a suspension.
    private final class Search {
        var procedure: KNProcedure
        let worlds: ReadyWorlds
        var samples: [[TuningResult.Sample]]

        init(procedure: KNProcedure, worlds: ReadyWorlds, systems: Int) {
            self.procedure = procedure
            self.worlds = worlds
            samples = [[TuningResult.Sample]](repeating: [], count: systems)
        }

        /// The replications to run next; nil at the end.
        ///
        /// The number per point is a quarter of the average so far, which keeps rounds few. It depends on counts only,
        /// not on the number of threads.
        var next: [KNProcedure.Run]? {
            let ahead = max(8, procedure.outcome.runs / (4 * max(1, procedure.outcome.survivors.count)))
            guard case .run(let runs) = procedure.next(lookahead: ahead) else { return nil }
            return runs
        }
    }

    private func record(
        _ runs: [KNProcedure.Run],
        _ tasks: [RunTask],
        from store: TaskStore,
        in search: Search
    ) throws {
        for (run, task) in zip(runs, tasks) {
            let sample = try sample(of: task, at: sweep.points[run.system], store, search.worlds)
            let (values, terms) = (sample.values, sample.terms)
            if let undefined = values.firstIndex(where: { !$0.isFinite }) {
                let term = terms.firstIndex { !$0.isFinite } ?? 0
                let text = undefined == 0 ? objective.terms[term].text : limits[undefined - 1].text
                throw UndefinedResponse(
                    description:
                        "\(text) is undefined in replication \(run.replication) of design point "
                        + "\(sweep.points[run.system].number): nothing happened that it could measure; choose another response or a "
                        + "longer run"
                )
            }
            search.procedure.record(run, responses: values)
            search.samples[run.system].append(sample)
        }
    }

    /// The error of a replication that has no value for a design point.
    struct UndefinedResponse: UserError {
        /// The response, the point and the remedy.
        let description: String
        var failure: FailureKind { .badData }
    }

    /// Returns the responses of a replication that was run.
    private func sample(
        of task: RunTask,
        at point: DesignPoint,
        _ store: TaskStore,
        _ worlds: ReadyWorlds
    ) throws -> TuningResult.Sample {
        let world = try worlds.world(ofPoint: task.point)
        guard let part = store.result(of: task, in: world) else {
            throw SweepResult.MissingTasks(numbers: [0], of: 1, first: task)
        }
        var results = ReplicationResults()
        results.append([part])
        let result = RunResult(scenario: world.scenario, results)
        let terms = objective.contributions(of: point, in: result)
        return TuningResult.Sample(
            replication: task.replication,
            values: [terms.reduce(0, +)] + limits.map { $0.value(in: result) ?? .nan },
            terms: terms,
            volume: PushVolume(result.total, replications: 1),
            withoutCard: withoutCard.map { $0?.value(in: result) },
            causesWithoutCard: causes.map { $0?.value(in: result) ?? 0 }
        )
    }
}
