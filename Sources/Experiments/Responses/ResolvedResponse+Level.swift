extension ResolvedResponse {
    /// The response of a run, with its interval at a level that is asked for.
    ///
    /// A quantile, of which a summary tells no interval, has that of its replications' values.
    ///
    /// - Parameter level: The chance that such an interval holds the true value; nil for the row as a summary has it.
    /// - Precondition: As for ``row(in:)``; the level is above 0 and below 1.
    func row(in result: RunResult, level: Double?) -> SummaryRow? {
        guard let level, let found = row(in: result, at: level) else { return row(in: result) }
        return found.interval == nil && found.gap == nil ? found.spread(by: self, over: result, level: level) : found
    }
}
