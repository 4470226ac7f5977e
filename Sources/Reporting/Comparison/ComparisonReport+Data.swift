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
            JSONValue.object(Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.value(metric)) }))
        }
        let value: JSONValue = [
            "first": sides.first.json, "second": sides.second.json,
            "paired": .bool(comparison.metrics.contains(where: \.isPaired)),
            "noise": .decimal(comparison.options.noise, places: 6),
            "changes": .array(changes), "notes": .array(comparison.notes.map { .string($0) }),
            "metrics": .array(metrics), "verdict": .string(comparison.verdict.rawValue),
        ]
        return value.text
    }

    /// One row per metric, as printed by `freshet compare --format csv`.
    public var csv: String {
        CSVText.text(
            header: columns.map(\.name),
            rows: comparison.metrics.map { metric in columns.map { CSVText.field($0.value(metric)) } }
        )
    }

    /// The columns in order; for sweeps they begin with the design point.
    private var columns: [(name: String, value: @Sendable (MetricComparison) -> JSONValue)] {
        let hasPoints = comparison.metrics.contains { $0.point != nil }
        return (hasPoints ? [Self.pointColumn] : []) + Self.columns
    }

    private static let pointColumn: (name: String, value: @Sendable (MetricComparison) -> JSONValue) =
        ("point", { $0.point.map { .string($0) } ?? .null })

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
}

extension ComparisonReport.Side {
    init(_ run: RecordedRun) {
        let (scenario, replications) = (run.scenario, Format.replications(run.replications))
        title =
            "\(OneLine.text(run.path)) (\(scenario.name), seed \(scenario.seed), \(replications), run \(run.id))"
        (name, id) = (scenario.name, run.id)
        json = [
            "path": .string(run.path), "name": .string(scenario.name), "run_id": .string(run.id),
            "fingerprint": .string(run.fingerprint), "seed": .unsigned(scenario.seed),
            "replications": .integer(Int64(run.replications)),
        ]
    }

    init(_ load: RecordedLoad) {
        title = "\(OneLine.text(load.path)) (\(load.name), seed \(load.seed), run \(load.id))"
        (name, id) = (load.name, load.id)
        json = [
            "path": .string(load.path), "name": .string(load.name), "run_id": .string(load.id),
            "seed": .unsigned(load.seed),
        ]
    }

    init(_ sweep: RecordedSweep) {
        let (scenario, replications) = (sweep.scenario, Format.replications(sweep.replications))
        title =
            "\(OneLine.text(sweep.path)) (\(scenario.name), seed \(scenario.seed), \(sweep.pointCount) design points, "
            + "\(replications) each, sweep \(sweep.id))"
        (name, id) = (scenario.name, sweep.id)
        json = [
            "path": .string(sweep.path), "name": .string(scenario.name), "sweep_id": .string(sweep.id),
            "fingerprint": .string(sweep.fingerprint), "seed": .unsigned(scenario.seed),
            "replications": .integer(Int64(sweep.replications)),
            "design_points": .integer(Int64(sweep.pointCount)),
        ]
    }
}

extension MetricComparison {
    fileprivate var isPaired: Bool { if case .pairs = counts { true } else { false } }
}

extension MetricComparison.Counts {
    /// The number of values of either run that take part.
    var numbers: (first: Int, second: Int) {
        switch self {
        case .pairs(let count): (count, count)
        case .independent(let first, let second): (first, second)
        case .liveRuns: (1, 1)
        }
    }
}
