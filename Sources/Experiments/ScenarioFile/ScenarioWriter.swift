public import LiveActivityModel

/// Writes scenarios as YAML.
public enum ScenarioWriter {
    /// The scenario with every default filled in.
    ///
    /// Reading the text gives an equal scenario, apart from the values of data files, which are named and not included.
    public static func resolvedYAML(_ scenario: Scenario) -> String {
        text(of: scenario, Section.scenario.fields)
    }

    /// The whole of a scenario file with every default filled in: the scenario, its factors and checks where there are any.
    ///
    /// Reading the text gives an equal experiment, apart from the values of data files.
    public static func resolvedYAML(_ experiment: Experiment) -> String {
        let left =
            ["extends"] + (experiment.factors == nil ? ["factors"] : []) + (experiment.checks.isEmpty ? ["checks"] : [])
        return text(of: experiment, Section.experiment.fields.filter { !left.contains($0.key) })
    }

    /// The scenario with every default filled in, as a JSON document of the same keys and notations.
    public static func resolvedJSON(_ scenario: Scenario) -> String { Section.scenario.write(scenario).json }

    /// What makes the scenario differ from one of defaults only; the keys that must be given are always there.
    ///
    /// It has no comments. Neither the wording of the tables nor a new key with a default changes it; two scenarios that
    /// differ have different texts, apart from the values of data files.
    package static func changes(_ scenario: Scenario) -> String {
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
