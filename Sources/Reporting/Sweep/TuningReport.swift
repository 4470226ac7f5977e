import Evaluation
import LiveActivityModel
import ScenarioLanguage
import Statistics
public import Studies
import TextFormats

/// The report of a search for the best design point, in words and tables.
public struct TuningReport: Sendable {
    let result: TuningResult

    /// Creates the report of a result.
    public init(_ result: TuningResult) {
        self.result = result
    }

    var sweep: Sweep { result.tuning.sweep }
    var outcome: SelectionOutcome { result.outcome }

    /// The answer in sentences for `tune.json`, which has the difference to today as ``numbers``.
    var answer: [String] {
        ([headline] + ceiling + asToday + [aim] + againstToday.prefix(1) + [edges, caution]).filter { !$0.isEmpty }
    }

    /// The outcome of the search, in one or two sentences.
    public var headline: String {
        guard let best = result.best else {
            guard let nearest = result.nearest else { return "No design point meets every limit." }
            let isBroken = nearest.gaps.contains { $0.distance > 0 }
            return "No design point \(isBroken ? "meets" : "certainly meets") every limit. \(words(nearest))"
        }
        let levels = levels(of: best)
        let tie =
            result.presentTie
            .map { tie in
                let chance = result.tuning.objective.isExact ? "" : " beyond chance"
                if let better = tie.better {
                    return
                        "The best point is statistically tied with the present setting, design point \(tie.present.number), but "
                        + "design point \(better.number) is better than the present setting\(chance). "
                }
                return
                    "No setting is better\(chance) than the present one, design point \(tie.present.number). "
            } ?? ""
        switch outcome.decision {
        case .selected(let index):
            let seen = setAside.isEmpty ? "" : ", as far as differences were observed"
            let doubt = doubt(index, "meets")
            let present = result.present?.system == index ? ", the present setting" : ""
            return "\(tie)The best design point is \(best.number)\(present)\(seen): \(levels)."
                + (doubt.isEmpty ? "" : " \(doubt).") + margins(of: index) + fewEvents + alike(index)
        case .notSure: return "\(tie)Not sure: the budget is spent. Design point \(best.number) leads: \(levels)."
        case .noneFeasible: return ""
        }
    }

    /// Returns a sentence on the other points that are as good as the best.
    private func alike(_ best: Int) -> String {
        let alike = result.asGood
        guard !alike.isEmpty else { return "" }
        let subject = "D\(named(alike).dropFirst()) \(alike.count == 1 ? "is" : "are")"
        let means = outcome.systems.map(\.means)
        let isEqual = result.tuning.objective.isExact && alike.allSatisfy { means[$0][0] == means[best][0] }
        return
            " \(subject) \(isEqual ? "equally good; the first of equals is selected" : "as good: within the indifference zone of \(zone)")."
    }

    /// Returns points by their numbers: `design points 3 and 5`.
    func named(_ systems: [Int]) -> String {
        let numbers = systems.map { "\(sweep.points[$0].number)" }.enumeration
        return systems.count == 1 ? "design point \(numbers)" : "design points \(numbers)"
    }

    /// The indifference zone in words.
    var zone: String { distance(result.tuning.problem.indifference) }

    /// Formats a distance between two values of the objective.
    func distance(_ value: Double) -> String {
        let objective = result.tuning.objective
        return Format.distance(value, unit: objective.unit, isShare: objective.isShare)
    }

    /// A sentence on the points that the best one leads by so few events that chance may explain it; empty for none.
    private var fewEvents: String {
        let rivals = result.leadsByFewEvents
        guard !rivals.isEmpty else { return "" }
        return
            " Too few events decide its lead over \(named(rivals)) in `\(result.tuning.objective.text)`, so chance may explain it: "
            + "use a larger run or more `first_replications`."
    }

    /// The mark of the headline on a page: ✓ for a certain selection, ≈ within the tolerance of a limit,
    /// ✗ for none, ? if the budget was spent, too few events decide, or the replications cannot decide a limit of the
    /// selected point or of another that may be the best.
    var mark: String {
        switch outcome.decision {
        case .selected(let index):
            !(result.leadsByFewEvents.isEmpty && result.limitsInDoubt(of: index).isEmpty
                && result.ruledOutInDoubt.isEmpty)
                ? "?" : result.limitsWithinTolerance(of: index).isEmpty ? "✓" : "≈"
        case .noneFeasible: result.ruledOutInDoubt.isEmpty ? "✗" : "?"
        case .notSure: "?"
        }
    }

