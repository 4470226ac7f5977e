import LiveActivityModel

/// The distribution of a metric's values over a whole run or load, bucket by bucket.
public struct MetricHistogram: Sendable {
    /// The metric; its name ends with the unit of the buckets' bounds.
    public let metric: String
    /// The buckets that are not empty, in ascending order: weights of values from `low` to just below `high`.
    public let buckets: [(low: Double, high: Double, weight: Int64)]
    /// The unit of the weights: `count`, or `us` for the time spent at the values.
    public let weightUnit: String

    /// Creates a histogram.
    public init(metric: String, buckets: [(low: Double, high: Double, weight: Int64)], weightUnit: String = "count") {
        self.metric = metric
        self.buckets = buckets
        self.weightUnit = weightUnit
    }

    /// Creates the histogram of weights in buckets of ``LogLinear``, whose bounds are exact as floating-point numbers.
    fileprivate init(metric: String, weights: [(bucket: Int, weight: Int64)], unit: String) {
        func bound(_ bucket: Int) -> Double { Double(LogLinear.lowerBound(ofBucket: bucket)) }
        self.init(
            metric: metric,
            buckets: weights.map { (bound($0.bucket), bound($0.bucket + 1), $0.weight) },
            weightUnit: unit
        )
    }
}

extension RunResult {
    /// The histograms of all metrics that have one, by name; a histogram without values has no buckets.
    public var histograms: [MetricHistogram] {
        MetricCatalog(of: scenario).metrics.filter { $0.scope == "all" }.sorted { $0.name < $1.name }
            .compactMap { metric in
                switch metric.reading {
                case .tally(let read):
                    let weights = read(total).counts.enumerated().filter { $0.element > 0 }
                    return MetricHistogram(
                        metric: metric.name,
                        weights: weights.map { ($0.offset, $0.element) },
                        unit: "count"
                    )
                case .ramp(let read):
                    return MetricHistogram(
                        metric: metric.name,
                        weights: read(total).timePerBucket.map { ($0.bucket, $0.time) },
                        unit: "us"
                    )
                case .total, .ratio, .rate, .shares, .largest: return nil
                }
            }
    }
}
