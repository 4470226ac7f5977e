import LiveActivityModel
import Statistics

/// The rules that span several values of `factors`.
struct FactorRules {
    let factors: Factors
    let scenario: Scenario

    /// Refuses what does not fit together, as far as it could be read.
    func check(_ reading: inout Reading) {
        checkVaried(&reading)
        checkGoal(&reading)
        checkResponses(&reading)
        if scenario.replications.antithetic {
            reading.refuse(
                "replications.antithetic",
                "must be false beside factors: design points are compared by independent replications"
            )
        }
        if scenario.replications.until != nil {
            reading.refuse(
                "replications.until",
                "must be left out beside factors: every design point has as many replications"
            )
        }
    }

    private func checkVaried(_ reading: inout Reading) {
        guard !reading.isRefused("factors.vary") else { return }
        if factors.vary.isEmpty {
            reading.refuse("factors.vary", "must name at least one factor, as monitor.fresh_limit: [1m, 2m]")
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
        for error in goal.errors(of: factors, in: scenario) { reading.refuse("factors.goal", error.description) }
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

    /// Whether what could not be read decides about which metrics and windows there are.
    private func hidesMetrics(_ reading: Reading) -> Bool {
        Experiment.metricSections.contains(where: reading.isRefused)
    }

    /// A factor within another would change its levels, or be lost under them.
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
                reading.refuse(path, "names \(ScenarioNode.quoted(name)), which is no factor; \(advice)")
                return
            }
            for name in paths where !seen.insert(name).inserted {
                reading.refuse(path, "names \(name) a second time; a factor goes with one group only")
                return
            }
            guard factors.design == .grid else { continue }
            let counts = paths.compactMap { name in factors.vary.first { $0.path == name }.flatMap(Self.levelCount) }
            if Set(counts).count > 1 {
                reading.refuse(
                    path,
                    "must name factors with as many levels each, got \(counts.map(String.init).joined(separator: ", "))"
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
                    "must say in how many steps a grid walks it: {from: …, to: …, steps: 5}"
                )
                return
            }
            if factors.points != 0 {
                reading.refuse("factors.points", "must be left out of a grid, got \(factors.points)")
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
                    "must hold at most \(most) factors for the design \(factors.design.rawValue), got \(factors.groups.count)"
                )
            }
        }
        if factors.design == .saltelli, !factors.conditions.isEmpty {
            reading.refuse(
                "factors.where",
                "must be left out of the design saltelli: its points are crossed, and indices need all of them"
            )
        }
        if factors.combinationCount == nil {
            reading.refuse("factors", "make more than \(Factors.mostPoints) design points")
        }
    }

    // MARK: - Levels

    /// Refuses levels that no scenario can have, and conditions that name what none has.
    ///
    /// These show when design points are laid out, too, and more than these: what levels make wrong only together. Here each
    /// level is looked at beside the first levels of all other factors, so that a file in which anything is wrong says all of
    /// it at once; what is told has to be wrong whatever else is mended.
    ///
    /// - Parameter root: The file.
    func checkLevels(over root: ScenarioNode, _ reading: inout Reading) {
        guard !reading.isRefused("factors.vary") else { return }
        checkNames(&reading)
        let tree = DesignTree(root, factors.vary)
        let groups = factors.groups.map { (factors: $0, rows: Self.rows(of: $0)) }
        let firsts = groups.flatMap { zip($0.factors, $0.rows.first ?? []) }
        var told: Set<SourceError> = []
        for (group, rows) in groups {
            for row in rows where told.count < Self.mostErrors {
                let chosen = Dictionary(firsts + zip(group, row)) { $1 }
                let levels = factors.vary.compactMap { chosen[$0] }
                guard levels.count == factors.vary.count, let node = try? tree.laid(levels, of: factors.vary),
                    case let errors = errors(in: node, of: group, tree.memory), !errors.isEmpty,
                    mayBePoint(node, levels)
                else { continue }
                for error in errors where told.insert(error).inserted { reading.refuse(error) }
            }
        }
    }

    /// What is wrong with a tree where some factors have their levels: what they add, or put in place of the file's values.
    private func errors(in node: ScenarioNode, of group: [Factor], _ memory: ReadingMemory) -> [SourceError] {
        var reading = Reading(remembering: memory)
        _ = Section.scenario.read(node, "", &reading)
        return reading.errors.filter { error in
            group.contains { $0.isAt(error.path) || error.isOfKey && error.place == $0.origin.place }
        }
    }

    /// Whether levels may be those of a design point: no condition is known to leave them out.
    private func mayBePoint(_ node: ScenarioNode, _ levels: [FactorLevel]) -> Bool {
        guard !factors.conditions.isEmpty else { return true }
        var reading = Reading()
        guard let scenario = Section.scenario.read(node, "", &reading) else { return true }
        let labels = Dictionary(zip(factors.vary.map(\.path), levels.map(\.label))) { $1 }
        let values = PointValues(tree: Section.scenario.write(scenario), labels: labels)
        return factors.conditions.allSatisfy { (try? $0.holds(of: values)) ?? true }
    }

    /// Refuses conditions that name what the file does not have and no factor can bring, in sections that could be read.
    private func checkNames(_ reading: inout Reading) {
        let values = PointValues(tree: Section.scenario.write(scenario), labels: [:])
        let varied = ChangedPaths(factors.vary.map(\.changedPath))
        for (index, condition) in factors.conditions.enumerated() {
            for path in condition.paths
            where !varied.touch(path) && !reading.isRefused(String(path.prefix { $0 != "." })) && !values.has(path) {
                reading.refuse("factors.where.\(index)", Condition.EvaluationError.unknown(path).message)
            }
        }
    }

    /// More are not looked for.
    private static let mostErrors = 50

    /// The levels of factors that go together: all that are listed, the ends of ranges.
    private static func rows(of group: [Factor]) -> [[FactorLevel]] {
        let levels = group.map { factor in
            switch factor.levels {
            case .listed(let levels): levels
            case .range(let range): [range.level(at: 0), range.level(at: 1)]
            }
        }
        let count = levels.map(\.count).min() ?? 0
        return (0..<count).map { index in levels.map { $0[index] } }
    }

    private static func levelCount(_ factor: Factor) -> Int? {
        switch factor.levels {
        case .listed(let levels): levels.count
        case .range(let range): range.steps == nil ? nil : range.gridLevels.count
        }
    }
}

extension Factor {
    /// The path of what it changes, without the brackets of keys that have dots of their own.
    var changedPath: String { Setting.keys(path[...]).joined(separator: ".") }

    /// Whether a path is that of what it changes, or of a part of it.
    fileprivate func isAt(_ path: String) -> Bool {
        path == changedPath || path.hasPrefix("\(changedPath).")
    }
}
