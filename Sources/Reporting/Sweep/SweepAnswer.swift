import Evaluation
import LiveActivityModel
import ScenarioLanguage
import Statistics
import Studies
import TextFormats

/// The answer of a sweep in a few lines, for the top of its report.
struct SweepAnswer {
    let analysis: SweepAnalysis

    private var result: SweepResult { analysis.result }

    /// The deciding response: the first one that is comparable between all points; nil if there is none.
    private var deciding: Int? {
        let factors = result.sweep.factors
        return factors.responses.indices.first { factors.measuresAlike(factors.responses[$0]) }
    }

    /// The sentences of the answer: the extremes of the deciding response, the factor that moves it, and where the
    /// checks hold.
    ///
    /// If the reader can choose some factors and not others, each world made by the others has an answer of its own.
    var lines: [String] {
        let (answers, points) = (answersByWorld, Array(result.points.indices))
        let checks = result.sweep.checks
        var lines = [notComparable] + unmeasured
        // If levels were drawn at random, the best draw is no answer.
        if result.sweep.factors.design == .saltelli {
            // The following lines are the answer.
        } else if answers.isEmpty {
            lines.append(extremes(among: points, saying: Array(result.sweep.factors.vary.indices)))
        } else {
            lines += answers.map { "Where \($0.world): \($0.answer)" }
        }
        if let cheapest { lines.append(cheapest) }
        if let mover { lines.append(mover) }
        for (index, check) in checks.enumerated() {
            lines.append(
                "\(MarkdownText.code(check.name)) holds at \(count(index, among: points))\(byChoice(index))"
                    + doubt(index) + "." + (result.unmeasured(check: index).map { " It is not measured \($0)." } ?? "")
            )
        }
        if result.isOfOneWorld, result.points.count > 1, result.sweep.factors.design != .saltelli {
            lines.append(
                "Every point was run once, in the same world. One replication cannot separate an order of points or "
                    + "factors from chance; `--replications 5` or more can."
            )
        }
        return lines.filter { !$0.isEmpty }
    }

    /// The answer in each world; empty if there is only one, or if there are too many to list.
    private var answersByWorld: [(world: String, answer: String)] {
        let factors = result.sweep.factors
        let worlds = worlds
        guard factors.design != .saltelli, (2...SweepAnswer.mostWorlds).contains(worlds.count) else { return [] }
        return worlds.map { world in
            let answer =
                result.sweep.checks.isEmpty
                ? extremes(among: world.points, saying: choices) : passing(among: world.points)
            return (world.title, answer)
        }
    }

    /// A sentence on whether the answer is the same in all worlds; nil if they have no answers of their own.
    var acrossWorlds: String? {
        let answers = answersByWorld
        guard !answers.isEmpty else { return nil }
        let verb = Set(answers.map(\.answer)).count > 1 ? "depends" : "does not depend"
        return "The answer \(verb) on \(given.map { result.sweep.factors.vary[$0].path }.enumeration)."
    }

    /// The point that brings as much as the present settings for the least cost, and surely passes all checks; nil if there is
    /// none, without a trade-off, or after one replication.
    var cheaperThanPresent: Int? {
        guard let tradeOff = analysis.tradeOff, !result.isOfOneWorld else { return nil }
        let candidates = result.points.indices.filter { index in
            guard result.points[index].outcomes.allSatisfy({ $0.verdict == .holds && $0.doubtfulEnd == nil }),
                let gain = result.change(of: tradeOff.gain, at: index),
                let cost = result.change(of: tradeOff.cost, at: index)
            else { return false }
            // A loss that chance may explain is no proof of being as good: the noisier the runs, the larger it could be.
            return gain.difference >= 0 && cost.difference < 0 && cost.chance?.isBeyondChance == true
        }
        func cost(_ index: Int) -> Double { result.change(of: tradeOff.cost, at: index)?.difference ?? 0 }
        func loss(_ index: Int) -> Double { -(result.change(of: tradeOff.gain, at: index)?.difference ?? 0) }
        // A larger gain decides between equal costs.
        return candidates.min { (cost($0), loss($0), $0) < (cost($1), loss($1), $1) }
    }

