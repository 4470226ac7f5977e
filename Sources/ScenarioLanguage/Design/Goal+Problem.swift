package import Evaluation
package import LiveActivityModel
package import Statistics

extension Goal {
    /// Returns the selection problem of this goal for some design points of a scenario.
    ///
    /// - Throws: Everything that does not fit the scenario or other parts of the goal.
    package func problem(systems: Int, of factors: Factors, in scenario: Scenario) throws(GoalErrors) -> (
        problem: SelectionProblem, objective: ResolvedObjective, limits: [ResolvedResponse]
    ) {
        let catalog = MetricCatalog(of: scenario)
        var errors: [GoalError] = []
        var response: ResolvedObjective?
        if let (objective, direction) = self.objective {
            do throws(ResponseError) {
                response = try objective.resolve(direction, in: scenario, by: catalog, varying: factors.vary)
            } catch {
                errors.append(GoalError("\(error)", in: objectivePart))
            }
        } else {
            errors.append(GoalError("must name one response or cost to maximise or to minimise"))
        }
        var limits: [ResolvedResponse] = []
        var constraints: [ResponseConstraint] = []
        for (index, comparison) in self.constraints.enumerated() {
            do throws(GoalError) {
                let (limit, constraint) = try self.constraint(comparison, in: scenario, by: catalog)
                limits.append(limit)
                constraints.append(constraint)
            } catch {
                errors.append(error.at(index))
            }
        }
        let indifference: Double?
        do throws(GoalError) {
            indifference = try response.map { response throws(GoalError) in try self.indifference(of: response) }
        } catch {
            indifference = nil
            errors.append(error)
        }
        // Problems of the other numbers are reported even if something could not be resolved.
        let problem = SelectionProblem(
            systems: systems,
            direction: objective?.1 ?? .minimise,
            indifference: indifference ?? 1,
            constraints: constraints,
            errorProbability: 1 - confidence,
            initialReplications: firstReplications,
            budget: budget
        )
        errors += problem.errors.map { GoalError("is invalid: \($0)", in: $0.part) }
        guard errors.isEmpty, let response else { throw GoalErrors(errors) }
        return (problem, response, limits)
    }

    /// Returns a limit in numbers, with its response.
    private func constraint(
        _ comparison: Comparison,
        in scenario: Scenario,
        by catalog: MetricCatalog
    ) throws(GoalError) -> (limit: ResolvedResponse, constraint: ResponseConstraint) {
        guard ![.equal, .unequal].contains(comparison.relation) else {
            throw GoalError("must set a limit with < <= > >=, got \(comparison.text)", in: .limits)
        }
        let (response, limit): (ResolvedResponse, Double)
        do throws(ResponseError) {
            (response, limit) = try comparison.resolve(in: scenario, by: catalog)
            try response.requireNoStretch()
        } catch {
            throw GoalError("\(error)", in: .limits)
        }
        // The tolerance is relative to the limit, and without a tolerance the selection would never end.
        guard limit != 0 else {
            throw GoalError(
                "must set a limit other than 0, got \(comparison.text): state a small limit instead, such as "
                    + "\(comparison.response.text) <= 0.1",
                in: .limits
            )
        }
        let constraint = ResponseConstraint(
            [.less, .lessOrEqual].contains(comparison.relation) ? .atMost : .atLeast,
            limit,
            tolerance: absoluteTolerance(limit, isShare: response.isShare),
            confidence: comparison.confidence
        )
        return (response, constraint)
    }

    /// Returns the indifference zone of the objective, in its unit.
    private func indifference(of objective: ResolvedObjective) throws(GoalError) -> Double {
        guard let amount = indifference else {
            if objective.isShare { return 0.001 }
            // Known values are distinguished however close they are.
            if objective.isExact { return 1e-9 }
            throw GoalError(
                "must state an indifference: the smallest difference of \(objective.text) that matters",
                in: objectivePart,
                missing: .indifference
            )
        }
        guard let value = amount.value(in: objective.unit, isShare: objective.isShare) else {
            let allowed = Amount.allowed(in: objective.unit, isShare: objective.isShare)
            throw GoalError(
                "must state the indifference of \(objective.text) as \(allowed), got \(amount.text)",
                in: .indifference
            )
        }
        return value
    }

