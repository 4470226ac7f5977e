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
    }

    private var names: [String] = []
    private var histograms: [String: Histogram] = [:]

    /// The bounds [µs]: a bucket ends below one.
    static let bounds: [Int64] = (10...36).flatMap { [Int64(1) << $0, Int64(3) << ($0 - 1)] }

    /// Takes in a row of `histograms.csv`: `metric,scope,bucket_low,bucket_high,weight,unit`.
    ///
    /// - Returns: Whether it was sound.
    mutating func add(_ fields: [String]) -> Bool {
        guard fields.count == 6, let low = Int64(fields[2]), let high = Int64(fields[3]), let weight = Int64(fields[4]),
            low < high, weight >= 0
        else { return false }
        guard fields[1] == "all" else { return true }
        let name = fields[0]
        if histograms[name] == nil {
            names.append(name)
            histograms[name] = Histogram(unit: fields[5])
        }
        histograms[name]?.weights.append((high, weight))
        return true
    }

    /// Writes all histograms.
    ///
    /// - Parameter means: The means [µs] by metric, of which sums are made, right to a microsecond per million values.
    func write(to metrics: inout OpenMetricsText, scenario: String, means: [String: String]) {
        for name in names {
            guard let histogram = histograms[name] else { continue }
            let stem = name.hasSuffix("_us") ? String(name.dropLast(3)) : name
            let isTime = histogram.unit == "us"
            let help =
                "The distribution of \(stem.replacing("_", with: " "))"
                + (isTime ? ", weighted by the time spent there in microseconds." : ".")
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
                    labels: [("scenario", scenario)] + labels,
                    value: value
                )
            }
            for bound in CumulativeHistograms.bounds {
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
        let millionths = (Int128(whole) * 1_000_000 + Int128(fraction)) * Int128(count)
        return DecimalText.seconds(fromMicroseconds: "\((millionths + 500_000) / 1_000_000)")
    }
}