    /// The mark of ``cheapest``: ✓ for a point that saves; ? for none, and if another response is worse.
    var mark: String {
        guard let tradeOff = analysis.tradeOff, let point = cheaperThanPresent else { return "?" }
        return losses(at: point, beside: tradeOff, AgainstPresent(result)).isEmpty ? "✓" : "?"
    }

    /// A sentence on the saving against the present settings; nil without a trade-off or present settings.
    var cheapest: String? {
        guard let tradeOff = analysis.tradeOff, !result.isOfOneWorld, result.sweep.present(of: 0) != nil else {
            return nil
        }
        let (gain, cost) = (result.responses[tradeOff.gain], result.responses[tradeOff.cost])
        guard let point = cheaperThanPresent, let saved = result.change(of: tradeOff.cost, at: point) else {
            let checks = result.sweep.checks.isEmpty ? "" : " that certainly passes every check"
            return "No point\(checks) keeps today's `\(gain)` and lowers `\(cost)` beyond chance."
        }
        let against = AgainstPresent(result)
        let relative = Format.relative(saved.relative)
        return
            "The lowest `\(cost)` without a loss of `\(gain)` against today: \(levels(of: point, Array(result.sweep.factors.vary.indices))) "
            + "(point \(result.points[point].point.number)): `\(cost)` "
            + "\(against.text(of: tradeOff.cost, at: point))\(relative.isEmpty ? "" : " (\(relative))"), `\(gain)` "
            + "\(against.text(of: tradeOff.gain, at: point))." + losses(at: point, beside: tradeOff, against)
    }

    /// Returns a sentence on the other responses that are worse than today's beyond chance; empty if there are none.
    private func losses(at point: Int, beside tradeOff: SweepAnalysis.TradeOff, _ against: AgainstPresent) -> String {
        let worse = result.responses.indices.filter { index in
            guard index != tradeOff.gain, index != tradeOff.cost, let change = result.change(of: index, at: point),
                change.chance?.isBeyondChance == true
            else { return false }
            switch MetricDirection(of: result.sweep.factors.responses[index]) {
            case .higher: return change.difference < 0
            case .lower: return change.difference > 0
            default: return false
            }
        }
        guard !worse.isEmpty else { return "" }
        let list = worse.map { "`\(result.responses[$0])` \(against.text(of: $0, at: point))" }
        return " It is worse in \(list.joined(separator: ", "))."
    }

    /// A sentence about the responses that are not comparable between the points, if a factor defines what counts as
    /// fresh.
    private var notComparable: String {
        let factors = result.sweep.factors
        let measured = factors.responses.filter { !factors.measuresAlike($0) }
        guard !measured.isEmpty else { return "" }
        let bases = factors.variedBases.filter { basis in measured.contains { $0.bases.contains(basis) } }
        let names = bases.map { "`\($0.rawValue)`" }.joined(separator: " and ")
        let isOne = measured.count == 1
        return
            "\(measured.map { "`\($0.text)`" }.joined(separator: ", ")) \(isOne ? "is" : "are") not comparable because "
            + "\(names) \(bases.count == 1 ? "differs" : "differ") between points; \(MetricBasis.independentResponses) are comparable."
    }

    /// A sentence for each response that some points could not measure, with their number and the reason.
    private var unmeasured: [String] {
        result.responses.indices.compactMap { response in
            result.unmeasured(response).map { "`\(result.responses[response])` is not measured \($0)." }
        }
    }

    /// The largest number of worlds in the answer.
    ///
    /// The maps show more.
    private static let mostWorlds = 6

    /// The indices of the factors that the reader can choose.
    private var choices: [Int] { result.sweep.factors.choices }

    /// The indices of the factors that the reader cannot choose.
    private var given: [Int] { result.sweep.factors.vary.indices.filter { !choices.contains($0) } }

    /// The points grouped by the factors that the reader cannot choose; empty if there are only choices or none.
    private var worlds: [(title: String, points: [Int])] {
        let given = given
        guard result.sweep.factors.design == .grid, !given.isEmpty, !choices.isEmpty else { return [] }
        var worlds: [(title: String, points: [Int])] = []
        for index in result.points.indices {
            let title = levels(of: index, given)
            if let known = worlds.firstIndex(where: { $0.title == title }) {
                worlds[known].points.append(index)
            } else {
                worlds.append((title, [index]))
            }
        }
        return worlds
    }

