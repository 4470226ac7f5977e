import LiveActivityModel
import Statistics

extension Section where Whole == Goal {
    static var goal: Section {
        Section("What the best design point is, for freshet tune.", Goal()) {
            Field("maximise", \.maximise, .optional(.objective, .off))
                .means("What is to be made as large as can be: a response.")
            Field("minimise", \.minimise, .optional(.objective, .off))
                .means(
                    "What is to be made as small as can be: a response, a factor, or a cost, as 3 * sender.connections + "
                        + "0.001 * pushes_sent_count."
                )
            Field("subject_to", \.constraints, .list(of: .comparison, count: 0...20))
                .means("What the chosen point must keep to, as pushes_per_activity <= 40; `with 95%` for sure.")
            Field("across_rulers", \.acrossRulers, .boolean)
                .means(
                    "Whether objective and limits may depend on a ruler that is a factor, as displayed_fresh_time_ratio on "
                        + "content.ttl."
                )
            Field("indifference", \.indifference, .optional(.amount, .auto))
                .means("The smallest difference of the objective worth telling apart; auto: 0.1 % of shares.")
            Field("tolerance", \.tolerance, .number(0.000001...1))
                .means("How far from a limit, as a part of it, a point may lie and be judged either way.")
            Field("confidence", \.confidence, .number(0.51...0.9999))
                .means("The chance that the choice is right, at the least.")
            Field("first_replications", \.firstReplications, .integer(2...10_000))
                .means("How many replications each point has before anything is decided.")
            Field("budget", \.budget, .integer(2...100_000_000))
                .means("How many replications are run at most, over all points.")
        }
    }
}

extension Notation where Value == Objective {
    /// A response, a factor or a sum of them.
    static var objective: Notation {
        .parsed("must name a response or a factor", schema: ["type": "string"], parse: Objective.init(parsing:))
    }
}

extension Notation where Value == Amount {
    /// A number, a share or a duration.
    static var amount: Notation { .amount(write: \.text) { Amount($0) } }
}

extension Notation {
    /// A number, a share or a duration, as an amount or as its text.
    static func amount(write: @escaping (Value) -> String, parse: @escaping (String) -> Value?) -> Notation {
        Notation(
            "a number or a duration",
            allowed: "as 5, 0.5, 5%, 90s",
            write: { .word(write($0)) },
            schema: ["type": ["string", "number"]],
            parse: { text throws(Remark) in parse(text) }
        )
    }
}

extension Goal {
    /// Refuses an objective or a limit that is measured by a factor: it is kept to by the ruler, whatever screens show.
    func requireOneRuler(
        for objective: ResolvedObjective,
        limits: [ResolvedResponse],
        of factors: Factors
    ) throws(GoalError) {
        guard !acrossRulers else { return }
        let asked =
            objective.responses.map { (verb: "optimise", text: $0.text, response: $0.response, part: objectivePart) }
            + limits.map { (verb: "set a limit to", text: $0.text, response: $0.response, part: .limits) }
        for (verb, text, response, part) in asked where !factors.measuresAlike(response) {
            let rulers = factors.variedRulers.filter(response.rulers.contains).map(\.rawValue)
                .joined(separator: " and ")
            throw GoalError(
                "must not \(verb) \(text), which is measured by the factor \(rulers): it changes with the ruler though "
                    + "no screen shows anything else; \(Ruler.independentResponses) do not depend on it "
                    + "(factors.goal.across_rulers: true or --across-rulers lifts this)",
                in: part
            )
        }
    }

    /// The key by which the goal names what it optimises.
    private var objectivePart: GoalError.Part { maximise == nil ? .minimise : .maximise }

    /// The tolerance of a limit, in its unit.
    ///
    /// Of a share at most a quarter of what is left to the whole: a limit that is asked for with a confidence has to be kept
    /// to by twice the tolerance to be surely kept, and no share reaches beyond 100 %.
    private func absoluteTolerance(_ limit: Double, isShare: Bool) -> Double {
        let relative = limit.magnitude * tolerance
        return isShare && limit < 1 ? min(relative, (1 - limit) / 4) : relative
    }

