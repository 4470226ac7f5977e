import Evaluation
import InputFiles

extension Factor.Levels {
    /// Reads levels: a list, named values, or a range with `from` and `to`.
    ///
    /// An absent value is labelled by the word for it, because `none` may be taken for zero.
    ///
    /// - Parameter key: The path of the value that varies.
    init?(_ node: ScenarioNode, of key: String, _ path: String, _ reading: inout Reading) {
        if let values = node.list {
            self = .listed(
                values.map { node in
                    let value = node.yamlFlow
                    let absence = node.isNone ? KeyDescription.absence(at: key, value) : nil
                    return FactorLevel(value: absence ?? value, origin: Origin(node.place))
                }
            )
        } else if let entries = node.mapping, !entries.contains(where: { $0.key == "from" || $0.key == "to" }) {
            for entry in entries where entry.key.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9 _.+%-]{0,39}/) == nil {
                reading.refuse(
                    path,
                    at: entry.keyPlace,
                    "has the level \(ScenarioNode.quoted(entry.key)); allowed names: up to 40 letters, digits, blanks and _ . + % -"
                )
                return nil
            }
            self = .listed(
                entries.map { FactorLevel(label: $0.key, value: $0.value.yamlFlow, origin: Origin($0.value.place)) }
            )
        } else if node.mapping != nil {
            guard let raw = Section<RawRange>.range.read(node, path, &reading),
                let range = FactorRange(raw, at: node.place, path, &reading)
            else { return nil }
            self = .range(range)
        } else {
            reading.refuse(
                path,
                at: node.place,
                "must be levels, got \(node.excerpt); allowed: [1m, 2m], {short: 1m, long: 2m} or {from: 1m, to: 5m, steps: 5}"
            )
            return nil
        }
        guard case .listed(let levels) = self else { return }
        guard (1...1000).contains(levels.count) else {
            reading.refuse(path, at: node.place, "must hold 1 … 1000 levels, got \(levels.count)")
            return nil
        }
        for level in levels where level.value.isEmpty {
            reading.refuse(path, at: level.origin.place, "has a level without a value")
            return nil
        }
        var seen: Set<String> = []
        for level in levels where !seen.insert(level.label).inserted {
            reading.refuse(path, at: level.origin.place, "has the level \(ScenarioNode.quoted(level.label)) twice")
            return nil
        }
        // Named levels may be equal, because zipped factors need not all differ.
        var amounts: [Amount.Magnitude: String] = [:]
        for level in levels where level.label == level.value {
            guard let amount = Amount(level.value)?.magnitude else { continue }
            guard let same = amounts.updateValue(level.label, forKey: amount) else { continue }
            reading.refuse(
                path,
                at: level.origin.place,
                "has the level \(ScenarioNode.quoted(level.label)), which equals \(ScenarioNode.quoted(same))"
            )
            return nil
        }
    }

    /// The levels as written to a file.
    var written: StructuredValue {
        switch self {
        case .listed(let levels):
            levels.allSatisfy { $0.label == $0.value }
                ? .list(levels.map { .word($0.value) })
                : .mapping(levels.map { .init(key: $0.label, value: .word($0.value)) }, isCompact: false)
        case .range(let range): range.written
        }
    }
}

/// A range as in a file.
private struct RawRange {
    var from = ""
    var to = ""
    var steps: Int?
    var scale = FactorRange.Scale.linear
}

extension Section where Whole == RawRange {
    fileprivate static var range: Section {
        Section("A range of values.", RawRange()) {
            Field("from", \.from, .amountText, isRequired: true).means("The first value.")
            Field("to", \.to, .amountText, isRequired: true).means("The last value.")
            Field("steps", \.steps, .optional(.integer(1...10_000), .auto))
                .means("Number of values in a grid, including both ends.")
            Field("scale", \.scale, .name).means("Spacing of the values: equal differences or equal ratios.")
        }
    }
}

extension Notation where Value == String {
    /// A number or a duration, as text.
    fileprivate static var amountText: Notation { .amount(write: \.self) { Amount($0) == nil ? nil : $0 } }
}

extension FactorRange {
    fileprivate init?(_ raw: RawRange, at place: Place, _ path: String, _ reading: inout Reading) {
        guard let from = Amount(raw.from), let to = Amount(raw.to) else { return nil }
        let (lower, upper, measure): (Double, Double, Measure)
        switch (from, to) {
        case (.duration(let first), .duration(let last)):
            (lower, upper, measure) = (first, last, .duration)
        case (.percent(let first), .percent(let last)):
            // The number is read from the text, because a hundredth times a hundred may differ in the last bit.
            func percent(_ text: String, _ share: Double) -> Double {
                NumberText.number(String(text.dropLast())) ?? share * 100
            }
            (lower, upper, measure) = (percent(raw.from, first), percent(raw.to, last), .percent)
        case (.number(let first), .number(let last)):
            let isWhole = [raw.from, raw.to].allSatisfy(\.isWholeNumber)
            (lower, upper, measure) = (first, last, isWhole ? .integer : .number)
        default:
            reading.refuse(
                path,
                at: place,
                "must have ends of the same kind, got \(raw.from) and \(raw.to)"
            )
            return nil
        }
        guard max(lower.magnitude, upper.magnitude) <= FactorRange.largest else {
            reading.refuse(path, at: place, "must lie within ±1e15, got from \(raw.from) to \(raw.to)")
            return nil
        }
        guard lower < upper else {
            reading.refuse(path, at: place, "must go up, got from \(raw.from) to \(raw.to)")
            return nil
        }
        guard raw.scale == .linear || lower > 0 else {
            reading.refuse(path, at: place, "must begin above 0 on a log scale, got \(raw.from)")
            return nil
        }
        self.init(
            lower: lower,
            upper: upper,
            measure: measure,
            scale: raw.scale,
            steps: raw.steps,
            origin: Origin(place),
            ends: [raw.from, raw.to]
        )
    }

    fileprivate var written: StructuredValue {
        .compact([
            "from": .word(ends[0]), "to": .word(ends[1]),
            "steps": steps.map { .number("\($0)") } ?? .word(Absence.auto.word),
            "scale": .word(scale.rawValue),
        ])
    }
}
