import LiveActivityModel

/// The distribution of a metric's values over a whole run, bucket by bucket.
public struct Histogram: Sendable {
    /// The metric; its name ends with the unit of the buckets' bounds.
    public let metric: String
    /// The buckets of ``LogLinear`` that are not empty, in ascending order, with their weights.
    public let buckets: [(bucket: Int, weight: Int64)]
    /// The unit of the weights: `count`, or `us` for the time spent at the values.
    public let weightUnit: String
}

extension RunResult {
    /// The histograms of all metrics that have one, by name; a histogram without values has no buckets.
    public var histograms: [Histogram] {
        MetricCatalog(of: scenario).metrics.filter { $0.scope == "all" }.sorted { $0.name < $1.name }
            .compactMap { metric in
                switch metric.reading {
                case .tally(let read):
                    Histogram(
                        metric: metric.name,
                        buckets: read(total).counts.enumerated().filter { $0.element > 0 }
                            .map { ($0.offset, $0.element) },
                        weightUnit: "count"
                    )
                case .ramp(let read):
                    Histogram(
                        metric: metric.name,
                        buckets: read(total).timePerBucket.map { ($0.bucket, $0.time) },
                        weightUnit: "us"
                    )
                case .total, .ratio, .rate, .shares, .largest:
                    nil
                }
            }
    }
}
