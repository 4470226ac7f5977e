import LiveActivityModel

extension Tally {
    /// The skewness of the values, by the lower bounds of their buckets; 0 if all are in one bucket.
    ///
    /// - Complexity: O(*buckets*).
    var skewness: Double {
        guard count > 0 else { return 0 }
        let mean = Double(sum) / Double(count)
        var (squares, cubes) = (0.0, 0.0)
        for (bucket, count) in counts.enumerated() where count > 0 {
            let deviation = Double(LogLinear.lowerBound(ofBucket: bucket)) - mean
            squares += Double(count) * deviation * deviation
            cubes += Double(count) * deviation * deviation * deviation
        }
        let variance = squares / Double(count)
        return variance > 0 ? cubes / Double(count) / (variance * variance.squareRoot()) : 0
    }
}
