import LiveActivityModel
import Statistics

extension SummaryRow {
    /// Returns the row with an interval from the values of the replications, for quantiles.
    ///
    /// It is the interval of the mean of these values. There is none for a maximum, which is not a mean and grows with
    /// the number of replications. There is also none if the value of all replications together is outside the
    /// interval.
    package func spread(by response: ResolvedResponse, over result: RunResult, level: Double = 0.95) -> SummaryRow {
        guard stat != "max" else { return self }
        let values = (0..<result.replications)
            .compactMap { response.row(in: result, replication: $0)?.value?.double }
        return values.count == result.replications ? spread(values, level: level) : self
    }

    /// Returns the row with Student's interval of the mean of some values; without one if all values are equal, or if
    /// it would reach below 0.
    package func spread(_ values: [Double], level: Double) -> SummaryRow {
        guard let value, let spread = StudentInterval(values, level: level), spread.halfWidth > 0,
            spread.halfWidth <= spread.mean, (value.double - spread.mean).magnitude <= spread.halfWidth
        else { return self }
        return with(value, interval: spread.range, n: values.count)
    }
}
