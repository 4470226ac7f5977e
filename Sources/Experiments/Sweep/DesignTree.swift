/// The common parts of design points: the tree of their file without its design, the values that no factor changes, and
/// the listed levels.
struct DesignTree: Sendable {
    private let tree: ScenarioNode
    /// The values that no factor changes.
    let memory: ReadingMemory
    /// The settings of each factor's levels, by level name; none for a range.
    private let settings: [String: [String: Setting]]

    /// Reads a file once for all of its points.
    init(_ root: ScenarioNode, _ factors: [Factor]) {
        let tree = root.withoutDesign
        self.tree = tree
        let changed = ChangedPaths(factors.map(\.changedPath))
        memory = Reading.memory(ofAllBut: changed) { _ = Section.experiment.read(tree, "", &$0) }
        settings = factors.reduce(into: [:]) { settings, factor in
            guard case .listed(let levels) = factor.levels else { return }
            settings[factor.path] = levels.reduce(into: [:]) { $0[$1.label] = try? Setting($1, of: factor) }
        }
    }

    /// Returns the tree with a level for each of some factors.
    func laid(_ levels: [FactorLevel], of factors: [Factor]) throws(SourceError) -> ScenarioNode {
        try tree.laid(levels, of: factors, known: settings)
    }
}

extension ScenarioNode {
    /// The file without its design.
    var withoutDesign: ScenarioNode {
        guard let entries = mapping else { return self }
        return ScenarioNode(content: .mapping(entries.filter { $0.key != "factors" }), place: place)
    }

    /// Returns the tree with a level for each of some factors.
    ///
    /// - Parameter known: The settings of levels that are already known, by path and name.
    func laid(
        _ levels: [FactorLevel],
        of factors: [Factor],
        known: [String: [String: Setting]] = [:]
    ) throws(SourceError) -> ScenarioNode {
        var tree = self
        for (factor, level) in zip(factors, levels) {
            if let setting = known[factor.path]?[level.label] {
                try setting.apply(to: &tree)
            } else {
                try Setting(level, of: factor).apply(to: &tree)
            }
        }
        return tree
    }
}

extension Setting {
    /// Creates the setting of a level, which replaces the file's value.
    fileprivate init(_ level: FactorLevel, of factor: Factor) throws(SourceError) {
        try self.init("\(factor.path)=\(level.value)", place: level.origin.place, keyPlace: factor.origin.place)
    }
}
