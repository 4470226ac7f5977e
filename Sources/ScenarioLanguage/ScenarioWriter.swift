public import LiveActivityModel

/// Writes scenarios as YAML.
public enum ScenarioWriter {
    /// Returns the scenario with all defaults filled in.
    ///
    /// Reading the text gives an equal scenario, apart from the values of data files, which are named but not included.
    public static func resolvedYAML(_ scenario: Scenario) -> String {
        text(of: scenario, Section.scenario.fields)
    }

    /// Returns a whole scenario file with all defaults filled in: the scenario, with its factors and checks if there
    /// are any.
    ///
    /// Reading the text gives an equal experiment, apart from the values of data files.
    public static func resolvedYAML(_ experiment: Experiment) -> String {
        let left =
            ["extends"] + (experiment.factors == nil ? ["factors"] : []) + (experiment.checks.isEmpty ? ["checks"] : [])
        return text(of: experiment, Section.experiment.fields.filter { !left.contains($0.key) })
    }

    /// Returns the scenario with all defaults filled in, as a JSON document with the same keys and notations.
    public static func resolvedJSON(_ scenario: Scenario) -> String { Section.scenario.write(scenario).json }

    /// Returns the differences from a scenario of defaults, with the required keys.
    ///
    /// The text has no comments. Neither the wording of the tables nor a new key with a default changes it. Two
    /// different scenarios have different texts, apart from the values of data files.
    public static func changes(_ scenario: Scenario) -> String {
        Section.scenario.writeChanges(scenario).yamlLines.joined(separator: "\n")
    }

    private static func text<Whole>(of whole: Whole, _ fields: [Field<Whole>]) -> String {
        fields
            .map { field in
                let value = field.write(whole)
                let lines = StructuredValue.mapping([.init(key: field.key, value: value)], isCompact: false).yamlLines
                let isSection = lines.count > 1
                return (isSection ? ["", "# \(field.doc)"] : []) + lines
            }
            .joined()
            .joined(separator: "\n") + "\n"
    }
}