    /// Returns the levels of some factors at a point, with or without their names; zipped factors with one level appear
    /// once.
    private func levels(of point: Int, _ factors: [Int], named: Bool = true) -> String {
        let sweepFactors = result.sweep.factors
        let levels = sweepFactors.groups
            .flatMap { group -> [(name: String, label: String)] in
                let members = factors.filter { group.contains(sweepFactors.vary[$0]) }
                    .map { (name: sweepFactors.vary[$0].path, label: result.points[point].point.levels[$0].label) }
                guard let first = members.first, members.allSatisfy({ $0.label == first.label }) else { return members }
                return [(members.map(\.name).joined(separator: " + "), first.label)]
            }
        return named
            ? levels.map { "\($0.name) = \($0.label)" }.joined(separator: ", ")
            : levels.map(\.label).joined(separator: " with ")
    }

    /// Returns the choices among some points with which every check holds.
    private func passing(among points: [Int]) -> String {
        let passing = points.filter { point in result.points[point].outcomes.allSatisfy { $0.verdict == .holds } }
        let doubtful = Set(result.sweep.checks.indices.flatMap(result.doubtfulPoints)).intersection(points)
        let verb = doubtful.count == 1 ? "is" : "are"
        let all = points.count.counted("point", "points")
        let doubt = doubtful.isEmpty ? "" : ", but \(doubtful.count) of \(all) \(verb) not certain"
        if passing.isEmpty { return "no choice passes every check\(doubt)." }
        if passing.count == points.count { return "every check holds with any choice\(doubt)." }
        guard choices.count == 1 else {
            let all = passing.map { levels(of: $0, choices) }.joined(separator: "; ")
            return "every check holds with **\(all)**\(doubt)."
        }
        let labels = passing.map { result.points[$0].point.levels[choices[0]].label }
        let path = result.sweep.factors.vary[choices[0]].path
        return "every check holds with **\(path) = \(labels.joined(separator: ", "))**\(doubt)."
    }

    /// "15 of 36 points".
    private func count(_ check: Int, among points: [Int]) -> String {
        let holding = points.count { result.points[$0].outcomes[check].holdsSurely }
        return "\(holding) of \(points.count.counted("point", "points"))"
    }

    /// Returns the points at which a check fails and those at which the interval of its value contains its limit, as the end
    /// of a sentence; empty without the latter.
    private func doubt(_ check: Int) -> String {
        let points = result.doubtfulPoints(ofCheck: check)
        guard !points.isEmpty else { return "" }
        let place = points.count > Self.mostNamed ? "\(points.count) of them" : levelNames(of: points)
        let failing = result.points.count { $0.outcomes[check].failsSurely }
        return
            " and fails at \(failing); \(Format.replications(result.sweep.replications)) cannot decide at \(place), "
            + "where the interval of the value contains the limit"
    }

    /// Returns the number of points at which a check holds with each level of the only choice.
    private func byChoice(_ check: Int) -> String {
        guard worlds.count > SweepAnswer.mostWorlds, choices.count == 1 else { return "" }
        let factor = result.sweep.factors.vary[choices[0]]
        let parts = factor.labels.map { label in
            let points = result.points.indices.filter { result.points[$0].point.levels[choices[0]].label == label }
            return "\(count(check, among: points)) with \(factor.path) = \(label)"
        }
        return ": \(parts.joined(separator: ", "))"
    }

