import LiveActivityModel
import Statistics

extension RatioEstimator {
    /// The quotient of two columns of one run's time series, with an interval from batches of consecutive windows.
    ///
    /// Twenty batches, or ten longer ones: the first number whose residuals von Neumann's test takes for independent. Nil
    /// when neither passes, as in a run that follows the time of day, or when there are fewer than two windows to each
    /// of ten batches. The batches hold all windows, so the quotient is that of the totals.
    init?(windowsOf series: Series, _ part: SeriesColumn, per whole: SeriesColumn) {
        let windows = 0..<series.windowCount
        guard let first = windows.first(where: { series[$0, whole] > 0 }),
            let last = windows.last(where: { series[$0, whole] > 0 })
        else { return nil }
        let active = Array(first...last)
        for count in [20, 10] where active.count >= 2 * count {
            let batches = BatchMeans.ranges(count: active.count, batches: count)
                .map { range in
                    let windows = active[range]
                    return (
                        numerator: Double(windows.reduce(0) { $0 + series[$1, part] }),
                        denominator: Double(windows.reduce(0) { $0 + series[$1, whole] })
                    )
                }
            guard let estimate = RatioEstimator(batches) else { continue }
            let residuals = batches.map { $0.numerator - estimate.ratio * $0.denominator }
            if let test = VonNeumannTest(residuals), test.passes {
                self = estimate
                return
            }
        }
        return nil
    }
}
