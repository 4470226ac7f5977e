import LiveActivityModel
public import Statistics

/// The search for the best design point: replications are run where they tell most, until the choice is sure.
///
/// All points see the same worlds (common random numbers), which makes their differences small and the choice quick.
public struct Tuning: Sendable {
    /// The design whose best point is looked for.
    public let sweep: Sweep
    /// What the best point is.
    public let goal: Goal
    /// The same in numbers.
    public let problem: SelectionProblem
    /// What is read off each replication and optimised.
    public let objective: ResolvedObjective
    /// What else is read off each replication: the response of each constraint.
    public let limits: [ResolvedResponse]

    /// A search.
    ///
    /// - Parameter options: Which options gave parts of the goal, by their keys in `factors.goal`; those that could give it are
    ///   named by advice on a missing key.
    /// - Throws: What is wrong with the goal, at its place in the file, or at the option that it came from.
    public init(_ sweep: Sweep, goal: Goal, options: [String: GoalOption] = [:]) throws(ScenarioError) {
        self.sweep = sweep
        self.goal = goal
        guard sweep.points.count <= Tuning.mostPoints else {
            let message =
                "make \(sweep.points.count) design points; a search compares at most \(Tuning.mostPoints), each with each"
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
                    let advice = missing.map { ": give it by \($0.name)" } ?? ""
                    return Diagnostic(file: option.name, message: error.description + advice)
                }
            )
        }
    }

    /// An option that gives a part of the goal in place of the file.
    public struct GoalOption: Sendable {
        /// The option as it is typed, with its dashes.
        public let name: String
        /// Whether it was.
        public let isGiven: Bool

        /// An option.
        public init(_ name: String, isGiven: Bool) {
            self.name = name
            self.isGiven = isGiven
        }
    }

    /// The file with the goal that was looked for, from the file or from an option.
    public var experiment: Experiment {
        var experiment = sweep.experiment
        experiment.factors?.goal = goal
        return experiment
    }

    /// Every pair of points is kept in mind.
    private static let mostPoints = 2000

    /// Runs replications until the choice is sure, or the budget is spent.
    ///
    /// - Parameters:
    ///   - store: Where results are kept, and looked for first.
    ///   - jobs: How many replications run at the same time.
    ///   - report: Is told how many replications have been run, and how many points are left.
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
        return TuningResult(tuning: self, outcome: search.procedure.outcome, samples: search.samples)
    }

    /// How far the search has come.
    ///
    /// A class: Swift 6.3 crashes where as much state is carried as a value across a suspension.
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
        /// A quarter more of each point than there are on average, so that rounds become few. How many follows from
        /// counting alone: how many threads there are cannot show.
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
            let (values, terms) = try values(of: task, at: sweep.points[run.system], store, search.worlds)
            if let undefined = values.firstIndex(where: { !$0.isFinite }) {
                let term = terms.firstIndex { !$0.isFinite } ?? 0
                let text = undefined == 0 ? objective.terms[term].text : limits[undefined - 1].text
                throw UndefinedResponse(
                    description:
                        "\(text) is undefined in replication \(run.replication) of design point "
                        + "\(sweep.points[run.system].number): nothing happened of which it is a part; choose another response, or a "
                        + "longer run"
                )
            }
            search.procedure.record(run, responses: values)
            search.samples[run.system].append(.init(replication: run.replication, values: values, terms: terms))
        }
    }

    /// Why a replication says nothing about a design point.
    public struct UndefinedResponse: Error, CustomStringConvertible {
        /// Which response, of which point, and what to do.
        public let description: String
    }

    /// The objective with each constraint's response, and what the terms of the objective contribute.
    private func values(
        of task: RunTask,
        at point: DesignPoint,
        _ store: TaskStore,
        _ worlds: ReadyWorlds
    ) throws -> (values: [Double], terms: [Double]) {
        let world = try worlds.world(ofPoint: task.point)
        guard let part = store.result(of: task, in: world) else {
            throw SweepResult.MissingTasks(numbers: [0], of: 1, first: task)
        }
        var results = ReplicationResults()
        results.append([part])
        let result = RunResult(scenario: world.scenario, results)
        let terms = objective.contributions(of: point, in: result)
        return ([terms.reduce(0, +)] + limits.map { $0.value(in: result) ?? .nan }, terms)
    }
}