    /// Returns where the deciding response is best or largest, and where it is worst or smallest.
    ///
    /// A single replication cannot separate them from chance, so its values are reported as those of one world, and
    /// none is best.
    private func extremes(among points: [Int], saying factors: [Int]) -> String {
        guard let deciding else { return "" }
        func text(_ point: Int) -> String { Format.valueAndSpread(result.points[point].rows[deciding]) }
        let name = "`\(result.responses[deciding])`"
        let values = result.values(of: deciding, at: points)
        // The first of equals is taken, as in the table.
        guard let first = values.first, values.contains(where: { $0.value != first.value }) else {
            let isEverywhere = values.count == points.count
            let place = isEverywhere ? "every point" : "the \(values.count) of \(points.count) points that have a value"
            return values.first.map { "\(name) is \(text($0.point)) at \(place)." } ?? ""
        }
        let largest = values.dropFirst().reduce(first) { $1.value > $0.value ? $1 : $0 }.point
        let smallest = values.dropFirst().reduce(first) { $1.value < $0.value ? $1 : $0 }.point
        let (good, bad, names): (Int, Int, (String, String)) =
            switch MetricDirection(of: result.sweep.factors.responses[deciding]) {
            case .higher: (largest, smallest, ("best", "worst"))
            case .lower: (smallest, largest, ("best", "worst"))
            case .neutral: (largest, smallest, ("largest", "smallest"))
            }
        guard !result.isOfOneWorld else {
            func others(with point: Int) -> String {
                let value = values.first { $0.point == point }?.value
                let count = values.count { $0.value == value } - 1
                return count == 0 ? "" : count == 1 ? " (and at another point)" : " (and at \(count) other points)"
            }
            return "In the one world that was run, \(name) is largest with \(levels(of: largest, factors)): "
                + "\(text(largest))\(others(with: largest)); smallest with \(levels(of: smallest, factors)): "
                + "\(text(smallest))\(others(with: smallest))."
        }
        let equals = result.equals(of: good, among: points, in: deciding)
        if equals.count == values.count - 1, values.count > 1 {
            let span = values.map(\.value).max().flatMap { top in values.map(\.value).min().map { top - $0 } }
            let half = result.distance(span.map { $0 / 2 }, of: deciding)
            return "No factor matters here (all within ± \(half)): \(name) is between \(text(smallest)) and "
                + "\(text(largest)) at all \(values.count) points, all statistically tied with the best after "
                + "\(result.sweep.replications) replications."
        }
        // Only values that differ from all others beyond chance are in bold.
        let isWorstAlone = result.equals(of: bad, among: points, in: deciding).isEmpty
        let badMark = isWorstAlone ? "**" : ""
        let beginning =
            equals.isEmpty
            ? "\(name) is \(names.0) with \(levels(of: good, factors)): **\(text(good))**"
            : tie([good] + equals, among: values.count, name: name, superlative: names.0, value: text(good), factors)
        return
            "\(beginning); \(names.1)\(equals.contains(bad) ? ", though not beyond chance," : "") with \(levels(of: bad, factors)): "
            + "\(badMark)\(text(bad))\(badMark)."
            + apart(good, bad, names, among: values.count, in: deciding)
    }

    /// Returns a sentence on points that are tied at the best value, so that no single point is called best.
    private func tie(
        _ tied: [Int],
        among count: Int,
        name: String,
        superlative: String,
        value: String,
        _ factors: [Int]
    ) -> String {
        let list = tied.count > Self.mostNamed ? "" : " (\(levelNames(of: tied, factors)))"
        let checks = result.sweep.checks.indices
        let passing = tied.count { point in checks.allSatisfy { result.points[point].outcomes[$0].holdsSurely } }
        let passed =
            checks.isEmpty
            ? ""
            : "; every check holds at \(passing == tied.count ? "each" : passing == 0 ? "none" : "\(passing)") of them"
        return
            "No single point is \(superlative) in \(name): \(tied.count) of \(count) points\(list) are statistically tied, "
            + "and the \(superlative) value is \(value)\(passed)"
    }

    /// The largest number of points that are listed by name.
    private static let mostNamed = 5

    /// Returns one point by the levels of all factors, or of some; several points by the levels alone: "20s with 15s,
    /// 20s with 30s and 30s with 0s".
    private func levelNames(of points: [Int], _ factors: [Int]? = nil) -> String {
        let factors = factors ?? Array(result.sweep.factors.vary.indices)
        guard points.count > 1 else { return points.first.map { levels(of: $0, factors) } ?? "" }
        return points.map { levels(of: $0, factors, named: false) }.enumeration
    }

    /// Returns the least distance of best and worst in the same worlds, if their own intervals do not show it;
    /// otherwise empty.
    ///
    /// The two were selected for being far apart, so the interval holds for all pairs at once (Bonferroni).
    private func apart(_ best: Int, _ worst: Int, _ names: (String, String), among count: Int, in response: Int)
        -> String
    {
        let intervals = [best, worst].compactMap { result.points[$0].rows[response]?.interval }
        let overlap = intervals.count == 2 && intervals[0].overlaps(intervals[1])
        let values = result.values(of: response, at: [best, worst]).map(\.value)
        let level = 1 - 0.05 / Double(count * (count - 1) / 2)
        guard overlap || intervals.count < 2,
            let rule = DifferenceRule(count: result.sweep.replications, level: level),
            let difference = result.difference(of: response, from: worst, to: best, by: rule)
        else { return "" }
        guard (difference.mean < 0) == (values[0] < values[1]), difference.isBeyondChance else { return "" }
        let least = difference.mean.magnitude - difference.reach
        let text = result.distance(least, of: response)
        guard text != result.distance(0, of: response) else { return "" }
        return (overlap ? " Their intervals overlap, but replication" : " Replication")
            + " by replication, in the same worlds, \(names.0) and \(names.1) are at least \(text) apart (95 %, for all pairs together)."
    }