    /// The numbers of the best point, each above its limit.
    private var tiles: TextTable? {
        guard let index = result.bestSystem else { return nil }
        let tuning = result.tuning
        let labels = (isLevel ? [] : [tuning.objective.text]) + tuning.termTexts + tuning.limits.map(\.text)
        let limits = tuning.goal.constraints.map { "required: \($0.demand)" }
        let asked = Array(repeating: "", count: labels.count - limits.count) + limits
        let today = result.present?.point == sweep.points[index] ? [] : changes(of: index, isLong: true)
        return TextTable(
            labels.map { "\($0):" },
            rows: [means(of: index)] + (limits.isEmpty ? [] : [asked])
                + (today.allSatisfy(\.isEmpty) ? [] : [today.map { $0.isEmpty ? "" : "\($0) against today" }])
        )
    }

    func levels(of point: DesignPoint) -> String {
        zip(sweep.factors.vary, point.levels).map { "\($0.path) = \($1.label)" }.joined(separator: ", ")
    }

    /// Returns a sentence on the limits that the replications of a point cannot decide; empty if there are none.
    func doubt(_ index: Int, _ verb: String, among places: [Int]? = nil) -> String {
        let doubts = result.limitsInDoubt(of: index).filter { places?.contains($0) ?? true }
        guard !doubts.isEmpty else { return "" }
        let limits = doubts.map { "`\(result.tuning.goal.constraints[$0].text)`" }.enumeration
        let count = Format.replications(outcome.systems[index].replications)
        return "\(count) cannot decide whether it \(verb) \(limits): the interval of the mean contains the limit"
    }

    /// Returns the point nearest to the limits, with its distances from them.
    private func words(_ miss: TuningResult.Miss) -> String {
        let point = sweep.points[miss.system]
        func list(_ gaps: [TuningResult.Miss.Gap]) -> String {
            gaps.map { gap in
                let response = result.tuning.limits[gap.constraint]
                let distance = response.distance(gap.distance.magnitude)
                return "`\(result.tuning.goal.constraints[gap.constraint].text)` by \(distance)"
            }
            .joined(separator: ", ")
        }
        let (broken, unsure) = (miss.gaps.filter { $0.distance > 0 }, miss.gaps.filter { $0.distance <= 0 })
        var parts: [String] = []
        if !broken.isEmpty { parts.append("it misses \(list(broken))") }
        if !unsure.isEmpty {
            parts.append("\(broken.isEmpty ? "it" : "and it") meets \(list(unsure)), too little to be certain")
        }
        let doubt = doubt(miss.system, "breaks", among: broken.map(\.constraint))
        let undecided = unsure + (doubt.isEmpty ? [] : broken)
        return "The nearest is \(point.number), \(levels(of: point)): \(parts.joined(separator: ", "))."
            + (doubt.isEmpty ? "" : " \(doubt).")
            + (tolerance(deciding: undecided).map { " `--tolerance \($0)` would decide, with more replications." } ?? "")
    }

    /// Returns the largest tolerance, as a share of the limits with one digit, that decides on which side of its limits
    /// a point is if its true means are those seen; nil if there is none, or if the present tolerance is as small.
    ///
    /// A limit with a confidence needs a margin of twice the tolerance.
    private func tolerance(deciding gaps: [TuningResult.Miss.Gap]) -> String? {
        let constraints = result.tuning.problem.constraints
        let needed = gaps.map { gap in
            gap.distance.magnitude / 2 / constraints[gap.constraint].limit.magnitude
        }
        let now = gaps.map { constraints[$0.constraint].tolerance / constraints[$0.constraint].limit.magnitude }
        guard let least = needed.min(), let present = now.min(), least < present else { return nil }
        var scale = 1.0
        for places in 1...6 {
            scale *= 10
            // A quotient such as 0.002 may lie a little below its decimal.
            let digit = (least * scale * 1.000_001).rounded(.down)
            if digit >= 1 { return FixedPoint.text(digit / scale, places: places) }
        }
        return nil
    }

