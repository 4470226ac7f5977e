import LiveActivityModel
import Results
import TextFormats

/// The comparison for scripts.
extension ComparisonReport {
    /// One JSON object; ends with a newline.
    public var json: String {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        let changes = comparison.changes.map { change -> JSONValue in
            ["path": .string(change.path), "first": text(change.first), "second": text(change.second)]
        }
        let notes = [comparison.noteOnVersions].filter { !$0.isEmpty } + comparison.notes
        let metrics = comparison.metrics.map { metric in
            JSONValue.object(Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.value(metric)) }))
        }
        let value: JSONValue = [
            "first": sides.first.json, "second": sides.second.json,
            "paired": .bool(comparison.metrics.contains(where: \.isPaired)),
            "noise": .decimal(comparison.options.noise, places: 6),
            "changes": .array(changes), "notes": .array(notes.map { .string($0) }),
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
    /// - Parameter cohort: The cohort of the results that is meant; nil for all.
    init(_ results: RecordedResults, cohort: String? = nil) {
        let replications = Format.replications(results.replications)
        let extent =
            results.isLoad
            ? "" : results.isSweep ? "\(results.pointCount) design points, \(replications) each, " : "\(replications), "
        title =
            (cohort.map { "cohort \(OneLine.text($0)) of " } ?? "")
            + "\(OneLine.text(results.path)) (\(results.name), seed \(results.seed), \(extent)"
            + "\(results.isSweep ? "sweep" : "run") \(results.id))"
        (name, id) = (results.name, results.id)
        var members: [String: JSONValue] = [
            "path": .string(results.path), "name": .string(results.name), "seed": .unsigned(results.seed),
            results.isSweep ? "sweep_id" : "run_id": .string(results.id),
        ]
        members["fingerprint"] = results.fingerprint.map { .string($0) }
        members["cohort"] = cohort.map { .string($0) }
        if !results.isLoad { members["replications"] = .integer(Int64(results.replications)) }
        if results.isSweep { members["design_points"] = .integer(Int64(results.pointCount)) }
        json = .object(members)
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
