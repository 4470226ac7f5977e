import Experiments
import Statistics

/// What a sweep says about its factors.
extension CSVText {
    /// `effects.csv`: the mean response at each level of each factor, and how far it is from the mean of all.
    static func effects(_ analysis: SweepAnalysis) -> String {
        var csv = CSVText(
            header: ["response", "unit", "factor", "level", "points", "mean", "effect", "ci_low", "ci_high"]
        )
        let result = analysis.result
        for (response, effects) in analysis.effects.enumerated() {
            guard let effects else { continue }
            for (group, levels) in effects.effects.enumerated() {
                let labels = analysis.levelLabels(ofGroup: group)
                for effect in levels {
                    csv.add(
                        [
                            result.responses[response], result.units[response], analysis.groupNames[group],
                            labels[effect.level], "\(effect.points)", field(effect.mean), field(effect.value),
                            field(effect.interval.map { effect.value - $0.halfWidth }),
                            field(effect.interval.map { effect.value + $0.halfWidth }),
                        ]
                    )
                }
            }
        }
        return csv.text
    }

    /// `sensitivity.csv`: Sobol's indices of each response and each group of factors.
    static func sensitivity(_ analysis: SweepAnalysis) -> String {
        var csv = CSVText(
            header: [
                "response", "factor", "first_order", "first_order_ci_low", "first_order_ci_high", "total",
                "total_ci_low", "total_ci_high",
            ]
        )
        for (response, indices) in analysis.sensitivity.enumerated() {
            guard let indices else { continue }
            for (index, name) in analysis.groupNames.enumerated() {
                let (first, total) = (indices.firstOrder[index], indices.total[index])
                csv.add(
                    [
                        analysis.result.responses[response], name, field(first.value), field(first.lower),
                        field(first.upper), field(total.value), field(total.lower), field(total.upper),
                    ]
                )
            }
        }
        return csv.text
    }

    /// `pareto.csv`: every design point with its gain and its cost, and whether nothing beats it.
    static func pareto(_ analysis: SweepAnalysis, _ tradeOff: SweepAnalysis.TradeOff) -> String {
        let result = analysis.result
        var csv = CSVText(
            header: ["point"] + result.sweep.factors.vary.map(\.path)
                + [result.responses[tradeOff.gain], result.responses[tradeOff.cost], "on_front", "is_sure"]
        )
        let (front, unsure) = (Set(tradeOff.front.members), Set(tradeOff.front.unsure))
        for (index, point) in result.points.enumerated() {
            csv.add(
                ["\(point.point.number)"] + point.point.levels.map(\.label)
                    + [
                        field(point.rows[tradeOff.gain]?.value), field(point.rows[tradeOff.cost]?.value),
                        front.contains(index) ? "1" : "0",
                        result.sweep.replications > 1 ? (unsure.contains(index) ? "0" : "1") : "",
                    ]
            )
        }
        return csv.text
    }

    /// `checks.csv` of a sweep: what came of each check at each design point.
    static func checks(_ result: SweepResult) -> String {
        var csv = CSVText(header: ["point", "name", "check", "value", "limit", "verdict"])
        for point in result.points {
            for outcome in point.outcomes {
                csv.add(
                    [
                        "\(point.point.number)", outcome.check.name, outcome.check.comparison.text,
                        field(outcome.value), field(outcome.limit), outcome.verdict.rawValue,
                    ]
                )
            }
        }
        return csv.text
    }
}
