extension LoadedScenario {
    /// Returns the scenario of a design point, without its data files.
    package func scenario(factors: Factors, levels: [FactorLevel]) throws(ScenarioError) -> LoadedScenario {
        let tree: ScenarioNode
        do throws(SourceError) {
            tree = try root.laid(levels, of: factors.vary)
        } catch {
            throw .invalid([source.diagnostic(error)])
        }
        return try ScenarioReader.read(root: tree, source: source)
    }
}

extension ScenarioNode {
    /// Returns the tree of a design point: the file without its design, with a level for each factor.
    package func laid(_ levels: [FactorLevel], of factors: [Factor]) throws(SourceError) -> ScenarioNode {
        var tree = without(["factors"])
        for (factor, level) in zip(factors, levels) {
            let text = "\(factor.path)=\(level.value)"
            try Setting(text, place: level.origin.place, keyPlace: factor.origin.place).apply(to: &tree)
        }
        return tree
    }
}
