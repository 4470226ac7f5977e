/// What design points have in common: the tree of their file without what makes a design of it, what is known of it wherever no
/// factor changes it, and the levels that the file lists.
struct DesignTree: Sendable {
    private let tree: ScenarioNode
    /// What is known of it where no factor changes it.
    let memory: ReadingMemory
    /// Of each factor what its levels put in place of the file's value, by their names; none of a range.
    private let settings: [String: [String: Setting]]

    /// Reads a file for all of its points.
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

    /// The tree with a level for each of some factors.
    func laid(_ levels: [FactorLevel], of factors: [Factor]) throws(SourceError) -> ScenarioNode {
        try tree.laid(levels, of: factors, known: settings)
    }
}

extension ScenarioNode {
    /// A whole file without what makes a design of it.
    var withoutDesign: ScenarioNode {
        guard let entries = mapping else { return self }
        return ScenarioNode(content: .mapping(entries.filter { $0.key != "factors" }), place: place)
    }

    /// The tree with a level for each of some factors.
    ///
    /// - Parameter known: What levels put in place of the file's value, by path and name, as far as that is known.
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
    /// What a level puts in place of the file's value.
    fileprivate init(_ level: FactorLevel, of factor: Factor) throws(SourceError) {
        try self.init("\(factor.path)=\(level.value)", place: level.origin.place, keyPlace: factor.origin.place)
    }
}
