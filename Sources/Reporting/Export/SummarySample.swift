import TextFormats

/// A row of `summary.csv`, for conversion to a metrics format.
struct SummarySample {
    private let scope: String
    private let metric: String
    private let stat: String
    private let unit: String
    private let value: String
    private let interval: (low: String, high: String)

    /// The fields `scope,metric,stat,unit,value,ci_low,ci_high`.
    ///
    /// - Precondition: There are seven fields.
    init(_ fields: [String]) {
        precondition(fields.count == 7, "a row of the summary has seven fields")
        (scope, metric, stat, unit, value) = (fields[0], fields[1], fields[2], fields[3], fields[4])
        interval = (fields[5], fields[6])
    }

    /// Returns the means of tallies and ramps by metric, over everything, for the sums of histograms.
    static func means(_ rows: [[String]]) -> [String: String] {
        let means = rows.filter { $0[0] == "all" && $0[2] == "mean" && !$0[4].isEmpty }
        return Dictionary(means.map { ($0[1], $0[4]) }) { first, _ in first }
    }

    /// Adds the row's samples.
    ///
    /// Returns false if a value is not a number, or if the metric has samples of another kind.
    ///
    /// Undefined values are left out.
    ///
    /// - Parameters:
    ///   - labels: The labels of every sample, which identify the results.
    ///   - isPart: `true` if the row covers a part of the time and must not be added to a sum over everything.
    func add(to metrics: inout OpenMetricsText, labels: [OpenMetricsText.Label], isPart: Bool = false) -> Bool {
        guard !value.isEmpty else { return true }
        guard let number = number(value) else { return false }
        var labels = labels
        var base = "freshet_" + stem + (isPart ? "_by_window" : "")
        for part in parts {
            base += "_by_\(part.name)"
            labels.append(part)
        }
        var kind = OpenMetricsText.Kind.gauge
        var suffix = ""
        switch stat {
        case "total" where unit == "count" && !metric.contains("_live_at_"):
            kind = .counter
            suffix = "_total"
        case "total", "ratio":
            break
        case "count":
            // The histogram of the same name has a count of its own.
            base += "_observations"
        case "p50", "p95", "p99", "p999":
            base += "_quantile"
            labels.append(("quantile", "0.\(stat.dropFirst())".replacing("0.50", with: "0.5")))
        default:
            base += "_\(stat)"
        }
        let isAdded = metrics.add(
            base,
            kind: kind,
            unit: openMetricsUnit,
            help: help,
            suffix: suffix,
            labels: labels,
            value: number
        )
        guard isAdded else { return false }
        for (bound, text) in [("lower", interval.low), ("upper", interval.high)] where !text.isEmpty {
            guard let number = self.number(text) else { return false }
            let isAdded = metrics.add(
                base + "_interval",
                kind: .gauge,
                unit: openMetricsUnit,
                help: "Bounds of the 95 % confidence interval of \(help.prefix(1).lowercased() + help.dropFirst())",
                labels: labels + [("bound", bound)],
                value: number
            )
            guard isAdded else { return false }
        }
        return true
    }

    /// The part that the row describes, as labels: `stage:on_trip`, `during_ride`, `over:1m:after_ride`,
    /// `request:end;status:200`.
    private var parts: [OpenMetricsText.Label] {
        var words = scope.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }.map(String.init)[...]
        var labels: [OpenMetricsText.Label] = []
        while let word = words.popFirst(), word != "all" {
            if ["during_ride", "after_ride"].contains(word) {
                labels.append(("phase", word))
            } else {
                // `by:push` is the origin of an activity.
                labels.append((word == "by" ? "origin" : word, words.popFirst() ?? ""))
            }
        }
        return labels
    }

    private var help: String {
        let subject = stem.replacing("_", with: " ")
        return switch stat {
        case "total": "The total of \(subject)."
        case "ratio": "The value of \(subject)."
        case "p50", "p95", "p99", "p999": "Percentiles of \(subject)."
        case "count": "Number of values of \(subject)."
        default: "The \(stat) of \(subject)."
        }
    }

    /// The metric's name without the unit at its end, which OpenMetrics puts last.
    private var stem: String {
        for suffix in ["_us", "_count", "_ratio", "_bytes"] where metric.hasSuffix(suffix) {
            // The numerator of a ratio is not a ratio.
            return String(metric.dropLast(suffix.count))
        }
        return metric
    }

    private var openMetricsUnit: String {
        switch unit {
        case "us": "seconds"
        case "1": "ratio"
        case "bytes": "bytes"
        default: ""
        }
    }

    /// Returns the number in the unit of OpenMetrics; nil if the text is not a number.
    private func number(_ text: String) -> String? {
        guard DecimalText.isNumber(text) else { return nil }
        return unit == "us" ? DecimalText.seconds(fromMicroseconds: text) : text
    }
}
