/// The truncation rule MSER-5: how much of a run's beginning to delete before it is steady.
///
/// Over means of five values it deletes as many as make the squared standard error of what is left the smallest:
///
///     MSER(d) = Σ (z[i] - z̄)² / (k - d)²    over the k - d means that are left
///
/// K. P. White, Simulation 69, 1997, for the rule; S. C. Spratt, University of Virginia, 1998, for the fives. It takes the
/// run to become steady at all: a series that follows the time of day does not.
public enum MSER5 {
    /// How many values make one mean.
    public static let batchSize = 5
    /// Series of fewer values are not looked at: of ten means, five are the least that may be left.
    public static let fewestValues = 50

    /// How many values to delete from the beginning, a multiple of five; of equally good numbers the smallest.
    ///
    /// - Returns: Nil when the best number lies in the second half, which is the sign of a run too short to have become
    ///   steady, and for fewer than ``fewestValues``.
    /// - Precondition: The values are finite.
    /// - Complexity: O(*n*).
    public static func truncation(_ series: [Double]) -> Int? {
        precondition(series.allSatisfy(\.isFinite), "values are finite")
        guard series.count >= fewestValues else { return nil }
        let means = (0..<series.count / batchSize)
            .map { series[$0 * batchSize..<($0 + 1) * batchSize].reduce(0, +) / Double(batchSize) }
        // From the end, Welford's update of mean and squares takes in one mean more at a time.
        var mean = 0.0
        var squares = 0.0
        var best = (deleted: 0, error: Double.infinity)
        for deleted in means.indices.reversed() {
            let count = Double(means.count - deleted)
            let change = means[deleted] - mean
            mean += change / count
            squares += change * (means[deleted] - mean)
            // A handful of means at the end may be alike by chance.
            guard means.count - deleted >= 5 else { continue }
            let error = squares / (count * count)
            if error <= best.error { best = (deleted, error) }
        }
        return best.deleted * 2 <= means.count ? best.deleted * batchSize : nil
    }
}
