import Evaluation
import LiveActivityModel
import ScenarioLanguage
import Statistics
import Studies
import TextFormats

/// The charts of a sweep.
extension Chart {
    /// Returns all charts that a sweep's design allows, in the order of the report.
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

    /// The largest number of responses in one chart.
    ///
    /// The files have all.
    private static let mostResponses = 4

    /// The scale on which a response is drawn, with the effect of chance.
    private struct Scale {
        let scale: ResponseScale
        var title: String { scale.title }
        private let isShare: Bool
        /// The largest half-width of the points' intervals, on this scale.
        let chance: Double

        init(_ result: SweepResult, _ response: Int) {
            let isSum = result.points.lazy.compactMap { $0.rows[response] }.first?.isSum ?? false
            let isPerRun = isSum && result.sweep.replications > 1
            scale = ResponseScale(
                result.responses[response],
                result.units[response],
                isShare: result.isShare[response],
                addition: isPerRun ? ", per run" : ""
            )
            isShare = result.isShare[response]
            chance = result.largestHalfWidth(of: response) * scale.factor
        }

        func value(_ number: Double) -> Double { number * scale.factor }

        func interval(_ interval: ClosedRange<Double>?) -> ClosedRange<Double>? {
            // The interval of a share ends where shares do.
            interval.map { $0.clamped(to: isShare ? 0...1 : -.infinity ... .infinity) }
                .map { value($0.lowerBound)...value($0.upperBound) }
        }
    }

    private static func size(_ result: SweepResult) -> String {
        "\(result.sweep.experiment.scenario.name), \(Format.replications(result.sweep.replications)) of each point"
    }

    private static func subtitle(_ result: SweepResult) -> String {
        size(result) + (result.sweep.replications == 1 ? "" : ", 95 % intervals")
    }

    /// Returns the meaning of the points' labels, in order.
    static func legend(_ factors: Factors) -> String { "labels: \(factors.vary.map(\.path).joined(separator: ", "))" }