/// What a search has come to.
public struct TuningResult: Sendable {
    /// What was looked for.
    public let tuning: Tuning
    /// The choice, and how sure it is.
    public let outcome: SelectionOutcome
    /// For each point what its replications gave, in the order in which they were run; also of replications in vain.
    public let samples: [[Sample]]

    /// Whether a point never differed from another in the objective, in any replication that both have.
    ///
    /// The procedure then settles the pair at once, in favour of the first; but a rare event that was not seen yet may still
    /// make a difference.
    public func neverDiffered(_ system: Int, from other: Int) -> Bool {
        // What is known without a run is the same for good.
        guard !tuning.objective.isExact else { return false }
        // Both have been run from replication 0 on.
        return zip(samples[system], samples[other]).allSatisfy { $0.values[0] == $1.values[0] }
    }

    /// That the best point is not told from the one that changes nothing.
    public struct PresentTie: Hashable, Sendable {
        /// The point that changes nothing.
        public let present: DesignPoint
        /// Another that is better than it beyond chance; nil where none is.
        public let better: DesignPoint?
    }

    /// The point that changes nothing, where it may be chosen, too, and the best point is another that is not told from it.
    ///
    /// Chance explains their difference then, pair by pair on the same worlds. A point that leads by much may
    /// vary by more, so all others that keep to the limits are asked, too: at 95 % for all of them together (Bonferroni).
    public var presentTie: PresentTie? {
        guard let best, let present = tuning.sweep.presentPoint, let leader = tuning.sweep.points.firstIndex(of: best),
            leader != present
        else { return nil }
        guard !breaksLimits(present) else { return nil }
        func gain(of system: Int, level: Double) -> MeanDifference? {
            // Both have been run from replication 0 on.
            difference(
                Array(zip(used(of: present), used(of: system))),
                level: level,
                in: tuning.sweep.experiment.scenario
            )
        }
        guard let lead = gain(of: leader, level: 0.95), !lead.isBeyondChance else { return nil }
        let others = outcome.systems.indices.filter { $0 != present && $0 != leader && !breaksLimits($0) }
        let level = 1 - 0.05 / Double(max(1, others.count))
        let better = others.first { system in
            guard let gain = gain(of: system, level: level), gain.isBeyondChance else { return false }
            return tuning.problem.direction == .maximise ? gain.mean > 0 : gain.mean < 0
        }
        let points = tuning.sweep.points
        return PresentTie(present: points[present], better: better.map { points[$0] })
    }

    /// The points that the chosen one leads by the indifference or more, though a few events may explain the lead, by their
    /// places.
    ///
    /// The search takes responses for nearly normal. Where a few events make up a response, replications may all agree by
    /// chance, so the rules of ``DifferenceRule`` decide: those of the intervals in `summary.csv`. A heavy ride that was not
    /// seen does not count, because no usual number of replications rules it out.
    public var leadsByFewEvents: [Int] {
        guard case .selected(let best) = outcome.decision, !tuning.objective.isExact else { return [] }
        return outcome.systems.indices.filter { system in
            guard case .eliminated = outcome.systems[system].status, system != best else { return false }
            let pairs = Array(zip(used(of: best), used(of: system)))
            guard let lead = difference(pairs, level: 0.95, in: nil) else { return true }
            return lead.mean.magnitude >= tuning.problem.indifference && !lead.isBeyondChance
        }
    }

    /// The mean difference in the objective over pairs of replications, second minus first; nil for fewer than two.
    ///
    /// - Parameter scenario: The scenario, whose heaviest ride is allowed for; nil to go by what was seen.
    private func difference(_ pairs: [(Sample, Sample)], level: Double, in scenario: Scenario?) -> MeanDifference? {
        let event =
            [pairs.map { $0.0 }, pairs.map { $0.1 }]
            .map { samples in tuning.objective.eventSize(of: samples.map { $0.terms }, in: scenario) }.max() ?? 0
        return DifferenceRule(count: pairs.count, level: level)?
            .difference(
                pairs.map { $0.0.values[0] },
                pairs.map { $0.1.values[0] },
                event: event,
                areCounts: tuning.objective.unit == "count"
            )
    }

