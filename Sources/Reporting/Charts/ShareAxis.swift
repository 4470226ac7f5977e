import TextFormats

/// The axis of fresh shares over time, for all pages: it ends at 100 % and begins at 90, 80, 50 or 0 %.
///
/// It begins at the highest mark that is not above any value. So a small difference is visible, chance is not
/// magnified further, and the same series has the same axis in a report and in the studio.
struct ShareAxis {
    private let low: Int64
    private let step: Int64

    /// Creates the axis for some shares [%].
    init(_ percents: some Sequence<Double>) {
        let least = percents.min() ?? 0
        let axes: [(low: Int64, step: Int64)] = [(90, 2), (80, 5), (50, 10)]
        (low, step) = axes.first { Double($0.low) <= least } ?? (0, 20)
    }

    /// The values for a template.
    var values: Chart.Values {
        [
            "shareDomain": [.integer(low), 100],
            "shareTicks": .array(stride(from: low, through: 100, by: Int(step)).map { .integer($0) }),
        ]
    }

    /// A remark for a subtitle; empty if the axis begins at 0 %.
    var remark: String { low > 0 ? "; the axis begins at \(low) %" : "" }
}
