package import LiveActivityModel

extension Scenario {
    /// The scenario with random values for some of its keys, half of them or as few as the draws say, as their table draws them.
    ///
    /// They may break rules that span several keys: see ``keepingRules()``.
    package func varied(_ draws: SwarmDraws) -> Scenario {
        var draws = draws
        return Section.scenario.draw(&draws, self) ?? self
    }

    /// The scenario with defaults in place of values that break rules.
    package func keepingRules() -> Scenario {
        var scenario = self
        var leftOut: Set<String> = []
        var reading = Reading()
        while true {
            ScenarioRules(scenario).check(&reading)
            guard !reading.errors.isEmpty else { return scenario }
            var value = Section.scenario.write(scenario)
            // From the end of a list, whose places move up.
            for error in reading.errors.reversed() {
                // Where there is no default, or it breaks the rule too, what is around has to go.
                let path = Reading.ancestry(of: error.path).first { leftOut.insert($0).inserted } ?? ""
                value = value.leavingOut(path.split(separator: ".").map(String.init)[...]) ?? value
            }
            reading = Reading()
            let (root, _) = YAMLText(value.yamlLines.joined(separator: "\n")).compose()
            guard let read = root.flatMap({ Section.scenario.read($0, "", &reading) }) else { return Scenario() }
            scenario = read
        }
    }
}
