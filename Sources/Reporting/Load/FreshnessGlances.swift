public import Evaluation

/// Samples in order of time, at most as many as a chart can show.
///
/// If there are more, every second one is dropped.
public struct FreshnessGlances: Hashable, Sendable {
    /// The samples that are kept.
    public private(set) var all: [FreshnessGlance] = []
    private var stride = 1
    private var count = 0

    /// The newest sample, kept or not.
    public private(set) var last: FreshnessGlance?

    /// Creates an empty series.
    public init() {}

    /// Appends a sample.
    public mutating func append(_ glance: FreshnessGlance) {
        last = glance
        defer { count += 1 }
        guard count.isMultiple(of: stride) else { return }
        all.append(glance)
        guard all.count > 2 * Chart.largestStepCount else { return }
        all = all.indices.filter { $0.isMultiple(of: 2) }.map { all[$0] }
        stride *= 2
    }
}
