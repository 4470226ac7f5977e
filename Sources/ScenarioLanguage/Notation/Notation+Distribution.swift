package import SimulationKernel
import TextFormats

extension Notation where Value == Distribution {
    /// Returns the notation of a distribution: a bare value, which is a constant, or a mapping of a family's key to its
    /// parameters.
    static func distribution(of measure: Measure) -> Notation {
        Notation(
            read: DistributionNotation(measure: measure, depth: 1).read,
            write: DistributionNotation(measure: measure, depth: 1).write,
            schema: ["$ref": .text("#/$defs/\(measure.definition)")],
            visitDistributions: { distribution, path, visitor in visitor(&distribution, path) },
            draw: { draws, usual in
                var scale = draws.one(of: measure.typicalScales)
                if case .constant(let usual)? = usual, usual > 0 { scale = usual }
                return draws.distribution(scale: scale, unit: measure.unit)
            }
        )
    }

    /// A distribution of durations.
    static var durations: Notation { .distribution(of: .duration) }

    /// Returns the notation of durations with this size in random scenarios.
    static func durations(seconds: Double...) -> Notation {
        durations.drawn { $0.distribution(scale: $0.one(of: seconds) * 1e6, unit: 1e6) }
    }

    /// Durations between recurring events; in random scenarios they are never all zero, so that time passes.
    static var pauses: Notation {
        durations.drawn { draws in
            let scale = Double(draws.number(5...90)) * 1e6
            let drawn = draws.distribution(scale: scale, unit: 1e6)
            return drawn == .constant(0) ? .constant(scale) : drawn
        }
    }

    /// A distribution of plain numbers.
    static var numbers: Notation { .distribution(of: .number) }
}