    /// The factors in the order in which they move the deciding response, with the size of their effects; empty if it is
    /// not known.
    ///
    /// `effect` is the difference between levels as a share of the response's mean, so that sweeps with other responses
    /// can be put in one order; nil if the mean is 0. For a sensitivity study it is two standard deviations of the part
    /// of the variance that the factor is involved in: the difference if the factor had two levels.
    var movers: [(factor: String, by: String, effect: Double?)] {
        guard let deciding else { return [] }
        let values = result.points.compactMap { $0.rows[deciding]?.value?.double }
        let mean = values.reduce(0, +) / Double(max(1, values.count))
        func relative(_ effect: Double) -> Double? { mean == 0 ? nil : (effect / mean).magnitude }
        if let indices = analysis.sensitivity[deciding] {
            let order = indices.total.indices.sorted { (-indices.total[$0].value, $0) < (-indices.total[$1].value, $1) }
            let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, values.count))
            return order.map { index in
                let total = indices.total[index]
                return (
                    analysis.groupNames[index],
                    "a total sensitivity index of \(Format.number(total.value)) ± \(Format.number(total.halfWidth))",
                    relative(2 * (variance * max(0, total.value)).squareRoot())
                )
            }
        }
        guard let effects = analysis.effects[deciding], effects.isBalanced, !result.isOfOneWorld else { return [] }
        let spans = effects.effects.map(effects.span)
        return spans.indices.sorted { (-spans[$0], $0) < (-spans[$1], $1) }
            .map { group in
                let chance = effects.isTold(effects.effects[group]) ? "" : ", not beyond chance"
                return (
                    analysis.groupNames[group], result.distance(spans[group], of: deciding) + chance,
                    relative(spans[group])
                )
            }
    }

    /// The text of the response that ``movers`` move; nil without one.
    var decidingText: String? { deciding.map { result.responses[$0] } }

    /// The factor that moves the deciding response most; for a sensitivity study, by its indices.
    private var mover: String? {
        if analysis.sensitivity.contains(where: { $0 != nil }) {
            guard let deciding, let indices = analysis.sensitivity[deciding] else { return nil }
            guard let leader = indices.leader else {
                return
                    "Too few points to decide which factor `\(result.responses[deciding])` varies most with: the intervals overlap."
            }
            let (total, name) = (indices.total[leader], analysis.groupNames[leader])
            return
                "`\(result.responses[deciding])` varies most with \(name): its total sensitivity index is \(Format.number(total.value)) ± "
                + "\(Format.number(total.halfWidth)), and all others are lower."
        }
        guard let deciding, let effects = analysis.effects[deciding], result.sweep.factors.groups.count > 1,
            !result.isFlat(deciding)
        else { return nil }
        let spans = effects.effects.map(effects.span)
        let order = spans.indices.sorted { (-spans[$0], $0) < (-spans[$1], $1) }
        guard spans[order[0]] > 0 else { return nil }
        guard effects.isBalanced else {
            return "It is not known which factor moves `\(result.responses[deciding])` most.\(effects.caveat)"
        }
        let parts = order.prefix(3)
            .map { "\(analysis.groupNames[$0]) by \(result.distance(spans[$0], of: deciding))" }
        let leaders = effects.leaders
        let remark =
            switch leaders.count {
            case _ where result.isOfOneWorld: ""
            case 0: " None of this is beyond chance."
            case 1: ""
            default: " \(leaders.map { analysis.groupNames[$0] }.enumeration) are statistically tied."
            }
        return
            "Factors that move `\(result.responses[deciding])` most, on average over the others\(result.isOfOneWorld ? " and in this world" : ""): "
            + "\(parts.joined(separator: ", ")).\(remark)"
    }
}
