package import Experiments
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
    /// - Throws: The problems in the files of one of the runs.
    /// - Complexity: One pass over `summary.csv`, and with a baseline over both `replications.csv`.
    package static func tiles(
        of run: RecordedResults,
        against baseline: RecordedResults? = nil,
        options: ResultComparison.Options = .init()
    ) throws(ScenarioError) -> [HeadlineTile] {
        let contents: CSVContents
        do {
            contents = try CSVContents(path: "\(run.path)/summary.csv", columns: columns)
        } catch {
            throw .invalid([Diagnostic(file: run.path, message: error.description)])
        }
        let rows = Dictionary(contents.rows.map { (Array($0.fields.prefix(3)), $0.fields) }) { first, _ in first }
        let known = headline(of: run.scenario)
            .compactMap { response, label in
                (try? response.resolve(in: run.scenario)).map { (response: response, resolved: $0, label: label) }
            }
        var comparisons: [MetricComparison] = []
        if let baseline, !known.isEmpty {
            var options = options
            options.responses = known.map(\.response)
            // A difference belongs to the values beside it, which come from the summary.
            options.isPooled = true
            do throws(ComparisonError) {
                comparisons = try ResultComparison(baseline, run, options).metrics
            } catch {
                throw .invalid([Diagnostic(file: run.path, message: "\(error)")])
            }
        }
        return known.enumerated()
            .compactMap { index, entry -> HeadlineTile? in
                let resolved = entry.resolved
                let key = [resolved.response.scope, resolved.response.metric, resolved.response.statistic ?? ""]
                guard let fields = rows[key] else { return nil }
                let bounds = Double(fields[4]).flatMap { low in Double(fields[5]).map { (low, $0) } }
                let comparison = comparisons.indices.contains(index) ? comparisons[index] : nil
                // If the run has more replications than the baseline, only the common ones count, because the
                // difference is theirs.
                let isPart = !options.isUnpaired && run.replications > baseline?.replications ?? .max
                var tile = HeadlineTile(
                    resolved,
                    label: entry.label,
                    value: isPart ? comparison?.second : Double(fields[3]),
                    interval: isPart ? nil : bounds.flatMap { low, high in low <= high ? low...high : nil },
                    in: run.scenario,
                    replications: isPart ? 1 : run.replications,
                    comparison: comparison
                )
                if entry.response == freshness,
                    let rides = rows[["all", "ride_fresh_coverage_ratio", "denominator"]].flatMap({ Double($0[3]) }),
                    let cards = rows[["during_ride", "displayed_fresh_time_ratio", "denominator"]]
                        .flatMap({ Double($0[3]) })
                {
                    tile.remark = noCard(rideTime: rides, withCard: cards)
                }
                return tile
            }
    }

    private static let columns = ["scope", "metric", "stat", "value", "ci_low", "ci_high"]
}