/// Reads and writes distributions of one measure; distributions inside mixtures are one level deeper.
package struct DistributionNotation {
    /// The maximum nesting of mixtures and shifts.
    static let deepest = 8

    let measure: Measure
    let depth: Int

    /// The notation of a measure's distributions, at a depth of nesting from 1.
    package init(measure: Measure, depth: Int) {
        self.measure = measure
        self.depth = depth
    }

    private var forms: [DistributionForm] { measure.isDuration ? Self.formsOfDurations : Self.formsOfNumbers }

    // It is made once; its closures hold no mutable state.
    private nonisolated(unsafe) static let formsOfDurations = DistributionForm.all(.duration)
    private nonisolated(unsafe) static let formsOfNumbers = DistributionForm.all(.number)

    private var inner: Notation<Distribution> {
        let inner = DistributionNotation(measure: measure, depth: depth + 1)
        return Notation(
            read: inner.read,
            write: inner.write,
            schema: ["$ref": .text("#/$defs/\(measure.definition)")]
        )
    }

    /// The keys of all families of durations and numbers.
    static let familyKeys = Set(DistributionNotation(measure: .duration, depth: 1).keys)

    /// The keys of all families, in the order of the documentation.
    var keys: [String] {
        (["constant"] + forms.map(\.key)).unique + ["quantiles", "mixture", "empirical", "shifted"]
    }

    func read(_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Distribution? {
        guard depth <= Self.deepest else {
            reading.refuse(
                path,
                at: node.place,
                "is nested too deeply; allowed: \(Self.deepest) levels of distributions"
            )
            return nil
        }
        if node.scalar != nil {
            return measure.value.read(node, path, &reading).map { .constant($0) }
        }
        guard let entries = node.mapping, let entry = entries.first, entries.count == 1 else {
            let found = node.mapping.map { "\($0.count) keys" } ?? node.excerpt
            let message = "must be a value or a distribution of \(measure.name) by one key, got \(found)"
            reading.refuse(path, at: node.place, "\(message); allowed: \(keys.joined(separator: ", "))")
            return nil
        }
        let innerPath = Reading.path(path, entry.key)
        reading.visit(innerPath, at: entry.value.place)
        switch entry.key {
        case "constant": return measure.value.read(entry.value, innerPath, &reading).map { .constant($0) }
        case "quantiles": return quantiles.read(entry.value, innerPath, &reading).map { .quantiles($0) }
        case "mixture": return mixture.read(entry.value, innerPath, &reading).map { .mixture($0) }
        case "empirical":
            return Notation.section(.empirical(measure)).read(entry.value, innerPath, &reading).map { .empirical($0) }
        case "shifted":
            let read = Notation.section(.shift(inner, measure)).read(entry.value, innerPath, &reading)
            return read.map { .shifted(by: $0.amount, $0.distribution) }
        default:
            return readForm(entry, path, &reading)
        }
    }

    package func write(_ distribution: Distribution) -> StructuredValue {
        for form in forms {
            if let written = form.write(distribution) {
                return .mapping([.init(key: form.key, value: written)], isCompact: true)
            }
        }
        switch distribution {
        case .constant(let value):
            return measure.value.write(value)
        case .quantiles(let points):
            return .compact(["quantiles": quantiles.write(points)])
        case .mixture(let components):
            return .compact(["mixture": mixture.write(components)])
        case .empirical(let values):
            return .compact(["empirical": Notation.compactSection(.empirical(measure)).write(values)])
        case .shifted(let amount, let distribution):
            let shift = Shift(amount: amount, distribution: distribution)
            return .compact(["shifted": Notation.compactSection(.shift(inner, measure)).write(shift)])
        case .lognormalOfLog(let mu, let sigma, let unit):
            preconditionFailure("a lognormal (\(mu), \(sigma)) in another unit (\(unit)) cannot be written")
        case .uniform, .triangular, .exponential, .lognormal, .gamma, .weibull:
            preconditionFailure("every family that is given by numbers has a form")
        }
    }

    /// The JSON Schema definition of all distributions of the measure.
    var definition: StructuredValue {
        func tagged(_ key: String, _ schema: StructuredValue) -> StructuredValue {
            [
                "type": "object", "additionalProperties": false,
                "properties": .mapping([.init(key: key, value: schema)], isCompact: false), "required": [.text(key)],
            ]
        }
        let alternatives =
            [measure.value.schema(), tagged("constant", measure.value.schema())]
            + forms.map { tagged($0.key, $0.schema) }
            + [
                tagged("quantiles", quantiles.schema()),
                tagged("mixture", mixture.schema()),
                tagged("empirical", Section.empirical(measure).schema),
                tagged("shifted", Section.shift(inner, measure).schema),
            ]
        return ["description": "A value, or a distribution by one key.", "anyOf": .list(alternatives)]
    }

    private var quantiles: Notation<[QuantilePoint]> { .quantilePoints(measure) }

    private var mixture: Notation<[MixtureComponent]> {
        .list(of: .compactSection(.mixtureComponent(inner)), count: 1...64)
    }

    private func readForm(_ entry: ScenarioNode.Entry, _ path: String, _ reading: inout Reading) -> Distribution? {
        let candidates = forms.filter { $0.key == entry.key }
        guard !candidates.isEmpty else {
            let advice = Suggestion.advice(for: entry.key, among: keys)
            reading.refuse(
                path,
                at: entry.keyPlace,
                "must be a distribution, got \(ScenarioNode.quoted(entry.key)); \(advice)"
            )
            return nil
        }
        let innerPath = Reading.path(path, entry.key)
        let names = Set((entry.value.mapping ?? []).map(\.key))
        guard let entries = entry.value.mapping,
            let form = candidates.first(where: { Set($0.parameters.map(\.name)) == names })
        else {
            let found = entry.value.mapping.map(Self.keys)
            let allowed = candidates.map { "{\($0.parameters.map(\.name).joined(separator: ", "))}" }
            let message = "must be given by its parameters, got \(found ?? entry.value.excerpt)"
            reading.refuse(
                innerPath,
                at: entry.value.place,
                "\(message); allowed: \(allowed.joined(separator: " or "))"
            )
            return nil
        }
        return form.read(entries, innerPath, &reading)
    }

    /// Returns the keys of a mapping for a message, which names the first eight.
    private static func keys(of entries: [ScenarioNode.Entry]) -> String {
        let shown = entries.prefix(8).map { OneLine.excerpt($0.key) }.joined(separator: ", ")
        return "the keys \(shown)\(entries.count > 8 ? " and \(entries.count - 8) more" : "")"
    }
}

/// A shifted distribution, as a section.
struct Shift {
    var amount: Double
    var distribution: Distribution
}

extension Section where Whole == Shift {
    static func shift(_ distribution: Notation<Distribution>, _ measure: Measure) -> Section {
        Section("A distribution shifted to the right.", Shift(amount: 0, distribution: .constant(0))) {
            Field("by", \.amount, measure.value, isRequired: true).means("The shift.")
            Field("of", \.distribution, distribution, isRequired: true).means("The distribution to shift.")
        }
    }
}

extension Section where Whole == MixtureComponent {
    static func mixtureComponent(_ distribution: Notation<Distribution>) -> Section {
        Section("A component of a mixture.", MixtureComponent(weight: 1, distribution: .constant(0))) {
            Field("weight", \.weight, .positiveNumber(upTo: 1e9), isRequired: true)
                .means("The weight of the component, relative to the sum of all weights.")
            Field("of", \.distribution, distribution, isRequired: true).means("The part.")
        }
    }
}
