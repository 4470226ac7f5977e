public import LiveActivityModel

extension Scenario {
    /// Returns the scenario with random values for some of its keys.
    ///
    /// The draws determine how many: half of them or a few. The keys' table draws the values.
    ///
    /// The values may break rules that involve several keys: see ``keepingRules()``.
    public func varied(_ draws: SwarmDraws) -> Scenario {
        var draws = draws
        return Section.scenario.draw(&draws, self) ?? self
    }

    /// Returns the scenario with defaults for values that break rules.
    public func keepingRules() -> Scenario {
        var scenario = self
        var leftOut: Set<String> = []
        var reading = Reading()
        while true {
            var value = Section.scenario.write(scenario)
            ScenarioRules(scenario).check(&reading)
            if reading.errors.isEmpty, !scenario.cohorts.isEmpty, let root = value.tree {
                scenario.readCohorts(of: root, &reading)
            }
            guard !reading.errors.isEmpty else { return scenario }
            // Errors are handled from the end of a list, so that the indices before them stay valid.
            for error in reading.errors.reversed() {
                // If there is no default, or if the default breaks the rule too, the surrounding value is removed.
                let path = Reading.ancestry(of: error.path).first { leftOut.insert($0).inserted } ?? ""
                value = value.leavingOut(path.split(separator: ".").map(String.init)[...]) ?? value
            }
            reading = Reading()
            guard let read = value.tree.flatMap({ Section.scenario.read($0, "", &reading) }) else { return Scenario() }
            scenario = read
        }
    }
}

extension StructuredValue {
    /// The tree of the value's YAML; nil if there is none.
    fileprivate var tree: ScenarioNode? { YAMLText(yamlLines.joined(separator: "\n")).compose().root }
}
