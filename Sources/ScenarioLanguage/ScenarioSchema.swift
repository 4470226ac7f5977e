import InputFiles

/// Describes scenario files for editors.
public enum ScenarioSchema {
    /// The JSON Schema (draft 2020-12) of scenario files.
    ///
    /// It is derived from the tables of ``ScenarioReader``; rules that involve several values exist only in the reader.
    public static func json() -> String {
        let section = Section.experiment
        let head: StructuredValue = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Freshet scenario",
            "description": .text(section.doc),
        ]
        return head.merging(section.schema).merging(["$defs": definitions]).json + "\n"
    }

    private static var definitions: StructuredValue {
        [
            "duration": [
                "description": .text("A duration: \(DurationText.forms); decimals in the last part, such as 1.5s."),
                "anyOf": [
                    ["type": "string", "pattern": .text(DurationText.pattern)],
                    ["const": 0],
                ],
            ],
            "share": [
                "description": "A share of one: 0.001 or 0.1%.",
                "anyOf": [
                    ["type": "number", "minimum": 0, "maximum": 1],
                    ["type": "string", "pattern": #"^(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?)%$"#],
                ],
            ],
            "duration_distribution": DistributionNotation(measure: .duration, depth: 1).definition,
            "number_distribution": DistributionNotation(measure: .number, depth: 1).definition,
        ]
    }
}
