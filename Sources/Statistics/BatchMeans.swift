/// The mean of a time-ordered series with an interval from the means of batches.
///
/// Neighbouring values of one run are alike, so their scatter says too little about the mean's. Means of long batches are
/// nearly independent; whether these are long enough is what ``independence`` tells. Ten to thirty batches are best:
/// more gain little and make each too short (B. W. Schmeiser, Operations Research 30, 1982).
public struct BatchMeans: Hashable, Sendable {
    /// The mean of each batch, in the order of time.
    public let means: [Double]
    /// The mean of the batch means, with Student's interval.
    public let interval: StudentInterval
    /// Von Neumann's test of the batch means; nil when there are fewer than eight, or they are all the same.
    public let independence: VonNeumannTest?

    /// Cuts a series into batches of one length; what is left over is taken from its beginning, where it is oldest.
    ///
    /// Nil for fewer than two batches or fewer values than batches.
    ///
    /// - Precondition: The values are finite; the level is above 0 and below 1.
    public init?(_ series: [Double], batches: Int, level: Double = 0.95) {
        guard batches >= 2, series.count >= batches else { return nil }
        let length = series.count / batches
        let start = series.count - length * batches
        means = (0..<batches)
            .map { batch in
                let first = start + batch * length
                return series[first..<first + length].reduce(0, +) / Double(length)
            }
        guard let interval = StudentInterval(means, level: level) else { return nil }
        self.interval = interval
        independence = VonNeumannTest(means)
    }

    /// Where to cut so many values into batches whose lengths differ by one at most, so that nothing is left over.
    ///
    /// - Precondition: There are at least as many values as batches, and at least one batch.
    public static func ranges(count: Int, batches: Int) -> [Range<Int>] {
        precondition(batches >= 1 && count >= batches, "every batch has a value")
        return (0..<batches).map { count * $0 / batches..<count * ($0 + 1) / batches }
    }
}
