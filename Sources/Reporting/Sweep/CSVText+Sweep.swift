import Evaluation
import ScenarioLanguage
import Statistics
import Studies

/// The result files of a sweep.
extension CSVText {
    /// Returns `points.csv`: one row per design point, with its levels and each response with its interval.
    static func points(_ result: SweepResult) -> String {
        text(
            header: ["point"] + result.sweep.factors.vary.map(\.path) + ["replications"]
                + result.responses.flatMap { [$0, "\($0)_ci_low", "\($0)_ci_high"] },
            rows: result.points.map { point in
                point.point.leadingCells + ["\(result.sweep.replications)"]
                    + point.sums.flatMap { [field($0?.value)] + bounds($0?.interval) }
            }
        )
    }

    /// Returns `today.csv`, or nil if the present settings were not run.
    ///
    /// For each point and response it has the value, the value of the present settings in the same world, and the
    /// difference with the bounds of chance. Counts are per replication.
    static func present(_ result: SweepResult) -> String? {
        let rows = result.points.indices.flatMap { index -> [[String]] in
            guard let present = result.sweep.present(of: index) else { return [] }
            let (pushes, today) = (result[index].volume.pushes, result[present].volume.pushes)
            let responses = result.responses.indices.compactMap { response -> [String]? in
                guard let change = result.change(of: response, at: index) else { return nil }
                let reach = change.chance.flatMap { $0.reach.isFinite ? $0.reach : nil }
                return [
                    result.responses[response], result.units[response], field(change.present + change.difference),
                    field(change.present), field(change.difference), field(reach.map { change.difference - $0 }),
                    field(reach.map { change.difference + $0 }),
                ]
            }
            let cost = ["pushes", "count", field(pushes), field(today), field(pushes - today), "", ""]
            let ends = ["\(result[index].point.number)", "\(result[present].point.number)"]
            return (responses + [cost]).map { ends + $0 }
        }
        guard !rows.isEmpty else { return nil }
        return text(
            header: ["point", "today_point", "response", "unit", "value", "today", "difference", "low", "high"],
            rows: rows
        )
    }

    /// Returns `results.csv`: one row per design point, replication and response.
    ///
    /// A replication has the same random world at all points, so their difference is due to the levels.
    static func results(_ result: SweepResult) -> String {
        results(
            of: Array(zip(result.responses, result.units)),
            result.points.flatMap { point in
                point.replications.enumerated().map { (point.point.number, $0, $1.map { field($0) }) }
            }
        )
    }

    /// Returns `results.csv` of sweeps and of searches: for each sample, one row per response.
    static func results(
        of responses: [(String, String)],
        _ samples: [(point: Int, replication: Int, values: [String])]
    ) -> String {
        text(
            header: ["point", "replication", "response", "unit", "value"],
            rows: samples.flatMap { sample in
                zip(responses, sample.values)
                    .map { ["\(sample.point)", "\(sample.replication)", $0.0, $0.1, $1] }
            }
        )
    }

    /// Returns `effects.csv`: the mean response at each level of each factor, and its distance from the overall mean.
    ///
    /// Points that do not measure the response do not count. A level without other points has empty cells.
    static func effects(_ analysis: SweepAnalysis) -> String {
        let result = analysis.result
        var rows: [[String]] = []
        for (response, effects) in analysis.effects.enumerated() {
            for (group, levels) in (effects?.effects ?? []).enumerated() {
                let labels = analysis.levelLabels(ofGroup: group)
                for level in labels.indices where analysis.hasPoints(atLevel: level, ofGroup: group) {
                    let effect = levels.first { $0.level == level }
                    let low = effect.flatMap { effect in effect.halfWidth.map { effect.value - $0 } }
                    let high = effect.flatMap { effect in effect.halfWidth.map { effect.value + $0 } }
                    rows.append(
                        [
                            result.responses[response], result.units[response], analysis.groupNames[group],
                            labels[level], "\(effect?.points ?? 0)",
                        ] + [effect?.mean, effect?.value, low, high].map { field($0) }
                    )
                }
            }
        }
        return text(
            header: ["response", "unit", "factor", "level", "points", "mean", "effect", "ci_low", "ci_high"],
            rows: rows
        )
    }

    /// Returns `sensitivity.csv`: Sobol' indices of each response and each group of factors.
    static func sensitivity(_ analysis: SweepAnalysis) -> String {
        var rows: [[String]] = []
        for (response, indices) in zip(analysis.result.responses, analysis.sensitivity) {
            guard let indices else { continue }
            for (index, name) in analysis.groupNames.enumerated() {
                let (first, total) = (indices.firstOrder[index], indices.total[index])
                let numbers = [first.value, first.lower, first.upper, total.value, total.lower, total.upper]
                rows.append([response, name] + numbers.map { field($0) })
            }
        }
        return text(
            header: [
                "response", "factor", "first_order", "first_order_ci_low", "first_order_ci_high", "total",
                "total_ci_low", "total_ci_high",
            ],
            rows: rows
        )
    }

    /// Returns `pareto.csv`: every design point with its gain and its cost, and whether it is on the Pareto front.
    static func pareto(_ analysis: SweepAnalysis, _ tradeOff: SweepAnalysis.TradeOff) -> String {
        let result = analysis.result
        let (front, unsure) = (Set(tradeOff.front.members), Set(tradeOff.front.unsure))
        return text(
            header: ["point"] + result.sweep.factors.vary.map(\.path)
                + [result.responses[tradeOff.gain], result.responses[tradeOff.cost], "on_front", "is_sure"],
            rows: result.points.enumerated()
                .map { index, point in
                    point.point.leadingCells + [
                        field(point.sums[tradeOff.gain]?.value), field(point.sums[tradeOff.cost]?.value),
                        front.contains(index) ? "1" : "0",
                        result.sweep.replications > 1 ? (unsure.contains(index) ? "0" : "1") : "",
                    ]
                }
        )
    }

    /// Returns `checks.csv` of a sweep: the outcome of each check at each design point.
    static func checks(_ result: SweepResult) -> String {
        text(
            header: ["point", "name", "check", "value", "limit", "verdict"],
            rows: result.points.flatMap { point in
                point.outcomes.map { outcome in
                    [
                        "\(point.point.number)", outcome.check.name, outcome.check.comparison.text,
                        field(outcome.value), field(outcome.limit), outcome.verdict.rawValue,
                    ]
                }
            }
        )
    }
}

extension DesignPoint {
    /// The first cells of the point's rows: its number and its levels.
    var leadingCells: [String] { ["\(number)"] + levels.map(\.label) }
}
