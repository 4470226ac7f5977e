import Experiments
import LiveActivityModel
import Statistics

/// The pictures of a sweep.
extension Chart {
    /// All pictures that a sweep's design allows, in the order of showing.
    static func charts(_ analysis: SweepAnalysis) -> [Chart] {
        let result = analysis.result
        var charts: [Chart] = []
        let grid = SweepGrid(result)
        if let tradeOff = analysis.tradeOff { charts.append(pareto(analysis, tradeOff)) }
        let shown = result.responses.indices.filter { analysis.effects[$0] != nil || analysis.sensitivity[$0] != nil }
        for response in shown.prefix(mostResponses) {
            if let grid, SweepReport.mapped(result).contains(response) { charts += heatMaps(result, response, grid) }
            if let effects = analysis.effects[response] {
                charts.append(mainEffects(analysis, response, effects))
            }
            if let indices = analysis.sensitivity[response] {
                charts.append(sensitivity(analysis, response, indices))
            }
        }
        return charts
    }

    /// Pictures of more responses than these would bury each other; the files have all.
    private static let mostResponses = 4

    /// How values of a response are drawn, and what chance alone may do to them.
    private struct Scale {
        let scale: ResponseScale
        var title: String { scale.title }
        /// The largest half-width of the intervals of the points, as it is drawn.
        let chance: Double
        /// The same in words, for where nothing goes beyond it.
        let chanceText: String

        init(_ result: SweepResult, _ response: Int) {
            let isSum = result.isSum(response) && result.sweep.replications > 1
            scale = ResponseScale(
                result.responses[response],
                result.units[response],
                isShare: result.isShare[response],
                addition: isSum ? ", sum of the replications" : ""
            )
            let halfWidth = result.largestHalfWidth(of: response)
            chance = halfWidth * scale.factor
            chanceText = "all within ± \(result.distance(halfWidth, of: response))"
        }

        func value(_ number: Double) -> Double { number * scale.factor }

        func interval(_ interval: ClosedRange<Double>?) -> ClosedRange<Double>? {
            interval.map { value($0.lowerBound)...value($0.upperBound) }
        }
    }

    private static func subtitle(_ result: SweepResult) -> String {
        let count = result.sweep.replications
        return "\(result.sweep.experiment.scenario.name), \(Format.replications(count)) of each point"
            + (count == 1 ? "" : ", 95 % intervals")
    }

    private static func pareto(_ analysis: SweepAnalysis, _ tradeOff: SweepAnalysis.TradeOff) -> Chart {
        let result = analysis.result
        let (gain, cost) = (Scale(result, tradeOff.gain), Scale(result, tradeOff.cost))
        let front = Set(tradeOff.front.members)
        return pareto(
            name: "pareto",
            title:
                "\(front.count) of \(result.points.count) design points \(front.count == 1 ? "is" : "are") beaten by none",
            subtitle: subtitle(result),
            cost: cost.title,
            gain: gain.title,
            points: result.points.enumerated()
                .compactMap { index, point in
                    guard let gained = point.rows[tradeOff.gain], let paid = point.rows[tradeOff.cost],
                        let gainedValue = gained.value?.double, let paidValue = paid.value?.double
                    else { return nil }
                    return TradeOff(
                        label: point.point.levels.map(\.label).joined(separator: ", "),
                        cost: cost.value(paidValue),
                        gain: gain.value(gainedValue),
                        gainInterval: gain.interval(gained.interval),
                        isOnFront: front.contains(index),
                        costSpread: paid.interval.map { cost.value(($0.upperBound - $0.lowerBound) / 2) } ?? 0
                    )
                }
        )
    }