    /// Returns the tolerance of a limit, in its unit.
    ///
    /// A limit with a confidence needs a margin of twice the tolerance to be certainly met, and a share cannot exceed
    /// 100 %. So the tolerance of a share is at most a quarter of the distance to 100 %, and a twentieth by default:
    /// 0.25 pp at 95 %.
    private func absoluteTolerance(_ limit: Double, isShare: Bool) -> Double {
        let relative = limit.magnitude * (tolerance ?? Self.usualTolerance)
        return isShare && limit < 1 ? min(relative, (1 - limit) / (tolerance == nil ? 20 : 4)) : relative
    }

    /// The relative tolerance of limits by default.
    private static let usualTolerance = 0.01

    /// The least relative tolerance that can be set.
    package static let leastTolerance = 0.000001

    /// The key of the goal that names the objective.
    private var objectivePart: GoalError.Part { maximise == nil ? .minimise : .maximise }

    /// Refuses an objective and limits that are defined by a factor, because the factor could meet them without any
    /// change on screens.
    package func requireOneBasis(
        for objective: ResolvedObjective,
        limits: [ResolvedResponse],
        of factors: Factors
    ) throws(GoalErrors) {
        guard !acrossRulers else { return }
        func error(_ verb: String, _ response: ResolvedResponse, _ part: GoalError.Part, at index: Int? = nil)
            -> GoalError?
        {
            guard !factors.measuresAlike(response.response) else { return nil }
            let bases = factors.variedBases.filter(response.response.bases.contains).map(\.rawValue)
                .joined(separator: " and ")
            return GoalError(
                "must not \(verb) \(response.text), which is defined by the factor \(bases): points are not comparable "
                    + "because \(bases) differs; \(MetricBasis.independentResponses) do not depend on it "
                    + "(to allow it: factors.goal.across_rulers: true or --across-rulers)",
                in: part,
                at: index
            )
        }
        let errors =
            objective.responses.compactMap { error("optimise", $0, objectivePart) }
            + limits.enumerated().compactMap { error("set a limit to", $1, .limits, at: $0) }
        guard errors.isEmpty else { throw GoalErrors(errors) }
    }
}

/// All problems of a goal.
package struct GoalErrors: Error {
    /// At least one problem, in the order of the goal.
    package let all: [GoalError]

    init(_ all: [GoalError]) { self.all = all }
}

/// A problem of a goal; it completes a sentence that begins with its ``path``.
package struct GoalError: Error, CustomStringConvertible {
    /// A key of the goal, which gives the place of errors.
    package enum Part: String {
        case maximise
        case minimise
        case limits = "subject_to"
        case indifference
        case tolerance
        case confidence
        case replications = "first_replications"
        case budget
    }

    package let description: String
    /// The key that is wrong; nil for the goal as a whole.
    package let part: Part?
    /// The index of the limit.
    private let index: Int?
    /// The missing key.
    package let missing: Part?

    init(_ description: String, in part: Part? = nil, at index: Int? = nil, missing: Part? = nil) {
        self.description = description
        self.part = part
        self.index = index
        self.missing = missing
    }

    /// Returns the same error for one of the limits.
    func at(_ index: Int) -> GoalError { GoalError(description, in: part, at: index, missing: missing) }

    /// The place in the file: the goal itself if a key is missing.
    package var path: String {
        let keys = missing == nil ? [part?.rawValue, index.map { "\($0)" }].compactMap(\.self) : []
        return (["factors", "goal"] + keys).joined(separator: ".")
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
