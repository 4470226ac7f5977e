import InputFiles
import SimulationKernel

/// A set of parameters of a family of distributions: a key with a few numbers, all of them required.
struct DistributionForm {
    /// A parameter with its name and its notation.
    struct Parameter {
        let name: String
        let notation: Notation<Double>
    }

    /// A rule that involves several numbers.
    struct Rule {
        /// The parameter to report.
        let parameter: Int
        /// The requirement, for the message.
        let expectation: String
        let holds: ([Double]) -> Bool
    }

    /// The family's key.
    let key: String
    let parameters: [Parameter]
    let rules: [Rule]
    /// Makes the distribution with these numbers.
    let build: ([Double]) -> Distribution
    /// Returns the numbers of a distribution of this form; nil for others.
    let numbers: (Distribution) -> [Double]?

    init(
        _ key: String,
        _ parameters: KeyValuePairs<String, Notation<Double>>,
        rules: [Rule] = [],
        build: @escaping ([Double]) -> Distribution,
        numbers: @escaping (Distribution) -> [Double]?
    ) {
        self.key = key
        self.parameters = parameters.map { Parameter(name: $0.key, notation: $0.value) }
        self.rules = rules
        self.build = build
        self.numbers = numbers
    }

    /// Returns the forms of all families with numbers as parameters; a family may have several.
    static func all(_ measure: Measure) -> [DistributionForm] {
        let shape = Notation<Double>.positiveNumber(upTo: 1e6)
        let (value, positive) = (measure.value, measure.positiveValue)
        return [
            DistributionForm("exponential", ["mean": positive]) {
                .exponential(mean: $0[0])
            } numbers: {
                if case .exponential(let mean) = $0 { [mean] } else { nil }
            },
            DistributionForm(
                "lognormal",
                ["median": positive, "p95": positive],
                rules: [Rule(parameter: 1, expectation: "above the median") { $0[0] < $0[1] }]
            ) {
                .lognormal(median: $0[0], p95: $0[1])
            } numbers: {
                if case .lognormal(let median, let p95) = $0 { [median, p95] } else { nil }
            },
            DistributionForm("lognormal", ["mu": .number(-50...50), "sigma": .positiveNumber(upTo: 20)]) {
                .lognormalOfLog(mu: $0[0], sigma: $0[1], unit: measure.unit)
            } numbers: {
                if case .lognormalOfLog(let mu, let sigma, measure.unit) = $0 { [mu, sigma] } else { nil }
            },
            DistributionForm("gamma", ["shape": shape, "scale": positive]) {
                .gamma(shape: $0[0], scale: $0[1])
            } numbers: {
                if case .gamma(let shape, let scale) = $0 { [shape, scale] } else { nil }
            },
            DistributionForm(
                "gamma",
                ["shape": shape, "mean": positive],
                rules: [
                    Rule(parameter: 1, expectation: "a mean whose scale (mean / shape) is within the scale's range") {
                        (measure.smallestScale...measure.largest).contains($0[1] / $0[0])
                    }
                ]
            ) {
                .gamma(shape: $0[0], scale: $0[1] / $0[0])
            } numbers: { _ in
                nil
            },
            DistributionForm("weibull", ["shape": shape, "scale": positive]) {
                .weibull(shape: $0[0], scale: $0[1])
            } numbers: {
                if case .weibull(let shape, let scale) = $0 { [shape, scale] } else { nil }
            },
            DistributionForm(
                "uniform",
                ["low": value, "high": value],
                rules: [Rule(parameter: 1, expectation: "at least low") { $0[0] <= $0[1] }]
            ) {
                .uniform(low: $0[0], high: $0[1])
            } numbers: {
                if case .uniform(let low, let high) = $0 { [low, high] } else { nil }
            },
            DistributionForm(
                "triangular",
                ["min": value, "mode": value, "max": value],
                rules: [
                    Rule(parameter: 1, expectation: "at least min") { $0[0] <= $0[1] },
                    Rule(parameter: 2, expectation: "at least the mode") { $0[1] <= $0[2] },
                ]
            ) {
                .triangular(min: $0[0], mode: $0[1], max: $0[2])
            } numbers: {
                if case .triangular(let min, let mode, let max) = $0 { [min, mode, max] } else { nil }
            },
        ]
    }

    /// Reads the distribution from a mapping with exactly this form's parameters; returns nil after refusing it.
    func read(_ entries: [ScenarioNode.Entry], _ path: String, _ reading: inout Reading) -> Distribution? {
        var numbers: [Double] = []
        var places: [Place] = []
        for parameter in parameters {
            guard let entry = entries.first(where: { $0.key == parameter.name }) else { return nil }
            places.append(entry.value.place)
            if let number = parameter.notation.read(entry.value, Reading.path(path, parameter.name), &reading) {
                numbers.append(number)
            }
        }
        guard numbers.count == parameters.count else { return nil }
        if let rule = rules.first(where: { !$0.holds(numbers) }) {
            let parameterPath = Reading.path(path, parameters[rule.parameter].name)
            reading.refuse(parameterPath, at: places[rule.parameter], "must be \(rule.expectation)")
            return nil
        }
        return build(numbers)
    }

    /// Returns the mapping for a distribution of this form; nil for other distributions.
    func write(_ distribution: Distribution) -> StructuredValue? {
        guard let numbers = numbers(distribution) else { return nil }
        let entries = zip(parameters, numbers)
            .map { parameter, number in
                StructuredValue.Entry(key: parameter.name, value: parameter.notation.write(number))
            }
        return .mapping(entries, isCompact: true)
    }

    /// The JSON Schema of the mapping.
    var schema: StructuredValue {
        let properties = parameters.map { StructuredValue.Entry(key: $0.name, value: $0.notation.schema()) }
        return [
            "type": "object", "additionalProperties": false, "properties": .mapping(properties, isCompact: false),
            "required": .list(parameters.map { .text($0.name) }),
        ]
    }
}
