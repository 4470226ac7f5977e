package import Evaluation
import InputFiles
package import Results
package import ScenarioLanguage
import TextFormats

/// The tiles of runs, from their directories.
extension HeadlineTile {
    /// Returns the tiles of a recorded run.
    ///
    /// Metrics that `summary.csv` lacks are left out.
    ///
    /// - Parameters:
    ///   - baseline: The run to compare with; nil for none.
    ///   - options: The options of the comparison; the tiles' own responses replace those in it.
    ///   - others: Numbers besides the headline.
    ///   - table: The comparison of the same runs that a table beside the tiles shows, so that both have the same values
    ///     and intervals; nil for the values of the summary.
    /// - Throws: The problems in the files of one of the runs.
    /// - Complexity: One pass over `summary.csv`, and with a baseline over both `replications.csv`.
    package static func tiles(
        of run: RecordedResults,
        against baseline: RecordedResults? = nil,
        options: ResultComparison.Options = .init(),
        besides others: [(response: Response, label: String)] = [],
        as table: [MetricComparison]? = nil
    ) throws(ScenarioError) -> [HeadlineTile] {
        let rows = try run.summary()
        func row(_ scope: String, _ metric: String, _ statistic: String?) -> SummaryRow? {
            statistic.flatMap { rows.row(metric, $0, scope: scope) }
        }
        // A result of an earlier version may lack a metric.
        let earlier = try baseline?.summary()
        let known = (headline(of: run.scenario) + others)
            .compactMap { response, label in
                (try? response.resolve(in: run.scenario)).map { (response: response, resolved: $0, label: label) }
            }
            .filter { entry in
                earlier?.contains { $0.metric == entry.response.metric && $0.scope == entry.response.scope } ?? true
            }
        var comparisons: [MetricComparison] = []
        if let baseline, !known.isEmpty {
            var options = options
            options.responses = known.map(\.response)
            // A difference belongs to the values beside it, which come from the summary unless a table has others.
            options.isPooled = table == nil
            do throws(ComparisonError) {
                comparisons = try ResultComparison(baseline, run, options).metrics
                    .map { own in table?.first { $0.response == own.response } ?? own }
            } catch {
                throw .invalid([Diagnostic(file: run.path, message: "\(error)")])
            }
        }
        // If the run has more replications than the baseline, only the common ones count, because the difference is
        // theirs.
        let isPart =
            table != nil || !options.isUnpaired && run.replications > baseline?.replications ?? .max
        let tiles = known.enumerated()
            .compactMap { index, entry -> HeadlineTile? in
                let resolved = entry.resolved
                let response = resolved.response
                guard let own = row(response.scope, response.metric, response.statistic) else { return nil }
                let comparison = comparisons.indices.contains(index) ? comparisons[index] : nil
                return HeadlineTile(
                    resolved,
                    label: entry.label,
                    value: isPart ? comparison?.second : own.value?.double,
                    interval: isPart ? nil : own.interval,
                    in: run.scenario,
                    replications: isPart ? 1 : run.replications,
                    comparison: comparison
                )
            }
        let headline = Headline { row($2, $0, $1) }
        guard isPart else { return told(tiles, headline, shares: headline.rideShares) }
        let shares = Headline.rideTime.map { number in comparisons.first { $0.response == number.response.text }?.second
        }
        return told(tiles, headline, shares: Headline.shares(shares))
    }
}