    /// Whether the search has found that a point breaks a limit.
    private func breaksLimits(_ system: Int) -> Bool {
        if case .infeasible = outcome.systems[system].status { true } else { false }
    }

    /// The responses of one replication of a point.
    public struct Sample: Hashable, Sendable {
        /// Which replication, counted from 0.
        public let replication: Int
        /// The objective, then each constraint.
        public let values: [Double]
        /// What each term of the objective contributes to it.
        public let terms: [Double]
    }

    /// What the replications of a point gave that were used.
    private func used(of system: Int) -> [Sample] {
        samples[system].filter { $0.replication < outcome.systems[system].replications }
    }

    /// The limits that chance may have put on the other side of a point's mean, by their places.
    ///
    /// The search may have judged it all the same: it is sure only of what lies beyond the tolerance.
    public func limitsInDoubt(of system: Int) -> [Int] {
        let used = used(of: system)
        guard let rule = DifferenceRule(count: used.count) else { return [] }
        return tuning.problem.constraints.indices.filter { place in
            let (values, response) = (used.map { $0.values[place + 1] }, tuning.limits[place])
            let limit = tuning.problem.constraints[place].limit
            let event = response.eventSize(of: values, in: tuning.sweep.experiment.scenario)
            return !rule.difference(values.map { $0 - limit }, event: event).isBeyondChance
        }
    }

    /// Whether a point's mean is on the right side of every limit.
    public func keepsToLimits(_ system: Int) -> Bool {
        zip(tuning.problem.constraints, outcome.systems[system].means.dropFirst())
            .allSatisfy { $0.side == .atMost ? $1 <= $0.limit : $1 >= $0.limit }
    }

    /// The mean contribution of each term of the objective to that of a point, over the replications that were used.
    public func meanTerms(of system: Int) -> [Double] {
        let used = used(of: system)
        guard !used.isEmpty else { return [] }
        return tuning.objective.terms.indices.map { term in
            used.reduce(0) { $0 + $1.terms[term] } / Double(used.count)
        }
    }

    /// A point that does not surely keep to all limits, and by how much it misses those to which it does not.
    public struct Miss: Hashable, Sendable {
        /// The point, by its place in the sweep.
        public let system: Int
        /// For each limit to which it does not surely keep its place among the goal's, and how far the mean is beyond it.
        public let gaps: [Gap]

        /// How far a mean is beyond a limit.
        public struct Gap: Hashable, Sendable {
            /// Which limit, in the order of the goal.
            public let constraint: Int
            /// How far the mean is beyond the limit [the response's unit]; 0 or below where it keeps to a limit that is asked
            /// for with a confidence, but not by so much that it is sure.
            public let distance: Double
        }
    }

    /// The point that misses the limits least, where none keeps to all of them; nil where one does.
    ///
    /// Least in its largest gap, each counted in tolerances of its limit; of equals the first.
    public var nearest: Miss? {
        guard case .noneFeasible = outcome.decision else { return nil }
        let constraints = tuning.problem.constraints
        var best: (miss: Miss, size: Double)?
        for (index, system) in outcome.systems.enumerated() {
            let gaps = zip(constraints, system.means.dropFirst()).enumerated()
                .compactMap { place, pair -> Miss.Gap? in
                    let (constraint, mean) = pair
                    let isAtMost = constraint.side == .atMost
                    let isMissed = isAtMost ? mean > constraint.target : mean < constraint.target
                    let distance = isAtMost ? mean - constraint.limit : constraint.limit - mean
                    return isMissed ? Miss.Gap(constraint: place, distance: distance) : nil
                }
            let size = gaps.map { $0.distance / constraints[$0.constraint].tolerance }.max() ?? -.infinity
            if size < best?.size ?? .infinity { best = (Miss(system: index, gaps: gaps), size) }
        }
        return best?.miss
    }

    /// The design point that was chosen, or that leads; nil when none keeps to the limits.
    public var best: DesignPoint? {
        switch outcome.decision {
        case .selected(let system), .notSure(let system): tuning.sweep.points[system]
        case .noneFeasible: nil
        }
    }
}
