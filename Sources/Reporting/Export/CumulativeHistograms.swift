import Evaluation
import TextFormats

/// The histograms of a run, accumulated for OpenMetrics.
///
/// All runs have the same bounds, which Prometheus needs to compare runs: 2^k and 1.5 · 2^k microseconds, from 1 ms to
/// 29 h. They are among the finer bounds of the histograms in results, so nothing is estimated. A bucket of results
/// excludes its high bound, and a bucket of OpenMetrics includes it. Values are whole microseconds, so the OpenMetrics
/// bound is one microsecond less.
struct CumulativeHistograms {
    /// A histogram: weights by the high bound [µs] of their bucket.
    private struct Histogram {
        let unit: String
        var weights: [(high: Int64, weight: Int64)] = []
        var sum: Int64 = 0
    }

    private let isLive: Bool
    private var names: [String] = []
    private var histograms: [String: Histogram] = [:]

    /// The bounds [µs], which buckets of results exclude.
    static let bounds: [Int64] = (10...36).flatMap { [Int64(1) << $0, Int64(3) << ($0 - 1)] }

    /// The bounds [µs] for real-time tests, whose times are shorter.
    ///
    /// Not all of them are bounds of the test's buckets, which are narrower than a hundredth of their values. A bucket
    /// that contains a bound is counted above it.
    static let liveBounds: [Int64] = [2, 3] + (2...26).flatMap { [Int64(1) << $0, Int64(3) << ($0 - 1)] }

    /// - Parameter isLive: `true` for the histograms of a real-time test.
    init(isLive: Bool = false) {
        self.isLive = isLive
    }

    /// Adds a row of `histograms.csv`: `metric,scope,bucket_low,bucket_high,weight,unit`.
    ///
    /// - Returns: `true` if the row was valid.
    mutating func add(_ fields: [String]) -> Bool {
        guard fields.count == 6, let (low, high) = bounds(fields[2], fields[3]), let weight = Int64(fields[4]),
            low < high, weight >= 0
        else { return false }
        guard fields[1] == "all" else { return true }
        let name = fields[0]
        if histograms[name] == nil {
            names.append(name)
            histograms[name] = Histogram(unit: fields[5])
        }
        let (sum, isTooLarge) = (histograms[name]?.sum ?? 0).addingReportingOverflow(weight)
        guard !isTooLarge else { return false }
        histograms[name]?.sum = sum
        histograms[name]?.weights.append((high, weight))
        return true
    }

    /// Adds a histogram of a real-time test.
    mutating func add(_ histogram: MetricHistogram) {
        for bucket in histogram.buckets {
            _ = add([
                histogram.metric, "all", "\(bucket.low)", "\(bucket.high)", "\(bucket.weight)", histogram.weightUnit,
            ])
        }
    }

    /// Returns bounds in whole microseconds.
    ///
    /// Bounds of a real-time test may have fractions, and a bucket of one value ends with that value.
    private func bounds(_ low: String, _ high: String) -> (Int64, Int64)? {
        if let low = Int64(low), let high = Int64(high), low < .max { return (low, isLive ? max(high, low + 1) : high) }
        guard isLive, let low = Double(low), let high = Double(high), low >= 0, max(low, high) < 1e18 else {
            return nil
        }
        return (Int64(low), max(Int64(high.rounded(.up)), Int64(low) + 1))
    }

    /// Writes all histograms.
    ///
    /// - Parameters:
    ///   - ownStem: The name of the only histogram; nil for its metric's name.
    ///   - common: Labels of every sample.
    ///   - means: The means [µs] by metric. Sums are computed from them, accurate to a microsecond per million values.
    func write(
        to metrics: inout OpenMetricsText,
        named ownStem: String? = nil,
        labels common: [OpenMetricsText.Label],
        means: [String: String]
    ) {
        for name in names {
            guard let histogram = histograms[name] else { continue }
            let stem = ownStem ?? (name.hasSuffix("_us") ? String(name.dropLast(3)) : name)
            let isTime = histogram.unit == "us"
            let help =
                "Distribution of \(stem.replacing("_", with: " "))"
                + (isTime ? ", weighted by time in microseconds." : ".")
            let sorted = histogram.weights.sorted { $0.high < $1.high }
            var seen: Int64 = 0
            var next = 0
            func add(_ suffix: String, _ labels: [OpenMetricsText.Label], _ value: String) {
                metrics.add(
                    "freshet_\(stem)",
                    kind: .histogram,
                    unit: "seconds",
                    help: help,
                    suffix: suffix,
                    labels: common + labels,
                    value: value
                )
            }
            for bound in isLive ? CumulativeHistograms.liveBounds : CumulativeHistograms.bounds {
                while next < sorted.count, sorted[next].high <= bound {
                    seen += sorted[next].weight
                    next += 1
                }
                let label = DecimalText.seconds(fromMicroseconds: "\(bound - 1)") ?? ""
                add("_bucket", [("le", label)], "\(seen)")
            }
            let count = sorted[next...].reduce(seen) { $0 + $1.weight }
            add("_bucket", [("le", "+Inf")], "\(count)")
            if let sum = means[name].flatMap({ CumulativeHistograms.seconds(mean: $0, count: count) }) {
                add("_count", [], "\(count)")
                add("_sum", [], sum)
            }
        }
    }

    /// Multiplies a mean with six places [µs] by a count and returns seconds; nil if the text is not a mean.
    static func seconds(mean: String, count: Int64) -> String? {
        let parts = mean.split(separator: ".", omittingEmptySubsequences: false)
        guard DecimalText.isNumber(mean), !mean.hasPrefix("-"), let whole = Int64(parts[0]) else { return nil }
        let digits = parts.count > 1 ? String(parts[1].prefix(6)) : ""
        guard let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.count)) else { return nil }
        let (millionths, isTooLarge) = (Int128(whole) * 1_000_000 + Int128(fraction))
            .multipliedReportingOverflow(by: Int128(count))
        guard !isTooLarge else { return nil }
        return DecimalText.seconds(
            fromMicroseconds: "\(millionths / 1_000_000 + (millionths % 1_000_000 >= 500_000 ? 1 : 0))"
        )
    }
}
