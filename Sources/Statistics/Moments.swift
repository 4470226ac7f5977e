extension [Double] {
    /// The mean; NaN of nothing.
    var mean: Double { reduce(0, +) / Double(count) }

    /// The sum of the squared differences from the mean, so that a small spread of large values keeps its digits.
    var squaredDeviations: Double {
        let mean = mean
        return reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
}
