import InputFiles
import SimulationKernel
import Statistics

/// The description of a family of distributions in `freshet describe distribution` and docs/distributions.md.
public struct DistributionDescription: Hashable, Sendable {
    /// A set of parameters.
    public struct Form: Hashable, Sendable {
        /// A parameter with its unit.
        public struct Parameter: Hashable, Sendable {
            /// The key.
            public let name: String
            /// The unit, or the form of the value.
            public let unit: String
        }

        /// The parameters; all must be given.
        public let parameters: [Parameter]
        /// The mean as a formula.
        public let mean: String
        /// An example of durations.
        public let example: String

        /// The parameters as in files: `{median, p95}`.
        public var keys: String { "{\(parameters.map(\.name).joined(separator: ", "))}" }
    }

    /// The key of the family.
    public let name: String
    /// The values in a sentence.
    public let meaning: String
    /// The possible sets of parameters.
    public let forms: [Form]

    /// All families, in the order of the documentation.
    public static let all = [
        one("constant", "A constant value; a bare value is short for it.", [("", duration)], "the value", "5s"),
        one(
            "exponential",
            "The time to an event that may come at any moment.",
            [("mean", duration)],
            "mean",
            "mean: 30s"
        ),
        DistributionDescription(
            name: "lognormal",
            meaning: "Mostly small values with a long tail, like latencies; the logarithm is normal.",
            forms: [
                form(
                    "lognormal",
                    [("median", duration), ("p95", "\(duration), above the median")],
                    "median · exp(σ² / 2), with σ = ln(p95 / median) / 1.645",
                    "median: 200ms, p95: 500ms"
                ),
                form(
                    "lognormal",
                    [("mu", "the natural logarithm of the median in seconds"), ("sigma", number)],
                    "exp(mu + sigma² / 2) seconds",
                    "mu: 5, sigma: 0.5"
                ),
            ]
        ),
        DistributionDescription(
            name: "gamma",
            meaning: "A sum of exponential times if the shape is a whole number; a larger shape is narrower.",
            forms: [
                form("gamma", [("shape", number), ("scale", duration)], "shape · scale", "shape: 2, scale: 10s"),
                form("gamma", [("shape", number), ("mean", duration)], "mean", "shape: 2, mean: 20s"),
            ]
        ),
        one(
            "weibull",
            "The time to a failure whose rate rises (shape above 1) or falls (below 1).",
            [("shape", number), ("scale", duration)],
            "scale · Γ(1 + 1 / shape)",
            "shape: 2, scale: 10s"
        ),
        one(
            "uniform",
            "Every value between two equally likely.",
            [("low", duration), ("high", duration)],
            "(low + high) / 2",
            "low: 10s, high: 30s"
        ),
        one(
            "triangular",
            "An expert's estimate: the smallest, the most likely and the largest value.",
            [("min", duration), ("mode", duration), ("max", duration)],
            "(min + mode + max) / 3",
            "min: 1m, mode: 2m, max: 6m"
        ),
        one(
            "quantiles",
            "Known quantiles with straight lines between them.",
            [("p0", duration), ("p50", duration), ("p100", "\(duration); any points from p0 to p100, two at least")],
            "the area under the lines",
            "p0: 1s, p50: 3s, p100: 9s"
        ),
        DistributionDescription(
            name: "mixture",
            meaning: "One of several distributions, chosen by weight.",
            forms: [
                Form(
                    parameters: [.init(name: "weight", unit: number), .init(name: "of", unit: "a distribution")],
                    mean: "the mean of the parts by weight",
                    example: "{mixture: [{weight: 0.9, of: 1s}, {weight: 0.1, of: {exponential: {mean: 20s}}}]}"
                )
            ]
        ),
        one(
            "empirical",
            "The values of a data column, drawn with equal probability.",
            [
                ("file", "CSV or Parquet"), ("column", "its name"),
                ("unit", "that of the column: d, h, m, s, ms, us, ns"),
            ],
            "the mean of the values",
            "file: waits.csv, column: wait_s, unit: s"
        ),
        one(
            "shifted",
            "Another distribution shifted to the right.",
            [("by", duration), ("of", "a distribution")],
            "by + the mean of the other",
            "by: 2s, of: {exponential: {mean: 5s}}"
        ),
    ]

    private static let duration = "duration"
    private static let number = "number above 0"

    /// The names in references: the name of each family, and the name of all families.
    public static let names = ["distribution", "distributions"] + all.map(\.name)

    /// Returns the families with a name; nil if there are none.
    public static func named(_ name: String) -> [DistributionDescription]? {
        if name == "distribution" || name == "distributions" { return all }
        let found = all.filter { $0.name == name }
        return found.isEmpty ? nil : found
    }

    private static func one(
        _ name: String,
        _ meaning: String,
        _ parameters: [(String, String)],
        _ mean: String,
        _ example: String
    ) -> DistributionDescription {
        DistributionDescription(name: name, meaning: meaning, forms: [form(name, parameters, mean, example)])
    }

    private static func form(_ name: String, _ parameters: [(String, String)], _ mean: String, _ example: String)
        -> Form
    {
        Form(
            parameters: parameters.map { Form.Parameter(name: $0.0, unit: $0.1) },
            mean: mean,
            example: example.contains(":") ? "{\(name): {\(example)}}" : "{\(name): \(example)}"
        )
    }
}

extension DistributionDescription.Form {
    /// The mean of the example, to four digits; nil if it depends on a file.
    public var exampleMean: String? {
        exampleDistribution.map { DurationText.text(microseconds: NumberText.rounded($0.mean, digits: 4)) }
    }

    /// The example as a distribution; nil if its values are in a file.
    var exampleDistribution: Distribution? {
        guard let root = YAMLText(example).compose().root else { return nil }
        var reading = Reading()
        let distribution = DistributionNotation(measure: .duration, depth: 1).read(root, "example", &reading)
        if case .empirical? = distribution { return nil }
        return distribution
    }
}