    private static func pareto(_ analysis: SweepAnalysis, _ tradeOff: SweepAnalysis.TradeOff) -> Chart {
        let result = analysis.result
        let (gain, cost) = (Scale(result, tradeOff.gain), Scale(result, tradeOff.cost))
        let front = Set(tradeOff.front.members)
        let all = result.points.count.counted("design point", "design points")
        // Points with the same values are one mark.
        let places = Set(
            front.map { point in
                [tradeOff.gain, tradeOff.cost].map { result.points[point].rows[$0]?.value?.double }
            }
        )
        let equal =
            places.count == front.count
            ? "" : places.count == 1 ? ", with the same values" : ", with \(places.count) different pairs of values"
        let (limits, legendOfLimits) = limits(analysis, tradeOff)
        let present = result.points.isEmpty ? nil : result.sweep.present(of: 0)
        return pareto(
            name: "pareto",
            title:
                "\(front.count) of \(all) \(front.count == 1 ? "is" : "are") on the Pareto front"
                + (result.isOfOneWorld ? " of one world" : "") + equal,
            subtitle: "\(subtitle(result))\(legendOfLimits); \(legend(result.sweep.factors))",
            cost: cost.title,
            gain: gain.title,
            points: (result.points + result.presents).enumerated()
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
                        isPresent: index == present,
                        costSpread: paid.interval.map { cost.value(($0.upperBound - $0.lowerBound) / 2) } ?? 0
                    )
                },
            limits: limits
        )
    }

    /// Returns the limits that the file's checks and goal set to gain and cost, and their legend.
    ///
    /// A limit outside the intervals of the points, and farther from the points than they are apart, is only named: it
    /// would flatten the chart.
    private static func limits(
        _ analysis: SweepAnalysis,
        _ tradeOff: SweepAnalysis.TradeOff
    ) -> (limits: TradeOffLimits, legend: String) {
        let result = analysis.result
        let sweep = result.sweep
        let set = sweep.checks.map(\.comparison) + (sweep.factors.goal?.constraints ?? [])
        var (drawn, outside): ([String], [String]) = ([], [])
        func values(of response: Int) -> [Double] {
            let scale = Scale(result, response)
            let rows = (result.points + result.presents).compactMap { $0.rows[response] }
            let known = rows.compactMap { $0.value?.double }
            let ends = known + rows.compactMap(\.interval).flatMap { [$0.lowerBound, $0.upperBound] }
            let span = (known.max() ?? 0) - (known.min() ?? 0)
            let low = min((known.min() ?? 0) - span, ends.min() ?? 0)
            let high = max((known.max() ?? 0) + span, ends.max() ?? 0)
            var values: [Double] = []
            for comparison in set where comparison.response == sweep.factors.responses[response] {
                guard let (_, limit) = try? comparison.resolve(in: sweep.experiment.scenario) else { continue }
                let text = comparison.text
                guard limit >= low, limit <= high else {
                    if !outside.contains(text) { outside.append(text) }
                    continue
                }
                guard !drawn.contains(text) else { continue }
                drawn.append(text)
                values.append(scale.value(limit))
            }
            return values
        }
        let limits = TradeOffLimits(gain: values(of: tradeOff.gain), cost: values(of: tradeOff.cost))
        let legend =
            (drawn.isEmpty ? "" : "; dashed: \(drawn.enumeration)")
            + (outside.isEmpty ? "" : "; outside the chart: \(outside.enumeration)")
        return (limits, legend)
    }

    /// Returns the names of a response's maps, one for each sheet of the grid.
    static func mapNames(_ response: String, _ grid: SweepGrid) -> [String] {
        let name = "map-\(fileName(response))"
        return grid.sheetTitles.indices.map { sheet in
            grid.sheets.map { "\(name)-\(fileName($0.labels[sheet]))" } ?? name
        }
    }

    /// Returns a map for each sheet of a grid, in common colours.
    private static func heatMaps(_ result: SweepResult, _ response: Int, _ grid: SweepGrid) -> [Chart] {
        let scale = Scale(result, response)
        func value(_ index: Int) -> Double? {
            result.points[index].rows[response]?.value.map { scale.value($0.double) }
        }
        let isComparable = result.isComparable(response)
        let isFlat = !isComparable || result.isFlat(response)
        let rule = result.hasPairs(response) ? "pair by pair" : "by the points' own intervals"
        let direction = MetricDirection(of: result.sweep.factors.responses[response])
        let best = isFlat || direction == .neutral ? nil : result.best(of: response)
        let equals = best.map { result.equals(of: $0, among: Array(result.points.indices), in: response) } ?? []
        let checks = result.checks(of: response)
        let known = result.points.indices.compactMap(value)
        // Colours span at least an interval, so that they do not magnify chance differences.
        let range = known.min()
            .map { low in
                let high = known.max() ?? low
                let more = max(0, 2 * scale.chance - (high - low)) / 2
                return low - more...high + more
            }
        let remark =
            "\(size(result))"
            + (!isComparable
                ? "; \(result.notComparable(response))"
                : isFlat
                    ? "; all points are statistically tied, \(rule)"
                    : direction == .neutral
                        ? "" : "; lighter is better" + (equals.isEmpty ? "" : ", ≈ statistically tied with the best"))
            + (result.unmeasured(response).map { "; not measured \($0)" } ?? "") + result.legend(ofFailing: checks)
        let names = mapNames(result.responses[response], grid)
        // The axes are the same as in the table: down and across.
        let (x, y) = (grid.columns, grid.rows)
        return grid.sheetTitles.enumerated()
            .map { sheet, title in
                let cells = y.labels.indices.map { row in
                    x.labels.indices.map { column -> MapCell? in
                        guard let index = grid.point(row: row, column: column, sheet: sheet),
                            let value = value(index)
                        else { return nil }
                        return MapCell(
                            value: value,
                            isLikeBest: equals.contains(index),
                            mark: result.mark(checks, at: index)
                        )
                    }
                }
                return heatMap(
                    name: names[sheet],
                    title: title.isEmpty ? "\(result.responses[response]) by two factors" : title,
                    subtitle: title.isEmpty ? remark : "\(result.responses[response]), \(remark)",
                    x: x,
                    y: y,
                    response: scale.title,
                    cells: cells,
                    range: range,
                    isLowBest: direction == .lower,
                    isFlat: isFlat,
                    isCount: result.units[response] == "count"
                )
            }
    }

    private static func mainEffects(_ analysis: SweepAnalysis, _ response: Int, _ effects: MainEffects) -> Chart {
        let result = analysis.result
        let scale = Scale(result, response)
        let isComparable = result.isComparable(response)
        let name = result.responses[response]
        let leaders = effects.leaders.map { analysis.groupNames[$0] }
        let title =
            switch leaders.count {
            case _ where !isComparable: "\(name) is \(result.notComparable(response))"
            case _ where !effects.isBalanced:
                "\(name) over a part of a grid: each curve includes effects of other factors"
            case _ where result.isOfOneWorld: "\(name) by factor in one world, without an estimate of chance"
            case 0: "No factor moves \(name) beyond chance"
            case 1: "\(leaders[0]) moves \(name) most"
            default: "\(leaders.enumeration) move \(name) most, statistically tied"
            }
        let comparison = result.hasPairs(response) ? " of a level against all, pair by pair" : ""
        return mainEffects(
            name: "effects-\(fileName(result.responses[response]))",
            title: title,
            subtitle: subtitle(result) + comparison
                + (result.unmeasured(response).map { "; not measured \($0)" } ?? ""),
            // The title names the response, because its name would not fit beside short axes.
            response: scale.scale.unit,
            effects: effects.effects.enumerated()
                .map { group, levels in
                    let labels = analysis.levelLabels(ofGroup: group)
                    return MainEffect(
                        factor: analysis.groupNames[group],
                        levels: levels.map { effect in
                            MainEffect.Level(
                                label: labels[effect.level],
                                mean: scale.value(effect.mean),
                                interval: scale.interval(
                                    effect.halfWidth.map { effect.mean - $0...effect.mean + $0 }
                                )
                            )
                        },
                        isOrdered: result.sweep.factors.groups[group].contains(where: \.hasOrder)
                    )
                },
            leastSpan: scale.chance
        )
    }

    private static func sensitivity(_ analysis: SweepAnalysis, _ response: Int, _ indices: SobolIndices) -> Chart {
        let name = analysis.result.responses[response]
        let leader = indices.leader.map { "\(name) varies most with \(analysis.groupNames[$0])" }
        func index(_ index: SobolIndices.Index) -> SensitivityBar.Index { (index.value, index.lower...index.upper) }
        return sensitivity(
            name: "sensitivity-\(fileName(name))",
            title: !analysis.result.isComparable(response)
                ? "\(name) is \(analysis.result.notComparable(response))"
                : leader ?? "Too few points to decide which factor \(name) varies most with",
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

    /// Returns a response as a part of a file name.
    static func fileName(_ response: String) -> String {
        String(response.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }
}

extension Factor {
    /// `true` if its levels are numbers, but for one at most, such as `off`.
    fileprivate var hasOrder: Bool {
        guard !labels.isEmpty else { return false }
        let numbers = gridLevels.count { $0.number != nil }
        return numbers >= 2 && numbers >= labels.count - 1
    }
}
