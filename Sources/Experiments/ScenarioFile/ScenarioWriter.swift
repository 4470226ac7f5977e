public import LiveActivityModel

/// Writes scenarios as YAML.
public enum ScenarioWriter {
    /// The scenario with every default filled in.
    ///
    /// Reading the text gives an equal scenario, apart from the values of data files, which are named and not included.
    public static func resolvedYAML(_ scenario: Scenario) -> String {
        Section.scenario.fields
            .map { field in
                let value = field.write(scenario)
                let lines = StructuredValue.mapping([.init(key: field.key, value: value)], isCompact: false).yamlLines
                let isSection = lines.count > 1
                return (isSection ? ["", "# \(field.doc)"] : []) + lines
            }
            .joined()
            .joined(separator: "\n") + "\n"
    }
}