    /// A sentence on each factor whose largest or smallest value the best point has, of at least three; otherwise empty.
    var edges: String {
        guard case .selected(let index) = outcome.decision else { return "" }
        return sweep.factors.vary.indices
            .compactMap { place in
                let tried = Set(sweep.points.compactMap { $0.levels[place].number })
                let level = sweep.points[index].levels[place]
                guard tried.count >= 3, let number = level.number else { return nil }
                let path = sweep.factors.vary[place].path
                func remark(_ size: String, _ further: String) -> String {
                    "\(level.label) is the \(size) value of `\(path)` that was tried; a \(further) one may be better."
                }
                if number == tried.max() { return remark("largest", "larger") }
                // Nothing is smaller than none.
                return number == tried.min() && number > 0 ? remark("smallest", "smaller") : nil
            }
            .joined(separator: " ")
    }

    /// A warning if objective or limits are not comparable between points; otherwise empty.
    var caution: String {
        let (tuning, factors) = (result.tuning, sweep.factors)
        let asked: [(text: String, responses: [Response])] =
            [(tuning.objective.text, tuning.objective.responses.map(\.response))]
            + tuning.goal.constraints.map { ($0.text, [$0.response]) }
        let measured = asked.filter { !$0.responses.allSatisfy(factors.measuresAlike) }
        guard !measured.isEmpty else { return "" }
        let bases = factors.variedBases
            .filter { basis in measured.contains { $0.responses.contains { $0.bases.contains(basis) } } }
            .map { "`\($0.rawValue)`" }
        let guards = tuning.goal.constraints.filter { factors.measuresAlike($0.response) }
            .filter { MetricDirection(of: $0.response) != .neutral && !$0.response.metric.hasPrefix("pushes_") }
        let binding = guards.filter { constraint in
            outcome.systems.contains { system in
                guard case .infeasible(let broken, _) = system.status else { return false }
                return broken.contains { tuning.goal.constraints[$0].text == constraint.text }
            }
        }
        func names(_ limits: [Comparison]) -> String { limits.map { "`\($0.text)`" }.joined(separator: ", ") }
        let advice =
            guards.isEmpty
            ? "Nothing in this goal limits it: add a limit that does not depend on it, for example "
                + "`age_of_information_us{during_ride}.p95 <= 2m` or `ride_stage_coverage_ratio >= 95%`."
            : binding.isEmpty
                ? "No design point breaks \(names(guards)), so nothing limits it here; a stricter limit would."
                : "It is limited by \(names(binding))."
        return "\(bases.joined(separator: " and ")) \(bases.count == 1 ? "defines" : "define") what is measured, so "
            + "\(measured.map { "`\($0.text)`" }.joined(separator: " and ")) "
            + "\(measured.count == 1 ? "improves" : "improve") with it although no screen shows newer content. \(advice)"
    }

    /// Returns the headline and a table for a terminal, with all responses in its width; ends with a newline.
    ///
    /// - Parameter width: The columns of the terminal; nil if there is none.
    public func text(width: Int? = nil) -> String {
        let basis = hasOtherReplications ? basisOfDifferences : ""
        let words = ([headline] + ceiling + asToday + againstToday + [edges, caution, basis]).filter { !$0.isEmpty }
            .map(Block.paragraph)
        let table = table(of: Array(order.prefix(60)))
        let tables = width.map { table.parts(width: $0, repeating: 1) } ?? [table]
        return (words + tables.map(Block.table)).plain.replacing("**", with: "").replacing("`", with: "")
    }

    /// The design points in the order of the table: the selected one, those as good, those that keep to the limits with
    /// the best first, then the others with the best first.
    ///
    /// If no point keeps to the limits, the nearest comes first.
    var order: [Int] {
        if result.nearest != nil {
            return sweep.points.indices.sorted { (result.largestGap(of: $0), $0) < (result.largestGap(of: $1), $1) }
        }
        let asGood = result.asGood
        func rank(_ index: Int) -> Int {
            if index == result.bestSystem { return 0 }
            if asGood.contains(index) { return 1 }
            if case .infeasible = outcome.systems[index].status { return 3 }
            return 2
        }
        func cost(_ index: Int) -> Double {
            guard let mean = outcome.systems[index].means.first, mean.isFinite else { return .infinity }
            return -result.tuning.problem.direction.oriented(mean)
        }
        return sweep.points.indices.sorted { (rank($0), cost($0), $0) < (rank($1), cost($1), $1) }
    }

