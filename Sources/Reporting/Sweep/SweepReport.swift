import Experiments
import LiveActivityModel
import SimulationKernel

/// `report.md` of a sweep: what was varied, what each design point gave, and where to look next.
struct SweepReport {
    let result: SweepResult

    /// The report in Markdown.
    var markdown: String {
        [opening, table].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var sweep: Sweep { result.sweep }

    private var opening: String {
        let scenario = sweep.experiment.scenario
        let description = scenario.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var facts = TextTable([("", .left), ("", .left)])
        facts.add("Design", designText)
        facts.add("Replications of each point", "\(sweep.replications), on common random numbers")
        facts.add("Seed", "\(scenario.seed)")
        facts.add("Activities started", Prose.count(result.points.reduce(0) { $0 + $1.activities }))
        facts.add("Sweep", "\(sweep.id.hexadecimal), fingerprint \(result.fingerprint.value.hexadecimal)")
        return (["# \(scenario.name)"] + (description.isEmpty ? [] : [description]) + [facts.markdown])
            .joined(separator: "\n\n")
    }

    private var designText: String {
        let count = "\(result.points.count) points of \(sweep.factors.vary.count) factors"
        let part = sweep.isWhole ? "" : " (a part of \(sweep.designSize))"
        switch sweep.factors.design {
        case .grid: return "grid, \(count)\(part)"
        case .latinHypercube: return "Latin hypercube, \(count)\(part)"
        case .sobol: return "Sobol sequence, \(count)\(part)"
        case .saltelli: return "Saltelli's crossed design, \(count)\(part)"
        }
    }

    /// How many points the report shows; `points.csv` has all.
    private static let shown = 100

    private var table: String {
        var table = TextTable(
            [("point", .right)] + sweep.factors.vary.map { ($0.path, .right) } + result.responses.map { ($0, .right) }
        )
        for point in result.points.prefix(SweepReport.shown) {
            table.add(
                ["\(point.point.number)"] + point.point.levels.map(\.label)
                    + point.rows.map { Prose.valueAndSpread($0) }
            )
        }
        let rest = result.points.count - SweepReport.shown
        return ["## Design points", table.markdown]
            .joined(separator: "\n\n")
            + (rest > 0 ? "\n\n\(rest) more are in `points.csv`." : "")
            + "\n\nHalf-widths are those of 95 % confidence intervals; `results.csv` has every replication."
    }
}
