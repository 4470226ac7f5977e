import LiveActivityModel
import Statistics

extension Series {
    /// Batches of consecutive windows that may be taken for independent parts of a run, for a quotient of two columns.
    ///
    /// Twenty batches, or ten longer ones: the first number whose residuals von Neumann's test takes for independent. Nil
    /// when neither passes, as in a run that is still filling up, or when there are fewer than two windows to each of ten
    /// batches. The batches hold all windows, so their quotient is that of the totals.
    func independentBatches(_ part: SeriesColumn, per whole: SeriesColumn) -> [IntervalRule.Part]? {
        let windows = 0..<windowCount
        guard let first = windows.first(where: { self[$0, whole] > 0 }),
            let last = windows.last(where: { self[$0, whole] > 0 })
        else { return nil }
        let active = Array(first...last)
        for count in [20, 10] where active.count >= 2 * count {
            let batches = BatchMeans.ranges(count: active.count, batches: count)
                .map { range in
                    let windows = active[range]
                    return (
                        numerator: Double(windows.reduce(0) { $0 + self[$1, part] }),
                        denominator: Double(windows.reduce(0) { $0 + self[$1, whole] })
                    )
                }
            guard let estimate = RatioEstimator(batches) else { continue }
            let residuals = batches.map { $0.numerator - estimate.ratio * $0.denominator }
            if let test = VonNeumannTest(residuals), test.passes { return batches }
        }
        return nil
    }
}
