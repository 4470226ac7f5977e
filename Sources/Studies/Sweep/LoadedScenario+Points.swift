import Evaluation
import InputFiles
import LiveActivityModel
import ScenarioLanguage
import TextFormats

/// The scenarios of design points, for which the file is the template.
extension LoadedScenario {
    /// Returns errors about settings that a factor would override.
    func settingsOfFactors(_ factors: Factors) -> [Diagnostic] {
        source.settings.enumerated()
            .compactMap { index, setting in
                let path = String(setting.prefix { $0 != "=" })
                let clash = factors.vary.first { factor in
                    Reading.ancestry(of: factor.path).contains(path) || Reading.ancestry(of: path).contains(factor.path)
                }
                guard let clash else { return nil }
                let message =
                    "is a factor: its levels are in factors.vary.\(clash.path); --only selects among them, and --set factors=off "
                    + "removes the factors"
                return source.diagnostic(.init(place: .setting(index), path: path, message: message))
            }
    }

    /// Returns errors about levels and conditions that do not depend on a point.
    func mistakes(in factors: Factors) -> [Diagnostic] {
        diagnostics { FactorRules(factors: factors, scenario: scenario).checkLevels(over: root, &$0) }
    }

    /// Returns the values of a design point that conditions see.
    ///
    /// If they do not make a scenario, these are the values that could be read.
    func values(factors: Factors, levels: [FactorLevel]) -> PointValues {
        var reading = Reading()
        let laid = (try? root.laid(levels, of: factors.vary)).flatMap { WholeTables.scenario.read($0, "", &reading) }
        return PointValues(laid ?? scenario, factors.vary, levels)
    }

    /// Returns errors about level names in conditions that their factors do not have.
    ///
    /// Such a name would equal nothing, whatever was meant.
    ///
    /// - Parameter first: The levels of the other factors while the levels of a factor are read.
    func unknownLevels(
        in conditions: [Condition],
        at path: String,
        of factors: Factors,
        beside first: [FactorLevel]
    ) -> [Diagnostic] {
        conditions.enumerated()
            .compactMap { index, condition in
                guard let (place, name) = condition.unknownLevel(of: factors.vary) else { return nil }
                let factor = factors.vary[place]
                let isWritten = factor.gridLevels.contains { level in
                    var levels = first
                    levels[place] = level
                    return (try? values(factors: factors, levels: levels).texts(factor.path))?.contains(name) ?? true
                }
                guard !isWritten else { return nil }
                let advice = Suggestion.advice(for: name, among: factor.labels)
                let message = "names \(ScenarioNode.quoted(name)), which is not a level of \(factor.path); \(advice)"
                return diagnostic(Condition.EvaluationError(message), of: condition, at: path, index)
            }
    }

    /// Returns an error about a condition, with its location in the file or its option.
    private func diagnostic(
        _ error: Condition.EvaluationError,
        of condition: Condition,
        at path: String,
        _ index: Int
    ) -> Diagnostic {
        path.hasPrefix("--")
            ? Diagnostic(file: "\(path) \(condition.text)", message: error.message)
            : self.diagnostic(at: "\(path).\(index)", error.message)
    }

    /// Returns `true` if a design point meets all conditions.
    ///
    /// - Throws: ``ScenarioError`` if a condition cannot be evaluated.
    func holds(_ conditions: [Condition], at path: String, of values: PointValues) throws(ScenarioError) -> Bool {
        var holds = true
        var problems: [Diagnostic] = []
        for (index, condition) in conditions.enumerated() {
            do throws(Condition.EvaluationError) {
                if try !condition.holds(of: values) { holds = false }
            } catch {
                problems.append(diagnostic(error, of: condition, at: path, index))
            }
        }
        guard problems.isEmpty else { throw .invalid(problems) }
        return holds
    }

    /// Rejects what tasks cannot answer at a design point: responses of things that its scenario does not have, or over
    /// parts of the run that the time series does not hold.
    ///
    /// - Returns: The checks of a design that need a run of their own, by index. They are skipped, because the file may be
    ///   written for single runs.
    func requireAnswers(in scenario: Scenario) throws(ScenarioError) -> Set<Int> {
        let responses =
            (experiment.factors?.responses ?? []).enumerated().map { ("factors.responses.\($0)", $1, nil as Int?) }
            + experiment.checks.enumerated().map { ("checks.\($0)", $1.comparison.response, $0) }
        guard !responses.isEmpty else { return [] }
        let catalog = MetricCatalog(of: scenario)
        var skipped: Set<Int> = []
        for (path, response, check) in responses {
            do throws(ResponseError) {
                try response.resolve(in: scenario, by: catalog).requireNoStretch()
            } catch {
                if case .notInTasks = error, let check, experiment.factors != nil {
                    skipped.insert(check)
                } else {
                    throw self.error(at: path, "\(error)")
                }
            }
        }
        return skipped
    }
}
