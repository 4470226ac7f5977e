import Evaluation
import LiveActivityModel
import ScenarioLanguage
import Statistics
public import Studies
import TextFormats

/// The report of a search for the best design point, in words and tables.
public struct TuningReport: Sendable {
    private let result: TuningResult

    /// Creates the report of a result.
    public init(_ result: TuningResult) {
        self.result = result
    }

    private var sweep: Sweep { result.tuning.sweep }
    private var outcome: SelectionOutcome { result.outcome }

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
            let present = sweep.presentPoint == index ? ", the present setting" : ""
            return "\(tie)The best design point is \(best.number)\(present)\(seen): \(levels)."
                + (doubt.isEmpty ? "" : " \(doubt).") + fewEvents + alike(index)
        case .notSure: return "\(tie)Not sure: the budget is spent. Design point \(best.number) leads: \(levels)."
        case .noneFeasible: return ""
        }
    }

    /// Returns `true` if the means of two points differ by less than the indifference zone.
    private func isWithinZone(_ index: Int, of other: Int) -> Bool {
        let difference = outcome.systems[index].means[0] - outcome.systems[other].means[0]
        return difference.magnitude < result.tuning.problem.indifference
    }

    /// Returns a sentence on the other points that meet the limits and are within the indifference zone of the best.
    private func alike(_ best: Int) -> String {
        let alike = outcome.systems.indices.filter { index in
            guard index != best, outcome.systems[index].replications > 0, result.limitsInDoubt(of: index).isEmpty,
                result.keepsToLimits(index)
            else {
                return false
            }
            return isWithinZone(index, of: best)
        }
        guard !alike.isEmpty else { return "" }
        let numbers = alike.map { "\(sweep.points[$0].number)" }.enumeration
        let subject = alike.count == 1 ? "Design point \(numbers) is" : "Design points \(numbers) are"
        let means = outcome.systems.map(\.means)
        let objective = result.tuning.objective
        let zone = Format.distance(
            result.tuning.problem.indifference,
            unit: objective.unit,
            isShare: objective.isShare
        )
        let isEqual = objective.isExact && alike.allSatisfy { means[$0][0] == means[best][0] }
        return
            " \(subject) \(isEqual ? "equally good; the first of equals is selected" : "within the indifference zone of \(zone)")."
    }

    /// A sentence on the points that the best one leads by so few events that chance may explain it; empty for none.
    private var fewEvents: String {
        let rivals = result.leadsByFewEvents
        guard !rivals.isEmpty else { return "" }
        let numbers = rivals.map { "\(sweep.points[$0].number)" }.enumeration
        let subject = rivals.count == 1 ? "design point \(numbers)" : "design points \(numbers)"
        return
            " Too few events decide its lead over \(subject) in `\(result.tuning.objective.text)`, so chance may explain it: "
            + "use a larger run or more `first_replications`."
    }

    /// The mark of the headline on a page: ✓ for a certain selection, ✗ for none, ? if the budget was spent or too few
    /// events decide.
    private var mark: String {
        switch outcome.decision {
        case .selected: result.leadsByFewEvents.isEmpty ? "✓" : "?"
        case .noneFeasible: "✗"
        case .notSure: "?"
        }
    }

    /// The numbers of the best point, each above its limit.
    private var tiles: TextTable? {
        guard let best = result.best, let index = sweep.points.firstIndex(of: best) else { return nil }
        let tuning = result.tuning
        let labels = (isLevel ? [] : [tuning.objective.text]) + tuning.termTexts + tuning.limits.map(\.text)
        let limits = tuning.goal.constraints.map { "required: \($0.demand)" }
        let asked = Array(repeating: "", count: labels.count - limits.count) + limits
        return TextTable(labels.map { "\($0):" }, rows: [means(of: index)] + (limits.isEmpty ? [] : [asked]))
    }

    private func levels(of point: DesignPoint) -> String {
        zip(sweep.factors.vary, point.levels).map { "\($0.path) = \($1.label)" }.joined(separator: ", ")
    }

    /// Returns a sentence on the limits that the replications of a point cannot decide; empty if there are none.
    private func doubt(_ index: Int, _ verb: String, among places: [Int]? = nil) -> String {
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
                let points = response.isShare ? FixedPoint.text(gap.distance.magnitude * 100, places: 2) : nil
                let distance = points.map { "\($0) points" } ?? response.formatted(gap.distance.magnitude)
                return "`\(result.tuning.goal.constraints[gap.constraint].text)` by \(distance)"
            }
            .joined(separator: ", ")
        }
        let (broken, unsure) = (miss.gaps.filter { $0.distance > 0 }, miss.gaps.filter { $0.distance <= 0 })
        var parts: [String] = []
        if !broken.isEmpty { parts.append("it misses \(list(broken))") }
        if !unsure.isEmpty {
            parts.append(
                "\(broken.isEmpty ? "it" : "and it") meets \(list(unsure)), too little to be certain at this tolerance; "
                    + "a smaller `tolerance` uses more replications and decides more"
            )
        }
        let doubt = doubt(miss.system, "breaks", among: broken.map(\.constraint))
        return "The nearest is \(point.number), \(levels(of: point)): \(parts.joined(separator: ", "))."
            + (doubt.isEmpty ? "" : " \(doubt).")
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

    /// The headline and a table for a terminal; ends with a newline.
    public var text: String {
        let words = [headline, caution].filter { !$0.isEmpty }.map(Block.paragraph)
        return (words + [.table(table(of: Array(sweep.points.indices.prefix(60))))]).plain.replacing("**", with: "")
    }

    var blocks: [Block] {
        let scenario = sweep.experiment.scenario
        let explanation =
            "Means are over the replications that were used, \(Format.count(Int64(outcome.runs))) in all; a point that "
            + "was ruled out early has few. A point that is certainly not better than another beyond the indifference zone "
            + "gets no more replications; its mean may still look slightly better. `tune.csv` has the numbers, "
            + "`results.csv` every replication."
        return [Block](
            Block.heading(1, scenario.name),
            "\(mark) **\(headline)**",
            tiles,
            scenario.descriptionLine,
            goal,
            scenario.remarkOnScale,
            caution,
            Chart.tuning(result),
            [Block].section("Guarantee", Block.list(guarantee)),
            [Block].section("Design points", table(of: Array(sweep.points.indices)), explanation)
        )
    }

    private var goal: String {
        let problem = result.tuning.problem
        let verb = problem.direction == .maximise ? "Maximised" : "Minimised"
        let limits = result.tuning.goal.constraints.map { "`\($0.text)`" }
        let subject =
            problem.constraints.isEmpty || limits.isEmpty ? "" : ", subject to \(limits.joined(separator: ", "))"
        let terms = result.tuning.termTexts.isEmpty ? "" : " The table has the mean contribution of each term."
        return "\(verb): `\(result.tuning.objective.text)`\(subject).\(terms)"
    }

    /// The guarantee of the search, with its conditions.
    private var guarantee: [String] {
        let guarantee = outcome.guarantee
        guard guarantee.holds else {
            return ["The budget was spent before the choice was certain, so there is no guarantee."]
        }
        let problem = guarantee.problem
        let objective = result.tuning.objective
        let indifference = Format.distance(problem.indifference, unit: objective.unit, isShare: objective.isShare)
        let probability =
            "With a probability of at least \(Format.level(guarantee.probability)) the selected point is the best"
        if case .noneFeasible = outcome.decision {
            return [
                "With a probability of at least \(Format.level(1 - guarantee.feasibilityError)) no point meets every limit "
                    + "by at least the tolerance."
            ] + limits + [conditions]
        }
        if objective.isExact {
            return [
                "\(probability) that meets each limit by at least the tolerance. `\(objective.text)` is known for "
                    + "every point without a run; of equal points the first is selected."
            ] + limits + [conditions]
        }
        guard !problem.constraints.isEmpty else {
            return ["\(probability), if it is better than every other by at least \(indifference).", conditions]
        }
        return [
            "\(probability) that meets the limits, if it is better by at least \(indifference) than all others that "
                + "meet them within the tolerance, and meets each limit by at least the tolerance."
        ] + limits + [conditions]
    }

    /// A sentence on each limit and its tolerance.
    private var limits: [String] {
        zip(result.tuning.limits.indices, result.tuning.problem.constraints)
            .map { place, constraint in
                let response = result.tuning.limits[place]
                let limit = "`\(result.tuning.goal.constraints[place].text)`"
                guard let confidence = constraint.confidence else {
                    return
                        "\(limit), with a tolerance of \(response.distance(constraint.tolerance)): a mean this close may be "
                        + "judged either way."
                }
                return
                    "\(limit) with \(Format.level(confidence)): a point whose mean breaks the limit is ruled out with at "
                    + "least that probability, and one whose mean meets it by less than "
                    + "\(response.distance(constraint.tolerance * 2)) may also be."
            }
    }

    /// The points that were eliminated because they never differed from another.
    private var setAside: [Int] {
        outcome.systems.indices.filter { index in
            guard case .eliminated(let better, _) = outcome.systems[index].status else { return false }
            return result.neverDiffered(index, from: better)
        }
    }

    private var conditions: String {
        let alike = setAside.map { "\(sweep.points[$0].number)" }
        let remark =
            alike.isEmpty
            ? ""
            : "There is no guarantee about design point\(alike.count == 1 ? "" : "s") \(alike.joined(separator: ", ")): no "
                + "replication differed from the preferred point, but more might. "
        return remark
            + "The guarantee assumes independent replications with nearly normal responses. The method is that of "
            + "Kim and Nelson (2001), with the check of limits by Andradóttir and Kim (2010)."
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
                return [cells[0], verdict(index)] + cells.dropFirst() + means(of: index)
                    + ["\(outcome.systems[index].replications)"]
            }
        )
    }

    /// `true` if the objective is the level of a factor, which the table already has.
    private var isLevel: Bool {
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

    func verdict(_ index: Int) -> String {
        let near = nearMisses(of: index)
        let doubts = result.limitsInDoubt(of: index)
        let unsure = "undecided after \(Format.replications(outcome.systems[index].replications))"
        let remark = near.isEmpty ? "" : "; beyond \(limits(near)), within the tolerance"
        if case .selected(index) = outcome.decision {
            let open = doubts.filter { !near.contains($0) }
            return "**selected**\(remark)" + (open.isEmpty ? "" : "; \(limits(open)) is \(unsure)")
        }
        switch outcome.systems[index].status {
        case .surviving(let isFeasible): return (isFeasible ? "not ruled out" : "limits undecided") + remark
        case .infeasible(let constraints, _):
            // A mean close to a limit with a required confidence does not certainly meet it.
            let broken = constraints.filter { excess(of: index, over: $0) > 0 }
            guard !broken.isEmpty else { return "not certainly within \(limits(constraints))" }
            let sure = broken.filter { !doubts.contains($0) }
            let named = sure.isEmpty ? broken : sure
            let margin = named.allSatisfy(near.contains) ? " by less than the tolerance" : ""
            return sure.isEmpty
                ? "judged beyond \(limits(named))\(margin); \(unsure)" : "breaks \(limits(named))\(margin)"
        case .eliminated(let better, let count) where result.neverDiffered(index, from: better):
            return "same as \(sweep.points[better].number) in all \(count) replications"
        case .eliminated(let better, _):
            let number = sweep.points[better].number
            if result.tuning.objective.isExact { return "not better than \(number)" }
            return isWithinZone(index, of: better)
                ? "within the indifference zone of \(number)" : "worse than \(number)"
        }
    }

    /// Returns the distance of a point's mean beyond a limit; below 0 if it meets the limit.
    private func excess(of index: Int, over place: Int) -> Double {
        let means = outcome.systems[index].means.dropFirst()
        let limit = result.tuning.problem.constraints[place]
        guard means.indices.contains(means.startIndex + place) else { return 0 }
        let mean = means[means.startIndex + place]
        return limit.side == .atMost ? mean - limit.limit : limit.limit - mean
    }

    /// Returns the limits that a point's mean breaks by at most their tolerance, so that it may be judged either way.
    private func nearMisses(of index: Int) -> [Int] {
        let constraints = result.tuning.problem.constraints
        return constraints.indices.filter { place in
            let excess = excess(of: index, over: place)
            // With a confidence, the tolerance is inside the limit, so a mean beyond the limit is no near miss.
            return constraints[place].confidence == nil && excess > 0 && excess <= constraints[place].tolerance
        }
    }

    private func limits(_ places: [Int]) -> String {
        "the limit of \(places.map { result.tuning.limits[$0].text }.joined(separator: ", "))"
    }
}

extension ResolvedResponse {
    /// Formats a number in the response's unit.
    fileprivate func formatted(_ number: Double) -> String { Format.value(number, unit: unit, isShare: isShare) }

    /// Formats a distance between two of its values.
    fileprivate func distance(_ number: Double) -> String { Format.distance(number, unit: unit, isShare: isShare) }
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
