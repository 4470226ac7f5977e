public import Experiments
import LiveActivityModel
import Statistics

/// What a search for the best design point came to, in words and tables.
struct TuningReport {
    let result: TuningResult

    private var sweep: Sweep { result.tuning.sweep }
    private var outcome: SelectionOutcome { result.outcome }

    /// The answer in a sentence.
    var headline: String {
        guard let best = result.best else {
            return "No design point keeps to every limit."
        }
        let levels = zip(sweep.factors.vary, best.levels).map { "\($0.path) = \($1.label)" }.joined(separator: ", ")
        switch outcome.decision {
        case .selected: return "The best design point is \(best.number): \(levels)."
        case .notSure: return "Not sure: the budget is spent. Design point \(best.number) leads: \(levels)."
        case .noneFeasible: return ""
        }
    }

    /// The report in Markdown.
    var markdown: String {
        let scenario = sweep.experiment.scenario
        let description = scenario.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return
            (["# \(scenario.name)", "**\(headline)**"] + (description.isEmpty ? [] : [description])
            + [
                goal, "## How sure", guarantee.map { "- \($0)" }.joined(separator: "\n"), "## Design points",
                table(of: sweep.points.indices.map(\.self)).markdown,
                "Means are over the replications that were used, \(Prose.count(Int64(outcome.runs))) in all; a point that "
                    + "was ruled out early has few. `tune.csv` has the numbers, `results.csv` every replication.",
            ]).joined(separator: "\n\n") + "\n"
    }

    /// What was looked for.
    private var goal: String {
        let problem = result.tuning.problem
        let verb = problem.direction == .maximise ? "Maximised" : "Minimised"
        let limits = (sweep.factors.goal?.constraints ?? []).map { "`\($0.text)`" }
        let subject = problem.constraints.isEmpty || limits.isEmpty ? "" : ", subject to \(limits.joined(separator: ", "))"
        return "\(verb): `\(result.tuning.responses[0].text)`\(subject)."
    }

    /// What is promised, in the words of this experiment.
    private var guarantee: [String] {
        outcome.guarantee.sentences.map { sentence in
            var sentence = sentence.replacing("selected system", with: "selected point")
                .replacing("every system", with: "every point").replacing("systems may", with: "points may")
            for (index, response) in result.tuning.responses.dropFirst().enumerated() {
                sentence = sentence.replacing("Constraint \(index):", with: "`\(response.text)`:")
            }
            return sentence
        }
    }

    /// The design points with what became of them.
    func table(of systems: [Int]) -> TextTable {
        var table = TextTable(
            [("point", .right)] + sweep.factors.vary.map { ($0.path, .right) }
                + result.tuning.responses.map { ($0.text, .right) } + [("replications", .right), ("", .left)]
        )
        for index in systems {
            let system = outcome.systems[index]
            table.add(
                ["\(sweep.points[index].number)"] + sweep.points[index].levels.map(\.label)
                    + zip(result.tuning.responses, system.means)
                    .map { Prose.value($1, unit: $0.unit, isShare: $0.isShare) }
                    + ["\(system.replications)", verdict(index)]
            )
        }
        return table
    }

    /// What became of a design point.
    func verdict(_ index: Int) -> String {
        if case .selected(index) = outcome.decision { return "**selected**" }
        switch outcome.systems[index].status {
        case .surviving(let isFeasible): return isFeasible ? "not ruled out" : "limits not settled"
        case .infeasible(let constraints, _):
            let names = constraints.map { result.tuning.responses[$0 + 1].text }
            return "breaks the limit of \(names.joined(separator: ", "))"
        case .eliminated(let better, _): return "worse than \(sweep.points[better].number)"
        }
    }
}

/// A search's result for a terminal.
public struct TuningTable: Sendable {
    private let result: TuningResult

    /// The table of a result.
    public init(_ result: TuningResult) {
        self.result = result
    }

    /// The table as plain text that ends with a newline.
    public var text: String {
        let report = TuningReport(result: result)
        let shown = Array(result.tuning.sweep.points.indices.prefix(60))
        return report.headline + "\n\n" + report.table(of: shown).plain.replacing("**", with: "") + "\n"
    }
}

extension RunFiles {
    /// Writes up a search for the best design point.
    public init(_ result: TuningResult) {
        self.init(
            files: [
                File(path: "report.md", text: TuningReport(result: result).markdown),
                File(path: "tune.json", text: TuningDescription(result).json.text),
                File(path: "scenario.resolved.yaml", text: ScenarioWriter.resolvedYAML(result.tuning.sweep.experiment)),
                File(path: "tune.csv", text: CSVText.tuning(result)),
                File(path: "results.csv", text: CSVText.results(result)),
            ]
        )
    }
}