    var blocks: [Block] {
        let scenario = sweep.experiment.scenario
        let first =
            result.nearest == nil
            ? "The selected point comes first, then those as good, then the others from the best to the worst. "
            : "The point nearest to the limits comes first. "
        let explanation =
            first + basisOfDifferences + (basisOfDifferences.isEmpty ? "" : " ")
            + "Means are over the replications that were used, \(Format.count(Int64(outcome.runs))) in all; a point that "
            + "was ruled out early has few. A point that is certainly not better than another beyond the indifference zone "
            + "gets no more replications; its mean may still look slightly better. `tune.csv` has the numbers, "
            + "`results.csv` every replication."
        return [Block](
            Block.heading(1, scenario.name),
            "\(mark) **\(headline)**",
            tiles,
            (ceiling + asToday).isEmpty ? nil : Block.list(ceiling + asToday),
            scenario.descriptionLine,
            goal,
            sweep.experiment.remarkOnScale,
            sweep.experiment.remarkOnCohorts,
            edges,
            caution,
            Chart.tuning(result),
            [Block].section("Against today", Block.list(againstToday)),
            [Block].section("Guarantee", Block.list(guarantee)),
            [Block].section("Design points", table(of: order), explanation)
        )
    }

    /// The goal, and a remark on the table.
    private var goal: String {
        aim + (result.tuning.termTexts.isEmpty ? "" : " The table has the mean contribution of each term.")
    }

    /// The goal of the search, in a sentence.
    private var aim: String {
        let problem = result.tuning.problem
        let verb = problem.direction == .maximise ? "Maximised" : "Minimised"
        let limits = result.tuning.goal.constraints.map { "`\($0.text)`" }
        let subject =
            problem.constraints.isEmpty || limits.isEmpty ? "" : ", subject to \(limits.joined(separator: ", "))"
        return "\(verb): `\(result.tuning.objective.text)`\(subject)."
    }

    /// Returns the table of the design points with their outcomes.
    private func table(of systems: [Int]) -> TextTable {
        TextTable(
            // The outcome comes first, where even a narrow window shows it.
            ["point:", "outcome"] + sweep.factors.vary.map { "\($0.path):" }
                + (isLevel ? [] : ["\(result.tuning.objective.text):"])
                + result.tuning.termTexts.map { "\($0):" } + result.tuning.limits.map { "\($0.text):" }
                + ["replications:"],
            rows: systems.map { index in
                let cells = sweep.points[index].leadingCells
                let isToday = result.present?.system == index
                let means =
                    isToday
                    ? means(of: index)
                    : zip(means(of: index), changes(of: index)).map { $1.isEmpty ? $0 : "\($0) (\($1))" }
                return [cells[0], verdict(index) + (isToday ? " (today)" : "")] + cells.dropFirst() + means
                    + ["\(outcome.systems[index].replications)"]
            }
        )
    }

    /// `true` if the objective is the level of a factor, which the table already has.
    var isLevel: Bool {
        let objective = result.tuning.objective
        return objective.isExact && objective.terms.count == 1 && objective.terms[0].weight == 1
    }

    /// Returns the means of the objective, of its terms for a cost, and of each limit's response.
    private func means(of index: Int) -> [String] {
        let tuning = result.tuning
        let means = outcome.systems[index].means
        guard let objective = means.first else {
            let count = (isLevel ? 0 : 1) + tuning.termTexts.count + tuning.limits.count
            return Array(repeating: Format.undefined, count: count)
        }
        let first = Format.value(objective, unit: tuning.objective.unit, isShare: tuning.objective.isShare)
        let terms = tuning.termTexts.isEmpty ? [] : result.meanTerms(of: index).map { Format.number($0) }
        let limits = zip(tuning.limits, means.dropFirst()).map { $0.formatted($1) }
        return (isLevel ? [] : [first]) + terms + limits
    }
}

extension ResolvedResponse {
    /// Formats a number in the response's unit.
    fileprivate func formatted(_ number: Double) -> String { Format.value(number, unit: unit, isShare: isShare) }

    /// Formats a distance between two of its values.
    func distance(_ number: Double) -> String { Format.distance(number, unit: unit, isShare: isShare) }
}

extension RunFiles {
    /// Creates the files of a search for the best design point.
    public init(_ result: TuningResult) {
        let data: [(path: String, text: String?)] = [
            ("tune.json", result.json.text),
            ("scenario.resolved.yaml", ScenarioWriter.resolvedYAML(result.tuning.experiment)),
            ("tune.csv", CSVText.tuning(result)), ("results.csv", CSVText.results(result)),
        ]
        self.init(report: TuningReport(result).blocks, data, charts: [Chart.tuning(result)].compactMap(\.self))
    }
}
