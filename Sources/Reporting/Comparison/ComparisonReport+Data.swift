import Experiments
import LiveActivityModel
import TextFormats

/// The comparison for scripts.
extension ComparisonReport {
    /// One JSON object; ends with a newline.
    public var json: String {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        let changes = comparison.changes.map { change -> JSONValue in
            ["path": .string(change.path), "first": text(change.first), "second": text(change.second)]
        }
        let metrics = comparison.metrics.map { metric in
            JSONValue.object(Dictionary(uniqueKeysWithValues: Self.columns.map { ($0.name, $0.value(metric)) }))
        }
        let value: JSONValue = [
            "first": Self.value(of: comparison.first), "second": Self.value(of: comparison.second),
            "paired": .bool(!comparison.options.isUnpaired), "noise": .decimal(comparison.options.noise, places: 6),
            "changes": .array(changes), "notes": .array(comparison.notes.map { .string($0) }),
            "metrics": .array(metrics), "verdict": .string(comparison.verdict.rawValue),
        ]
        return value.text
    }

    /// A row a metric, as `freshet compare --format csv` prints it.
    public var csv: String {
        CSVText.text(
            header: Self.columns.map(\.name),
            rows: comparison.metrics.map { metric in Self.columns.map { CSVText.field($0.value(metric)) } }
        )
    }

    /// What is told of a metric, in the order of the columns.
    private static let columns: [(name: String, value: @Sendable (MetricComparison) -> JSONValue)] = [
        ("response", { .string($0.response) }), ("unit", { .string($0.unit) }),
        ("direction", { .string($0.direction.rawValue) }), ("first", { number($0.first) }),
        ("second", { number($0.second) }), ("difference", { number($0.difference) }),
        ("ci_low", { number($0.interval?.lowerBound) }), ("ci_high", { number($0.interval?.upperBound) }),
        ("noise", { number($0.noise) }), ("detectable", { number($0.detectable) }),
        ("n_first", { .integer(Int64($0.counts.numbers.first)) }),
        ("n_second", { .integer(Int64($0.counts.numbers.second)) }), ("verdict", { .string($0.verdict.rawValue) }),
    ]

    private static func number(_ value: Double?) -> JSONValue { value.map { .decimal($0, places: 6) } ?? .null }

    private static func value(of run: RecordedRun) -> JSONValue {
        [
            "path": .string(run.path), "name": .string(run.scenario.name), "run_id": .string(run.id),
            "fingerprint": .string(run.fingerprint), "seed": .unsigned(run.scenario.seed),
            "replications": .integer(Int64(run.replications)),
        ]
    }
}

extension MetricComparison.Counts {
    /// How many values of either run take part.
    var numbers: (first: Int, second: Int) {
        switch self {
        case .pairs(let count): (count, count)
        case .independent(let first, let second): (first, second)
        }
    }
}
