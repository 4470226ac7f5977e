import Statistics

extension ResolvedResponse {
    /// The response of a run, with its interval at a level that is asked for.
    ///
    /// A quantile or a maximum, of which a summary tells no interval, has that of its replications' values. Other levels than
    /// 95 % reach as much further or less far, to either side, as Student's quantiles do: exact for means and quotients, and
    /// near enough for counts and shares.
    ///
    /// - Parameter level: The chance that such an interval holds the true value; nil for the row as a summary has it.
    /// - Precondition: As for ``row(in:)``; the level is above 0 and below 1.
    func row(in result: RunResult, level: Double?) -> SummaryRow? {
        guard let level, let row = row(in: result) else { return row(in: result) }
        return (row.interval == nil && row.gap == nil ? row.spread(by: self, over: result) : row)
            .atLevel(level, isShare: isShare)
    }
}

extension SummaryRow {
    /// The row with its interval of 95 % at another level; one without stays without.
    func atLevel(_ level: Double, isShare: Bool) -> SummaryRow {
        guard level != 0.95, let interval, let value, n > 1 else { return self }
        let degreesOfFreedom = Double(n - 1)
        let factor =
            Student.reach(level: level, degreesOfFreedom: degreesOfFreedom)
            / Student.reach(level: 0.95, degreesOfFreedom: degreesOfFreedom)
        let middle = value.double
        let upper = middle + (interval.upperBound - middle) * factor
        let lower = middle - (middle - interval.lowerBound) * factor
        return SummaryRow(
            scope: scope,
            metric: metric,
            stat: stat,
            unit: unit,
            value: value,
            interval: max(0, lower)...(isShare ? min(1, upper) : upper),
            n: n
        )
    }
}
