import InputFiles
import SimulationKernel

extension Section where Whole == EmpiricalValues {
    /// Returns the section for the values of a data column, which are read later, see ``DataFileReference``.
    static func empirical(_ measure: Measure) -> Section {
        let usual = EmpiricalValues(file: "", column: "", sorted: [])
        return Section("The values of a data column, drawn with equal probability.", usual) {
            Field("file", \.file, .dataFile, isRequired: true)
                .means("The CSV file, beside the scenario or in the working directory.")
            Field("column", \.column, .text(upTo: 256), isRequired: true)
                .means("The column's name in the file's header.")
            if !measure.columnUnits.isEmpty {
                Field("unit", \.unit, .columnUnit(measure), isRequired: true).means("The column's unit.")
            }
        }
    }
}

extension Notation where Value == String {
    /// The name of a data file, which is read later, see ``DataFileReference``.
    static var dataFile: Notation {
        let name = Notation.text(upTo: 4096)
        return Notation(
            read: { node, path, reading in
                guard let file = name.read(node, path, &reading) else { return nil }
                reading.refer(to: DataFileReference(file: file, path: path))
                return file
            },
            write: name.write,
            schema: name.schema()
        )
    }
}

extension Notation where Value == Double {
    /// Returns the notation of a data column's unit, as its size in base units.
    static func columnUnit(_ measure: Measure) -> Notation {
        let units = measure.columnUnits
        return Notation(
            "a unit",
            allowed: units.map(\.name).joined(separator: ", "),
            write: { size in
                guard let unit = units.first(where: { $0.base == size }) else {
                    preconditionFailure("a data column in units of \(size) microseconds cannot be written")
                }
                return .word(unit.name)
            },
            schema: ["enum": .list(units.map { .text($0.name) })],
            parse: { text throws(Remark) in units.first { $0.name == text }?.base }
        )
    }
}

extension Notation where Value == [QuantilePoint] {
    /// Returns the notation of a quantile function's points: `{p0: …, p50: …, p99.9: …}`, in any order.
    static func quantilePoints(_ measure: Measure) -> Notation {
        Notation(
            read: { node, path, reading in
                let allowed = "allowed: at least two of p0 … p100, such as {p5: …, p50: …, p99.9: …}"
                guard let entries = node.mapping, (2...1000).contains(entries.count) else {
                    let found = node.mapping.map { "\($0.count)" } ?? node.excerpt
                    reading.refuse(path, at: node.place, "must hold 2 … 1000 points, got \(found); \(allowed)")
                    return nil
                }
                var points: [(point: QuantilePoint, entry: ScenarioNode.Entry)] = []
                for entry in entries {
                    let pointPath = Reading.path(path, entry.key)
                    guard let probability = probability(entry.key) else {
                        let found = ScenarioNode.quoted(entry.key)
                        reading.refuse(path, at: entry.keyPlace, "must have keys p0 … p100, got \(found); \(allowed)")
                        continue
                    }
                    if let value = measure.value.read(entry.value, pointPath, &reading) {
                        points.append((QuantilePoint(probability: probability, value: value), entry))
                    }
                }
                guard points.count == entries.count else { return nil }
                points.sort { $0.point.probability < $1.point.probability }
                for (earlier, later) in zip(points, points.dropFirst()) {
                    let laterPath = Reading.path(path, later.entry.key)
                    if earlier.point.probability == later.point.probability {
                        reading.refuse(laterPath, at: later.entry.keyPlace, "is the same point as \(earlier.entry.key)")
                        return nil
                    }
                    if earlier.point.value > later.point.value {
                        let found = later.entry.value.excerpt
                        let message =
                            "must be at least \(earlier.entry.key), got \(found) after \(earlier.entry.value.excerpt)"
                        reading.refuse(laterPath, at: later.entry.value.place, message)
                        return nil
                    }
                }
                return points.map(\.point)
            },
            write: { points in
                let entries = points.map { point in
                    StructuredValue.Entry(key: key(point.probability), value: measure.value.write(point.value))
                }
                return .mapping(entries, isCompact: true)
            },
            schema: [
                "type": "object", "minProperties": 2, "additionalProperties": false,
                "patternProperties": [#"^p(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?)$"#: measure.value.schema()],
            ]
        )
    }

    private static func probability(_ key: String) -> Double? {
        // Finer probabilities could not be written and read back as the same number.
        guard key.hasPrefix("p"), key.utf8.count <= 32, let probability = NumberText.hundredths(String(key.dropFirst()))
        else { return nil }
        return (0...1).contains(probability) ? probability : nil
    }

    private static func key(_ probability: Double) -> String {
        "p" + NumberText.plainText(probability * 100) { NumberText.hundredths($0) == probability }
    }
}
