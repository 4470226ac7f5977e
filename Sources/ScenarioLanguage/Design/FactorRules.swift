import Evaluation
package import LiveActivityModel
import Statistics
import TextFormats

/// The rules that involve several values of `factors`.
package struct FactorRules {
    package let factors: Factors
    package let scenario: Scenario

    /// Creates the rules of a scenario's factors.
    package init(factors: Factors, scenario: Scenario) {
        self.factors = factors
        self.scenario = scenario
    }

    /// Refuses values that do not fit together, among those that could be read.
    func check(_ reading: inout Reading) {
        checkVaried(&reading)
        checkGoal(&reading)
        checkResponses(&reading)
        if scenario.replications.antithetic {
            reading.refuse(
                "replications.antithetic",
                "must be false if there are factors: design points are compared by independent replications"
            )
        }
        if scenario.replications.until != nil {
            reading.refuse(
                "replications.until",
                "must be left out if there are factors: all design points have the same number of replications"
            )
        }
    }

    private func checkVaried(_ reading: inout Reading) {
        guard !reading.isRefused("factors.vary") else { return }
        if factors.vary.isEmpty {
            reading.refuse(
                "factors.vary",
                "must name at least one factor, such as monitor.fresh_limit: [1m, 2m]; --set factors=off runs a file without its factors"
            )
            return
        }
        checkOverlap(&reading)
        if !["factors.zip", "factors.design", "factors.points"].contains(where: reading.isRefused) {
            checkZip(&reading)
            checkDesign(&reading)
        }
    }

    private func checkGoal(_ reading: inout Reading) {
        guard let goal = factors.goal, !hidesMetrics(reading),
            !["factors.goal", "factors.vary"].contains(where: reading.isRefused)
        else { return }
        do throws(GoalErrors) {
            _ = try goal.problem(systems: 1, of: factors, in: scenario)
        } catch {
            for error in error.all { reading.refuse(error.path, error.description) }
        }
    }

    private func checkResponses(_ reading: inout Reading) {
        guard !factors.responses.isEmpty, !hidesMetrics(reading), !reading.isRefused("factors.responses") else {
            return
        }
        let catalog = MetricCatalog(of: scenario)
        for (index, response) in factors.responses.enumerated() {
            do {
                _ = try response.resolve(in: scenario, by: catalog)
            } catch {
                reading.refuse("factors.responses.\(index)", "\(error)")
            }
        }
    }

    /// Returns true if an unread value determines which metrics and windows exist.
    private func hidesMetrics(_ reading: Reading) -> Bool {
        Experiment.metricSections.contains(where: reading.isRefused)
    }

    /// A factor inside another would change the other's levels, or be overwritten by them.
    private func checkOverlap(_ reading: inout Reading) {
        let paths = Set(factors.vary.map(\.path))
        for factor in factors.vary {
            guard let outer = Reading.ancestry(of: factor.path).dropFirst().first(where: paths.contains) else {
                continue
            }
            reading.refuse("factors.vary.\(factor.path)", "lies within the factor \(outer); vary one or the other")
        }
    }

    private func checkZip(_ reading: inout Reading) {
        var seen: Set<String> = []
        for (index, paths) in factors.zipped.enumerated() {
            let path = "factors.zip.\(index)"
            for name in paths where !factors.vary.contains(where: { $0.path == name }) {
                let advice = Suggestion.advice(for: name, among: factors.vary.map(\.path))
                reading.refuse(path, "names \(ScenarioNode.quoted(name)), which is not a factor; \(advice)")
                return
            }
            for name in paths where !seen.insert(name).inserted {
                reading.refuse(path, "names \(name) a second time; a factor can be in one group only")
                return
            }
            guard factors.design == .grid else { continue }
            let counts = paths.compactMap { name in factors.vary.first { $0.path == name }.flatMap(Self.levelCount) }
            if Set(counts).count > 1 {
                reading.refuse(
                    path,
                    "must name factors with the same number of levels, got "
                        + counts.map(String.init).joined(separator: ", ")
                )
            }
        }
    }

    private func checkDesign(_ reading: inout Reading) {
        switch factors.design {
        case .grid:
            for factor in factors.vary where Self.levelCount(factor) == nil {
                reading.refuse(
                    "factors.vary.\(factor.path)",
                    "must state its number of steps in a grid: {from: …, to: …, steps: 5}"
                )
                return
            }
            if factors.points != 0 {
                reading.refuse("factors.points", "must be left out for the design grid, got \(factors.points)")
            }
        case .latinHypercube, .sobol, .saltelli:
            guard factors.points > 0 else {
                reading.refuse("factors.points", "must be at least 1 for the design \(factors.design.rawValue)")
                return
            }
            let most =
                switch factors.design {
                case .saltelli: SaltelliDesign.largestFactorCount
                case .sobol: SobolSequence.largestDimensionCount
                case .latinHypercube, .grid: 50
                }
            if factors.groups.count > most {
                reading.refuse(
                    "factors.vary",
                    "must have at most \(most) factors for the design \(factors.design.rawValue), got \(factors.groups.count)"
                )
            }
        }
        if factors.design == .saltelli, !factors.conditions.isEmpty {
            reading.refuse(
                "factors.where",
                "must be left out for the design saltelli: its points are crossed, and the indices need all of them"
            )
        }
        let count = factors.combinationCount
        if count > Double(Factors.mostPoints) {
            let got = count < 1e15 ? "\(Int(count))" : "more than 10^15"
            reading.refuse("factors", "must make at most \(Factors.mostPoints) design points, got \(got)")
        }
    }

    private static func levelCount(_ factor: Factor) -> Int? {
        switch factor.levels {
        case .listed(let levels): levels.count
        case .range(let range): range.steps == nil ? nil : range.gridLevels.count
        }
    }
}
