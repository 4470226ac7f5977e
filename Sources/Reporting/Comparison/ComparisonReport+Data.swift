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
        let value: JSONValue = [
            "first": Self.value(of: comparison.first), "second": Self.value(of: comparison.second),
            "paired": .bool(!comparison.options.isUnpaired), "noise": .decimal(comparison.options.noise, places: 6),
            "changes": .array(changes), "notes": .array(comparison.notes.map { .string($0) }),
            "metrics": .array(comparison.metrics.map(Self.value)), "verdict": .string(comparison.verdict.rawValue),
        ]
        return value.text
    }

    /// A row a metric, as `freshet compare --format csv` prints it.
    public var csv: String {
        CSVText(
            header: [
                "response", "unit", "direction", "first", "second", "difference", "ci_low", "ci_high", "noise",
                "detectable", "n_first", "n_second", "verdict",
            ],
            rows: comparison.metrics.map { metric in
                let numbers = [
                    metric.first, metric.second, metric.difference, metric.interval?.lowerBound,
                    metric.interval?.upperBound, metric.noise, metric.detectable,
                ]
                let (first, second) = metric.counts.numbers
                return [metric.response, metric.unit, metric.direction.rawValue] + numbers.map { CSVText.field($0) }
                    + ["\(first)", "\(second)", metric.verdict.rawValue]
            }
        )
        .text
    }

    private static func value(of run: RecordedRun) -> JSONValue {
        [
            "path": .string(run.path), "name": .string(run.scenario.name), "run_id": .string(run.id),
            "fingerprint": .string(run.fingerprint), "seed": .unsigned(run.scenario.seed),
            "replications": .integer(Int64(run.replications)),
        ]
    }

    private static func value(of metric: MetricComparison) -> JSONValue {
        func number(_ value: Double?) -> JSONValue { value.map { .decimal($0, places: 6) } ?? .null }
        let (first, second) = metric.counts.numbers
        return [
            "response": .string(metric.response), "unit": .string(metric.unit),
            "direction": .string(metric.direction.rawValue), "first": number(metric.first),
            "second": number(metric.second), "difference": number(metric.difference),
            "ci_low": number(metric.interval?.lowerBound), "ci_high": number(metric.interval?.upperBound),
            "noise": number(metric.noise), "detectable": number(metric.detectable), "n_first": .integer(Int64(first)),
            "n_second": .integer(Int64(second)),
            "verdict": .string(metric.verdict.rawValue),
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
