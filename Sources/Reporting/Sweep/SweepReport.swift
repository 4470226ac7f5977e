import Evaluation
import LiveActivityModel
import ScenarioLanguage
import SimulationKernel
import Statistics
import Studies
import TextFormats

/// `report.md` of a sweep: the design, the result of each design point, and further files.
struct SweepReport {
    let analysis: SweepAnalysis
    /// The charts, each placed beside the text about it.
    let charts: [Chart]

    var blocks: [Block] {
        let answer = Block.list(SweepAnswer(analysis: analysis).lines)
        let today = AgainstPresent(result).section
        return [Block](opening, answer, maps, tradeOff, today, effects, sensitivity, checks, facts, table)
    }

    private var result: SweepResult { analysis.result }
    private var sweep: Sweep { result.sweep }

    private var opening: [Block] {
        let scenario = sweep.experiment.scenario
        let skipped = sweep.noteOnSkippedChecks.map { "? \(MarkdownText.escaped($0))." }
        return [Block](
            Block.heading(1, scenario.name),
            verdict,
            skipped,
            scenario.descriptionLine,
            sweep.experiment.remarkOnScale,
            sweep.experiment.remarkOnCohorts
        )
    }

    /// The verdict on the checks at all points; empty without checks.
    private var verdict: [Block] {
        let checks = sweep.checks
        guard !checks.isEmpty else { return [] }
        func named(_ isMeant: (CheckOutcome) -> Bool) -> String {
            checks.indices
                .compactMap { index -> String? in
                    let count = result.points.count { isMeant($0.outcomes[index]) }
                    return count == 0
                        ? nil : "\(MarkdownText.code(checks[index].name))\(basis(ofCheck: index)) at \(count)"
                }
                .joined(separator: "; ")
        }
        let failing = named(\.failsSurely)
        let undecided = named { !$0.holds && $0.isUndecided }
        let unmeasured = named { $0.verdict == .notMeasured }
        let points = "of \(result.points.count.counted("design point", "design points"))"
        guard !(failing + undecided + unmeasured).isEmpty else {
            return "✓ **All checks passed** at each \(points).".blocks
        }
        return [Block](
            failing.isEmpty ? nil : "✗ **Failed checks**, \(points): \(failing).",
            undecided.isEmpty
                ? nil
                : "? **Undecided checks**, \(points): \(undecided). The interval of the value contains the limit.",
            unmeasured.isEmpty ? nil : "✗ **Checks not measured**, \(points): \(unmeasured)."
        )
    }

    /// Returns the basis of a check's value if that is a sum; otherwise empty.
    private func basis(ofCheck index: Int) -> String {
        result.points.first.map { $0.outcomes[index].basis } ?? ""
    }

    private var facts: [Block] {
        let replications = sweep.replications == 1 ? "1" : "\(sweep.replications), on common random numbers"
        let facts = TextTable(
            ["", ""],
            rows: [
                ["Design", designText], ["Replications of each point", replications],
                ["Seed", "\(sweep.experiment.scenario.seed)"],
                [
                    "Activities started per run, on average over the points",
                    Format.count(
                        mean: Double(result.points.reduce(0) { $0 + $1.activities })
                            / Double(max(1, result.points.count * sweep.replications))
                    ),
                ],
                ["Sweep", "\(sweep.id.hexadecimal), fingerprint \(result.fingerprint.value.hexadecimal)"],
            ]
        )
        return .section("Design", facts)
    }

    private var designText: String {
        let name =
            switch sweep.factors.design {
            case .grid: "grid"
            case .latinHypercube: "Latin hypercube"
            case .sobol: "Sobol sequence"
            case .saltelli: "Saltelli's crossed design"
            }
        let part = sweep.isWhole ? "" : " (a part of \(sweep.designSize))"
        let points = result.points.count.counted("point", "points")
        return "\(name), \(points) of \(sweep.factors.vary.count.counted("factor", "factors"))\(part)"
    }

    // MARK: - Results

    /// Returns the charts with some names.
    func pictures(_ isShown: (String) -> Bool) -> [Chart] { charts.filter { isShown($0.name) } }

    private var tradeOff: [Block] {
        guard let tradeOff = analysis.tradeOff else { return [] }
        let (gain, cost) = (tradeOff.gain, tradeOff.cost)
        let unsure = Set(tradeOff.front.unsure)
        let members = tradeOff.front.members.sorted { left, right in
            let costs = [left, right].map { result.points[$0].rows[cost]?.value?.double ?? 0 }
            return (costs[0], left) < (costs[1], right)
        }
        let table = TextTable(
            ["point:"] + sweep.factors.vary.map { "\($0.path):" }
                + ["\(result.responses[gain]):", "\(result.responses[cost]):", ""],
            rows: members.prefix(SweepReport.shown)
                .map { member in
                    let point = result.points[member]
                    return point.point.leadingCells + [gain, cost].map { Format.valueAndSpread(point.rows[$0]) }
                        + [unsure.contains(member) ? "not sure" : ""]
                }
        )
        let explanation =
            "The Pareto front has \(members.count) of \(result.points.count.counted("point", "points")): no other point has "
            + "at least their `\(result.responses[gain])` at a lower `\(result.responses[cost])` (`pareto.csv`)"
            + (result.isOfOneWorld
                ? " in the one world that was run. Each may be there by chance."
                : ". *Not sure* marks points that may be there by chance.")
        return .section("Price of freshness", explanation, pictures { $0 == "pareto" }, table)
    }

