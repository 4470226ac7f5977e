import LiveActivityModel
import Statistics

extension Series {
    /// Returns batches of consecutive windows as independent parts of a run, for a quotient of two columns.
    ///
    /// There are ten batches, the smallest useful number and so the longest batches (B. W. Schmeiser, Operations
    /// Research 30, 1982). Returns nil if von Neumann's test rejects the independence of their residuals, as in a run
    /// that is still filling up, or if a batch has fewer than two windows. The batches contain all windows, so their
    /// quotient is that of the totals.
    func independentBatches(_ part: SeriesColumn, per whole: SeriesColumn) -> [IntervalRule.Part]? {
        let windows = 0..<windowCount
        guard let first = windows.first(where: { self[$0, whole] > 0 }),
            let last = windows.last(where: { self[$0, whole] > 0 })
        else { return nil }
        let active = Array(first...last)
        guard active.count >= 2 * Self.batchCount else { return nil }
        let batches = (0..<Self.batchCount)
            .map { batch in
                // The lengths differ by at most one, and no window is left over.
                let (start, end) = (active.count * batch, active.count * (batch + 1))
                let windows = active[start / Self.batchCount..<end / Self.batchCount]
                return (
                    numerator: Double(windows.reduce(0) { $0 + self[$1, part] }),
                    denominator: Double(windows.reduce(0) { $0 + self[$1, whole] })
                )
            }
        guard let estimate = RatioEstimator(batches) else { return nil }
        let residuals = batches.map { $0.numerator - estimate.ratio * $0.denominator }
        guard let test = VonNeumannTest(residuals), test.passes else { return nil }
        return batches
    }

    /// The number of batches.
    private static let batchCount = 10
}
