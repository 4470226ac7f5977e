extension Fit {
    /// The maximum distance between the distribution functions of the sample and of the fit (Kolmogorov, Smirnov).
    ///
    /// For rounded values only the distances between their intervals are considered, where the sample's function is
    /// known.
    public func distance(to sample: Sample) -> Double {
        let count = Double(sample.count)
        // Both sides of a step are considered.
        let reach = sample.isRounded ? Double(sample.resolution) / 2 : 0
        var distance = 0.0
        for group in sample.groups {
            let value = Double(group.value)
            let after = Double(group.cumulative) / count
            let before = Double(group.cumulative - group.count) / count
            distance = max(
                distance,
                (after - cumulative(value + reach)).magnitude,
                (cumulative(max(0, value - reach)) - before).magnitude
            )
        }
        return min(distance, 1)
    }
}
