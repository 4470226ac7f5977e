/// The truncation rule MSER-5: the number of values to delete from a run's beginning so that the rest is steady.
///
/// From means of five values it deletes as many as minimise the squared standard error of the rest:
///
///     MSER(d) = Σ (z[i] - z̄)² / (k - d)²    over the remaining k - d means
///
/// K. P. White, Simulation 69, 1997, for the rule; S. C. Spratt, University of Virginia, 1998, for the batches of five.
/// It assumes that the run becomes steady, which a series that follows the time of day does not.
public enum MSER5 {
    /// The number of values per mean.
    public static let batchSize = 5
    /// The minimum length of a series: at least five of ten means must remain.
    public static let fewestValues = 50

    /// The number of values to delete from the beginning, a multiple of five; ties go to the smallest number.
    ///
    /// - Returns: Nil if the best number is in the second half, which indicates that the run is too short to have
    ///   become steady, and for fewer than ``fewestValues``.
    /// - Precondition: The values are finite.
    /// - Complexity: O(*n*).
    public static func truncation(_ series: [Double]) -> Int? {
        precondition(series.allSatisfy(\.isFinite), "values are finite")
        guard series.count >= fewestValues else { return nil }
        let means = (0..<series.count / batchSize)
            .map { series[$0 * batchSize..<($0 + 1) * batchSize].reduce(0, +) / Double(batchSize) }
        // From the end, Welford's update of mean and squares adds one mean at a time.
        var mean = 0.0
        var squares = 0.0
        var best = (deleted: 0, error: Double.infinity)
        for deleted in means.indices.reversed() {
            let count = Double(means.count - deleted)
            let change = means[deleted] - mean
            mean += change / count
            squares += change * (means[deleted] - mean)
            // A few means at the end may be alike by chance.
            guard means.count - deleted >= 5 else { continue }
            let error = squares / (count * count)
            if error <= best.error { best = (deleted, error) }
        }
        return best.deleted * 2 <= means.count ? best.deleted * batchSize : nil
    }
}
