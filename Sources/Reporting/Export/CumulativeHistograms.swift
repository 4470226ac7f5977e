import TextFormats

/// The histograms of a run, added up for OpenMetrics.
///
/// Every run has the same bounds, which Prometheus needs to compare runs: 2^k and 1.5 · 2^k microseconds from 1 ms to 29 h.
/// The histograms of results have them among their own, finer ones, so nothing is estimated. A bucket of results ends just
/// below its high bound, one of OpenMetrics with it; values are whole microseconds, so its bound is one microsecond less.
struct CumulativeHistograms {
    /// One histogram: weights by the high bound [µs] of their bucket.
    private struct Histogram {
        let unit: String
        var weights: [(high: Int64, weight: Int64)] = []
        var sum: Int64 = 0
    }

    private let isLive: Bool
    private var names: [String] = []
    private var histograms: [String: Histogram] = [:]

    /// The bounds [µs]: a bucket ends below one.
    static let bounds: [Int64] = (10...36).flatMap { [Int64(1) << $0, Int64(3) << ($0 - 1)] }

    /// The bounds [µs] for tests in real time, whose times are shorter; theirs are not among those of all their buckets,
    /// which are narrower than a hundredth of their values: one that a bound cuts is counted above it.
    static let liveBounds: [Int64] = [2, 3] + (2...26).flatMap { [Int64(1) << $0, Int64(3) << ($0 - 1)] }

    /// - Parameter isLive: Whether the histograms are those of a test in real time.
    init(isLive: Bool = false) {
        self.isLive = isLive
    }

    /// Takes in a row of `histograms.csv`: `metric,scope,bucket_low,bucket_high,weight,unit`.
    ///
    /// - Returns: Whether it was sound.
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

    /// Takes in a histogram of a test in real time.
    mutating func add(_ histogram: LoadResults.Histogram) {
        for bucket in histogram.buckets {
            _ = add([histogram.metric, "all", "\(bucket.low)", "\(bucket.high)", "\(bucket.count)", "count"])
        }
    }

    /// Whole microseconds: those of a test in real time may have parts of them, and a bucket of one value ends with it.
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
    ///   - ownStem: The name of the only one, in place of its metric's; nil: that.
    ///   - common: Labels of every sample.
    ///   - means: The means [µs] by metric, of which sums are made, right to a microsecond per million values.
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

    /// A mean of six places [µs] times a count, in seconds; nil for what is none.
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