    /// A map for each sheet of a grid, in common colours.
    private static func heatMaps(_ result: SweepResult, _ response: Int, _ grid: SweepGrid) -> [Chart] {
        let scale = Scale(result, response)
        func value(_ index: Int) -> Double? {
            result.points[index].rows[response]?.value.map { scale.value($0.double) }
        }
        let known = result.points.indices.compactMap { value($0) }
        let range = known.min().map { $0...(known.max() ?? $0) }
        let isFlat = range.map { $0.upperBound - $0.lowerBound <= scale.chance && scale.chance > 0 } ?? false
        let remark = isFlat ? "\(subtitle(result)), \(scale.chanceText)" : subtitle(result)
        let (x, y) = (grid.rows, grid.columns)
        return grid.sheetTitles.enumerated()
            .map { sheet, title in
                let values = y.labels.indices.map { column in
                    x.labels.indices.map { row in
                        grid.point(row: row, column: column, sheet: sheet).flatMap { value($0) }
                    }
                }
                let name = "map-\(fileName(result.responses[response]))"
                return heatMap(
                    name: grid.sheets.map { "\(name)-\(fileName($0.labels[sheet]))" } ?? name,
                    title: title.isEmpty ? "\(result.responses[response]) by two factors" : title,
                    subtitle: title.isEmpty ? remark : "\(result.responses[response]), \(remark)",
                    x: x,
                    y: y,
                    response: scale.title,
                    values: values,
                    range: range,
                    leastSpan: scale.chance,
                    isCount: result.units[response] == "count"
                )
            }
    }

    private static func mainEffects(_ analysis: SweepAnalysis, _ response: Int, _ effects: MainEffects) -> Chart {
        let result = analysis.result
        let scale = Scale(result, response)
        // What chance alone may have done moves nothing.
        let spans = effects.effects.map { levels in
            effects.isTold(levels) ? (levels.map(\.mean).max() ?? 0) - (levels.map(\.mean).min() ?? 0) : 0
        }
        let fold = result.fold(response)
        let factors = result.sweep.factors
        let isComparable = factors.measuresAlike(factors.responses[response])
        let mover = isComparable ? strongest(spans, of: analysis.groupNames) : nil
        return mainEffects(
            name: "effects-\(fileName(result.responses[response]))",
            title: !isComparable
                ? "\(result.responses[response]): a factor is its ruler, so levels cannot be compared"
                : mover.map { "\($0) moves \(result.responses[response]) most" }
                    ?? "No factor moves \(result.responses[response]) beyond chance",
            subtitle: mover == nil && scale.chance > 0 ? "\(subtitle(result)), \(scale.chanceText)" : subtitle(result),
            response: scale.title,
            effects: effects.effects.enumerated()
                .map { group, levels in
                    let labels = analysis.levelLabels(ofGroup: group)
                    return MainEffect(
                        factor: analysis.groupNames[group],
                        levels: levels.map { effect in
                            MainEffect.Level(
                                label: labels[effect.level],
                                mean: scale.value(effect.mean * fold),
                                interval: scale.interval(
                                    effect.interval.map {
                                        (effect.mean - $0.halfWidth) * fold...(effect.mean + $0.halfWidth) * fold
                                    }
                                )
                            )
                        }
                    )
                },
            leastSpan: scale.chance
        )
    }

    private static func sensitivity(_ analysis: SweepAnalysis, _ response: Int, _ indices: SobolIndices) -> Chart {
        let name = analysis.result.responses[response]
        func index(_ index: SobolIndices.Index) -> SensitivityBar.Index { (index.value, index.lower...index.upper) }
        return sensitivity(
            name: "sensitivity-\(fileName(name))",
            title: indices.leader.map { "\(name) varies most with \(analysis.groupNames[$0])" }
                ?? "Too few points to tell what \(name) varies most with",
            subtitle: "\(analysis.result.points.count) design points, 95 % intervals by resampling",
            bars: analysis.groupNames.enumerated()
                .map { number, group in
                    SensitivityBar(
                        factor: group,
                        firstOrder: index(indices.firstOrder[number]),
                        total: index(indices.total[number])
                    )
                }
        )
    }

    /// The name with the largest number above 0, the first of equals; nil when there is none.
    private static func strongest(_ numbers: [Double], of names: [String]) -> String? {
        var strongest: (name: String, number: Double)?
        for (name, number) in zip(names, numbers) where number > strongest?.number ?? 0 { strongest = (name, number) }
        return strongest?.name
    }

    /// A response as a part of a file's name.
    private static func fileName(_ response: String) -> String {
        String(response.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }
}
