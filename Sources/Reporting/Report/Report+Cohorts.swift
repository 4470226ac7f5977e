import Evaluation
import LiveActivityModel
import Statistics

/// The cohorts of the fleet, compared with each other.
extension Report {
    /// The metrics by which cohorts are compared, each with its statistic and the words of its column.
    private static let compared = [
        ("ride_fresh_coverage_ratio", "ratio", "fresh card, of ride time"),
        ("ride_stage_coverage_ratio", "ratio", "right stage, of ride time"),
        ("pushes_per_live_hour", "rate", "pushes per live hour"),
    ]

    var cohorts: [Block] {
        let parts = scenario.cohortParts
        guard !parts.isEmpty else { return [] }
        let measured = parts.filter { result.total.duringRide(.rideTime, in: $0.part) > 0 }
        // The rides without a cohort are the control group; if all rides have one, the first cohort is.
        guard let reference = measured.last(where: { $0.part == .cohort(0) }) ?? measured.first else { return [] }
        let catalog = MetricCatalog(of: scenario)
        var table = TextTable(
            ["cohort", "rides:"] + Self.compared.flatMap { ["\($0.2):", "against \(name(reference.scope)):"] }
        )
        for (_, scope) in parts {
            let values = Self.compared.flatMap { metric, statistic, _ -> [String] in
                guard
                    let effect = try? CohortEffect(of: metric, (scope, reference.scope), in: result, by: catalog),
                    let value = effect.value
                else { return ["–", "–"] }
                let (unit, isShare) = (effect.response.unit, effect.response.isShare)
                // Without an interval of both values, their difference has none either.
                let isCertain = [scope, reference.scope]
                    .allSatisfy { summary.row(metric, statistic, scope: $0)?.interval != nil }
                let reach = isCertain ? effect.difference?.reach : nil
                let difference = effect.reference.map {
                    Format.difference(value - $0, reach: reach, unit: unit, isShare: isShare)
                }
                return [
                    Format.value(value, unit: unit, isShare: isShare),
                    scope == reference.scope ? "" : difference ?? "–",
                ]
            }
            table.add([name(scope), value("rides_requested_count", "total", scope: scope)] + values)
        }
        let explanation =
            "Each column *against* is the difference within this run, ± what chance explains (95 %); without ±, the difference may be "
            + "chance. Cohorts share the sender, APNs and the budgets, so a cohort's effect may depend on its share: run it with "
            + "the share that is planned, too. By window in `timeseries_by_cohort.csv`."
        let lives = Set((0...scenario.cohorts.count).map { scenario.scenario(ofCohort: $0).content.ttl })
        let ruler =
            lives.count > 1
            ? "Fresh shares are not comparable between these cohorts, because `content.ttl` differs: compare the right stage."
            : ""
        return .section("Results by cohort", table, explanation, ruler.isEmpty ? nil : Block.paragraph(ruler))
    }

    private func name(_ scope: String) -> String { Wording.plain(String(scope.drop { $0 != ":" }.dropFirst())) }
}
