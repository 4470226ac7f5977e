import LiveActivityModel

/// Checks of single levels and conditions.
///
/// Laying out the design points would find these errors too, and errors of combined levels. Here each level is checked
/// together with the first levels of all other factors, so that a file reports all its errors at once. Each reported
/// error is wrong independently of the others.
extension FactorRules {
    /// Refuses levels that no scenario can have, and conditions that name unknown values.
    ///
    /// - Parameter root: The root node of the file.
    package func checkLevels(over root: ScenarioNode, _ reading: inout Reading) {
        guard !reading.isRefused("factors.vary") else { return }
        checkNames(&reading)
        let groups = factors.groups.map { (factors: $0, rows: Self.rows(of: $0)) }
        let firsts = groups.flatMap { zip($0.factors, $0.rows.first ?? []) }
        var told: Set<SourceError> = []
        for (group, rows) in groups {
            for row in rows where told.count < Self.mostErrors {
                let chosen = Dictionary(firsts + zip(group, row)) { $1 }
                let levels = factors.vary.compactMap { chosen[$0] }
                guard levels.count == factors.vary.count, let node = try? root.laid(levels, of: factors.vary)
                else { continue }
                var point = Reading()
                let scenario = Section.scenario.read(node, "", &point)
                let errors = point.errors.filter { error in group.contains { $0.isWrong(error) } }
                guard !errors.isEmpty, scenario.map({ mayBePoint($0, levels) }) ?? true else { continue }
                for error in errors where told.insert(error).inserted { reading.refuse(error) }
            }
        }
    }

    /// Returns true if levels may form a design point: no condition is known to exclude them.
    private func mayBePoint(_ scenario: Scenario, _ levels: [FactorLevel]) -> Bool {
        guard !factors.conditions.isEmpty else { return true }
        let values = PointValues(scenario, factors.vary, levels)
        return factors.conditions.allSatisfy { (try? $0.holds(of: values)) ?? true }
    }

    /// Refuses conditions that name values which neither the file nor a factor can provide, in sections that could be
    /// read.
    private func checkNames(_ reading: inout Reading) {
        let values = PointValues(scenario)
        let varied = factors.vary.map(\.changedPath)
        for (index, condition) in factors.conditions.enumerated() {
            for path in condition.paths
            where !varied.contains(where: { Reading.isPath(path, within: $0) || Reading.isPath($0, within: path) })
                && !reading.isRefused(String(path.prefix { $0 != "." })) && !values.has(path)
            {
                reading.refuse("factors.where.\(index)", Condition.EvaluationError.unknown(path).message)
            }
        }
    }

    /// The number of errors after which the search stops.
    private static let mostErrors = 50

    /// Returns the levels of zipped factors: all listed levels, and the ends of ranges.
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
}

extension Factor {
    /// The path of the changed value, without the brackets of keys that contain dots.
    var changedPath: String { Setting.keys(path[...]).joined(separator: ".") }

    /// Returns true if an error concerns the changed value, or a key that the level adds.
    fileprivate func isWrong(_ error: SourceError) -> Bool {
        Reading.isPath(error.path, within: changedPath) || error.isOfKey && error.place == origin.place
    }
}