    private var effects: [Block] {
        guard analysis.effects.contains(where: { $0 != nil }) else { return [] }
        var table = TextTable(["response"] + analysis.groupNames.map { "\($0):" })
        for (response, effects) in analysis.effects.enumerated() {
            guard let effects else { continue }
            let spans = effects.effects.enumerated()
                .map { group, levels in
                    // A factor has no visible effect if only one of its levels measures the response.
                    let isOne = levels.count < 2 && analysis.levelLabels(ofGroup: group).count > 1
                    return isOne ? Format.undefined : result.distance(effects.span(levels), of: response)
                }
            table.add([result.responses[response]] + spans)
        }
        let caveat = analysis.effects.lazy.compactMap { $0?.caveat }.first { !$0.isEmpty } ?? ""
        let explanation =
            "The largest difference between means of levels, each over all levels of the other factors; counts are per run. "
            + "`effects.csv` has every level with its interval."
            + (result.responses.indices.contains { result.unmeasured($0) != nil }
                ? " Points that do not measure a response are left out of its effects." : "")
            + caveat
        return .section("Main effects", explanation, table, pictures { $0.hasPrefix("effects-") })
    }

    private var sensitivity: [Block] {
        guard analysis.sensitivity.contains(where: { $0 != nil }) else { return [] }
        var table = TextTable(["response", "factor", "first order:", "total:"])
        for (response, indices) in zip(result.responses, analysis.sensitivity) {
            guard let indices else { continue }
            for (index, name) in analysis.groupNames.enumerated() {
                let both = [indices.firstOrder[index], indices.total[index]]
                    .map { "\(Format.number($0.value)) ± \(Format.number($0.halfWidth))" }
                table.add([index == 0 ? response : "", name] + both)
            }
        }
        let explanation =
            "Sobol' indices: the share of a response's variance due to a factor alone (first order), and including its interactions "
            + "(total), with half-widths of 95 % intervals by resampling. Chance adds to every total."
        let pictures = pictures { $0.hasPrefix("sensitivity-") }
        return .section("Where the variance comes from", explanation, table, pictures)
    }

    private var checks: [Block] {
        let checks = sweep.checks
        guard !checks.isEmpty else { return [] }
        let doubts = checks.indices.map { result.doubtfulPoints(ofCheck: $0).count }
        let hasDoubts = doubts.contains { $0 > 0 }
        let table = TextTable(
            ["check", "holds at:", "of:"] + (hasDoubts ? ["undecided at:"] : []),
            rows: checks.enumerated()
                .map { index, check in
                    let count = result.points.count { $0.outcomes[index].holdsSurely }
                    return [
                        "\(MarkdownText.code(check.name))\(basis(ofCheck: index))", "\(count)",
                        "\(result.points.count)",
                    ]
                        + (hasDoubts ? ["\(doubts[index])"] : [])
                }
        )
        let doubt = hasDoubts ? " A check is undecided where the interval of the value contains the limit." : ""
        let explanation = "The number of design points at which each check holds; `checks.csv` lists them.\(doubt)"
        return .section("Checks", explanation, table)
    }

    /// The largest number of points in the report.
    ///
    /// `points.csv` has all.
    private static let shown = 100

    /// Returns a value with its spread for a table; the answer at the top states why a value is not measured.
    private static func cell(_ row: SummaryRow?) -> String {
        row?.unmet == nil ? Format.valueAndSpread(row) : "not measured"
    }

    private var table: [Block] {
        let table = TextTable(
            ["point:"] + sweep.factors.vary.map { "\($0.path):" } + result.responses.map { "\($0):" },
            rows: result.shownPoints(SweepReport.shown)
                .map { result.leadingCells(of: $0) + result[$0].rows.map(SweepReport.cell) }
        )
        let rest = result.points.count - SweepReport.shown
        let chance =
            sweep.replications > 1
            ? "Half-widths are those of 95 % confidence intervals. Counts are per run: means over the \(sweep.replications) "
                + "replications. `points.csv` has the sums, `results.csv` every replication."
            : "One replication of each point gives no estimate of the chance in differences between points"
                + (sweep.experiment.scenario.cells > 1 ? "; half-widths come from the cells of a point" : "")
                + ". `results.csv` has its values."
        return .section("Design points", table, rest > 0 ? "\(rest) more are in `points.csv`." : nil, chance)
    }
}
