import Evaluation
import Histogram
import LoadGenerator
import Reporting
import Results
import Shell

/// The rows of summary.csv that all loads have in common.
extension SummaryRow {
    /// The quantiles stated for times.
    static let quantiles = Unanswered.quantiles.map { (name: $0.0, percent: $0.1 * 100) }

    /// A count; without a value if it is unknown.
    static func count(_ metric: String, _ value: Int?, scope: String = "all") -> SummaryRow {
        SummaryRow(metric, value.map { .integer(Int64($0)) }, scope: scope)
    }

    /// A derived number; without a value if it is undefined.
    static func number(_ metric: String, _ stat: String, _ value: Double?, scope: String = "all") -> SummaryRow {
        SummaryRow(metric, stat, value.map { .decimal($0) }, scope: scope)
    }

    /// The quantiles of times [µs]; without values if there are no times.
    static func quantiles(
        _ metric: String,
        scope: String = "all",
        count: UInt64,
        _ value: (Double) -> UInt64
    ) -> [SummaryRow] {
        quantiles.map { name, percent in
            let value: Value? = count > 0 ? .integer(Int64(value(percent))) : nil
            return SummaryRow(metric, name, value, scope: scope)
        }
    }

    /// The shortest and the longest wait [µs]; without values if there are none.
    static func waits(_ metric: String, _ waits: ClosedRange<UInt64>?, scope: String = "all") -> [SummaryRow] {
        [("min", waits?.lowerBound), ("max", waits?.upperBound)]
            .map { SummaryRow(metric, $0, $1.map { .integer(Int64($0)) }, scope: scope) }
    }

    /// The mean and the quantiles of times [µs]; without values if there are no times.
    static func times(_ metric: String, _ times: LoadTally.Times, scope: String = "all") -> [SummaryRow] {
        let mean: Value? = times.totalCount > 0 ? .decimal(times.mean) : nil
        return [SummaryRow(metric, "mean", mean, scope: scope)]
            + quantiles(metric, scope: scope, count: times.totalCount, times.valueAtPercentile)
    }
}

extension LoadTally.Outcomes {
    /// The shortest and the longest wait of requests without an answer; without values if there are none.
    func waitRows(scope: String = "all") -> [SummaryRow] {
        SummaryRow.waits(Unanswered.wait, waits, scope: scope)
    }

    /// The rows of one kind of request without an answer: all, those that were never sent, and their waits.
    func missingRows(_ metric: String, scope: String) -> [SummaryRow] {
        [
            .count(metric, missing, scope: scope), .count(metric, notSent, scope: "\(scope);why:not_sent"),
        ] + waitRows(scope: scope)
    }

    /// The rows of requests without an answer, in all and by reason, except requests on which the other side has not acted;
    /// and of their waits.
    func missingRows(_ metric: String) -> [SummaryRow] {
        [
            ("all", missing), ("why:timed_out", timedOut), ("why:not_sent", notSent),
            ("why:connection_lost", connectionLost),
        ]
        .map { .count(metric, $1, scope: $0) } + waitRows()
    }
}

extension LoadTally {
    /// The beginning of a note: how late the generator handled a request at most.
    var latestRequest: String {
        "The generator itself was late by \(ProgressLine.span(Int64(lateness.maxRecorded))) at most"
    }
}

extension MetricHistogram {
    /// The histogram of times [µs] for the result files.
    init(metric: String, _ times: LoadTally.Times) {
        let buckets = times.recordedValues()
            .map { step in
                let range = times.equivalentRangeForValue(step.value)
                return (low: Double(range.lowerBound), high: Double(range.upperBound), weight: Int64(step.count))
            }
        self.init(metric: metric, buckets: buckets)
    }
}