    /// All that it names and the scenario does not have; else the first thing that does not fit.
    func errors(of factors: Factors, in scenario: Scenario) -> [GoalError] {
        let catalog = MetricCatalog(of: scenario)
        var errors: [GoalError] = []
        func note(in part: GoalError.Part, _ resolve: () throws(ResponseError) -> Void) {
            do throws(ResponseError) { try resolve() } catch { errors.append(GoalError("\(error)", in: part)) }
        }
        if let (objective, direction) = objective {
            note(in: objectivePart) { () throws(ResponseError) in
                _ = try objective.resolve(direction, in: scenario, by: catalog, varying: factors.vary)
            }
        }
        for comparison in constraints {
            note(in: .limits) { () throws(ResponseError) in _ = try comparison.resolve(in: scenario, by: catalog) }
        }
        guard errors.isEmpty else { return errors }
        do throws(GoalError) {
            _ = try problem(systems: 1, of: factors, in: scenario)
            return []
        } catch {
            return [error]
        }
    }

    /// The problem that this goal is for some design points of a scenario.
    ///
    /// - Throws: What does not fit the scenario, to follow `factors.goal`.
    func problem(systems: Int, of factors: Factors, in scenario: Scenario) throws(GoalError) -> (
        problem: SelectionProblem, objective: ResolvedObjective, limits: [ResolvedResponse]
    ) {
        guard let (objective, direction) = self.objective else {
            throw GoalError("must name one response or cost to maximise or to minimise")
        }
        let response: ResolvedObjective
        var limits: [ResolvedResponse] = []
        var constraints: [ResponseConstraint] = []
        var limitOfNothing: Comparison?
        let catalog = MetricCatalog(of: scenario)
        var part = objectivePart
        do throws(ResponseError) {
            response = try objective.resolve(direction, in: scenario, by: catalog, varying: factors.vary)
            part = .limits
            for comparison in self.constraints {
                let resolved = try comparison.resolve(in: scenario, by: catalog)
                limitOfNothing = limitOfNothing ?? (resolved.limit == 0 ? comparison : nil)
                try resolved.response.requireNoStretch()
                limits.append(resolved.response)
                constraints.append(
                    ResponseConstraint(
                        [.less, .lessOrEqual].contains(comparison.relation) ? .atMost : .atLeast,
                        resolved.limit,
                        tolerance: absoluteTolerance(resolved.limit, isShare: resolved.response.isShare),
                        confidence: comparison.confidence
                    )
                )
            }
        } catch {
            throw GoalError("\(error)", in: part)
        }
        if let equality = self.constraints.first(where: { [.equal, .unequal].contains($0.relation) }) {
            throw GoalError("must set limits by < <= > >=, got \(equality.text)", in: .limits)
        }
        if let comparison = limitOfNothing {
            // The tolerance is a part of the limit, and without any the judgement would take for ever.
            throw GoalError(
                "must set limits other than 0, got \(comparison.text): state how much is as good as nothing, as "
                    + "\(comparison.response.text) <= 0.1",
                in: .limits
            )
        }
        let indifference: Double
        if let amount = self.indifference {
            guard let value = amount.value(in: response.unit, isShare: response.isShare) else {
                let allowed = Amount.allowed(in: response.unit, isShare: response.isShare)
                throw GoalError(
                    "must state the indifference of \(response.text) as \(allowed), got \(amount.text)",
                    in: .indifference
                )
            }
            indifference = value
        } else if response.isShare {
            indifference = 0.001
        } else if response.isExact {
            // What is known without a run is told apart however near.
            indifference = 1e-9
        } else {
            throw GoalError(
                "must state an indifference: the smallest difference of \(response.text) worth telling apart",
                in: objectivePart,
                missing: .indifference
            )
        }
        let problem = SelectionProblem(
            systems: systems,
            direction: direction,
            indifference: indifference,
            constraints: constraints,
            errorProbability: 1 - confidence,
            initialReplications: firstReplications,
            budget: budget
        )
        if let error = problem.errors.first { throw GoalError("makes no selection: \(error)", in: error.part) }
        return (problem, response, limits)
    }
}

/// Why a goal fits no scenario.
struct GoalError: Error, CustomStringConvertible {
    /// A key of the goal, by which errors are told at their place.
    enum Part: String {
        case maximise
        case minimise
        case limits = "subject_to"
        case indifference
        case tolerance
        case confidence
        case replications = "first_replications"
        case budget
    }

    let description: String
    /// The key of which it is; nil for the goal as a whole.
    let part: Part?
    /// The key that would have to be there.
    let missing: Part?

    init(_ description: String, in part: Part? = nil, missing: Part? = nil) {
        self.description = description
        self.part = part
        self.missing = missing
    }
}

extension SelectionError {
    fileprivate var part: GoalError.Part? {
        switch self {
        case .noSystems: nil
        case .indifference: .indifference
        case .limit: .limits
        case .tolerance: .tolerance
        case .errorProbability: .confidence
        case .initialReplications: .replications
        case .budget: .budget
        }
    }
}
