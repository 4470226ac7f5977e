public import ScenarioLanguage
public import TextFormats

/// A reference of the families of distributions in scenario files: a table, one family in full, or JSON.
public struct DistributionReference {
    private let families: [DistributionDescription]

    /// Creates a reference of some families, in order.
    public init(_ families: [DistributionDescription]) { self.families = families }

    /// Text for a terminal: one family in full, or a table.
    public var plain: String {
        if families.count == 1 { return families.map(full).joined() }
        return table { $0 }.plain + "\n\n" + Self.note + "\n"
    }

    /// The table in Markdown.
    public var markdown: String { table { "`\($0)`" }.markdown + "\n" }

    /// An array of objects, one per way to give the parameters.
    public var json: JSONValue {
        .array(
            families.flatMap { family in
                family.forms.map { form in
                    [
                        "family": .string(family.name), "meaning": .string(family.meaning),
                        "parameters": .array(
                            form.parameters.map { ["name": .string($0.name), "unit": .string($0.unit)] }
                        ),
                        "mean": .string(form.mean), "example": .string(form.example),
                        "example_mean": form.exampleMean.map { .string($0) } ?? .null,
                    ]
                }
            }
        )
    }

    /// Notes on all families.
    private static let note =
        "Durations are written as 250ms, 3s, 2m, 8h. Distributions of plain numbers, such as content.payload.bytes, take\n"
        + "numbers instead of durations; mu is then the logarithm of the median. `freshet describe FAMILY` shows one in full."

    private func full(_ family: DistributionDescription) -> String {
        var text = "\(family.name)\n  \(family.meaning)\n"
        for form in family.forms {
            text += "  \(Self.written(family, form))\n"
            let width = form.parameters.map(\.name.count).max() ?? 0
            for parameter in form.parameters where !parameter.name.isEmpty {
                let padding = String(repeating: " ", count: width - parameter.name.count)
                text += "    \(parameter.name)\(padding)  \(parameter.unit)\n"
            }
            text += "    mean: \(form.mean)\n"
            text += "    example: \(form.example)\(form.exampleMean.map { ", mean \($0)" } ?? "")\n"
        }
        return text
    }

    /// The form in a scenario: `lognormal: {median, p95}`.
    private static func written(_ family: DistributionDescription, _ form: DistributionDescription.Form) -> String {
        if form.parameters.first?.name.isEmpty ?? true { return "\(family.name): VALUE" }
        return family.name == "mixture" ? "mixture: [\(form.keys), …]" : "\(family.name): \(form.keys)"
    }

    private func table(code: (String) -> String) -> TextTable {
        TextTable(
            ["family", "parameters", "mean", "example", "its mean"],
            rows: families.flatMap { family in
                family.forms.map { form in
                    [
                        code(Self.written(family, form)),
                        form.parameters.map { $0.name.isEmpty ? $0.unit : "\($0.name): \($0.unit)" }
                            .joined(separator: "; "),
                        form.mean, code(form.example), form.exampleMean ?? "that of the values",
                    ]
                }
            }
        )
    }
}
