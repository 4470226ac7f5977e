import Evaluation
import LiveActivityModel
import ScenarioLanguage
import Statistics
import Studies
import TextFormats

/// The comparison of the best point with today's settings.
extension TuningReport {
    /// The objective and the limits' responses of the best point, or of the nearest without one, against today's, for a
    /// brief.
    var numbers: [BriefNumber] {
        guard let index = result.bestOrNearest else { return [] }
        let tuning = result.tuning
        let demands = tuning.goal.constraints.map(\.demand)
        let asked: [(place: Int, text: String, unit: String, isShare: Bool)] =
            [(0, tuning.objective.text, tuning.objective.unit, tuning.objective.isShare)]
            + tuning.limits.enumerated().map { ($0 + 1, $1.text, $1.unit, $1.isShare) }
        return asked.map { place, text, unit, isShare in
            let change = result.change(of: place, at: index)
            let means = outcome.systems[index].means
            // The mean over the replications that today's settings have too, so that the row adds up.
            let mean = change.map { $0.present + $0.difference } ?? (means.indices.contains(place) ? means[place] : nil)
            return BriefNumber(
                name: text,
                today: change.map { Format.value($0.present, unit: unit, isShare: isShare) } ?? "",
                proposed: Format.value(mean, unit: unit, isShare: isShare),
                difference: change.map {
                    Format.difference($0.difference, reach: $0.chance?.reach, unit: unit, isShare: isShare)
                } ?? "",
                required: place > 0 ? demands[place - 1] : ""
            )
        }
    }

    /// Returns the differences of a point to the present settings, in the order of ``means(of:)``; empty texts without
    /// them, and for the terms of a cost.
    func changes(of index: Int, isLong: Bool = false) -> [String] {
        let tuning = result.tuning
        func text(_ place: Int, _ unit: String, _ isShare: Bool) -> String {
            guard let change = result.change(of: place, at: index) else { return "" }
            let difference = Format.difference(change.difference, unit: unit, isShare: isShare)
            let relative = isLong && !isShare ? Format.relative(change.relative) : ""
            return difference + (relative.isEmpty ? "" : " (\(relative))")
        }
        let objective = isLevel ? [] : [text(0, tuning.objective.unit, tuning.objective.isShare)]
        return objective + tuning.termTexts.map { _ in "" }
            + tuning.limits.enumerated().map { text($0 + 1, $1.unit, $1.isShare) }
    }

    /// `true` if a mean and its difference to today's are not over the same replications somewhere, so that they do not add
    /// up.
    var hasOtherReplications: Bool {
        guard let present = result.present else { return false }
        return sweep.points.indices.contains { index in
            index != present.system && !changes(of: index).allSatisfy(\.isEmpty)
                && outcome.systems[index].replications != present.samples.count
        }
    }

    /// The replications behind the means and differences of the table; empty without today's settings.
    var basisOfDifferences: String {
        guard let present = result.present else { return "" }
        guard hasOtherReplications else { return "In parentheses: the difference to today, in the same replications." }
        return
            "In parentheses: the difference to today in the replications that both have. A mean is over all replications of its "
            + "point; today has \(present.samples.count), so a mean less its difference need not be today's mean."
    }

    /// The replications behind ``numbers``; empty without today's settings.
    var basisOfNumbers: String {
        guard let present = result.present, let index = result.bestOrNearest, index != present.system else { return "" }
        let count = min(present.samples.count, outcome.systems[index].replications)
        return "The table is over the \(Format.replications(count)) that both today and design point "
            + "\(sweep.points[index].number) have."
    }

    /// Sentences on today's settings and the difference that the choice makes; empty if today's were not run.
    var againstToday: [String] {
        guard let present = result.present else {
            return [result.noteOnAbsentPresent.map(MarkdownText.escaped)].compactMap(\.self)
        }
        let place =
            present.system == nil
            ? " (beside the design, \(Format.replications(present.samples.count)))"
            : " (design point \(present.point.number))"
        let settings = zip(sweep.factors.vary, present.point.levels).map { "\($0.path) = \($1.words)" }
            .joined(separator: ", ")
        let today = "Today is \(settings)\(place)."
        guard let index = result.bestSystem else { return [today + " \(presentLimits)"] }
        let best = sweep.points[index]
        guard present.point != best else {
            return [today + " It is the selected point, so nothing changes."]
        }
        let tuning = result.tuning
        let names = (isLevel ? [] : [tuning.objective.text]) + tuning.termTexts + tuning.limits.map(\.text)
        let changes = zip(names, changes(of: index, isLong: true)).filter { !$1.isEmpty }
            .map { "`\($0)` \($1)" }
        var sentences = [today + " \(presentLimits)"]
        if !changes.isEmpty {
            let list = changes.joined(separator: ", ")
            sentences.append("Design point \(best.number) against today: \(list).\(chance(of: index))")
        }
        if let cost = cost(of: index) { sentences.append(cost) }
        return sentences
    }

    /// A sentence on the limits that the present settings break.
    private var presentLimits: String {
        guard let means = result.present?.means else { return "" }
        let broken = zip(result.tuning.goal.constraints, result.excesses(of: means)).filter { $1 > 0 }
            .map { "`\($0.0.text)`" }
        guard !result.tuning.limits.isEmpty else { return "" }
        return broken.isEmpty ? "It meets every limit." : "It breaks \(broken.enumeration)."
    }

    /// A remark if chance may explain the difference of the objective to the present settings.
    private func chance(of index: Int) -> String {
        guard !result.tuning.objective.isExact, let change = result.change(of: 0, at: index) else { return "" }
        return change.chance?.isBeyondChance == true
            ? "" : " Chance may explain the difference of `\(result.tuning.objective.text)`."
    }

    /// A sentence on the pushes of today and of a point, for the rides that were simulated.
    private func cost(of index: Int) -> String? {
        guard let volumes = result.volumes(at: index), volumes.present.pushes > 0 else { return nil }
        let period = PushPeriod(sweep.experiment.scenario)
        let (now, then) = (period.pushes(volumes.present).rounded(), period.pushes(volumes.point).rounded())
        let difference = Format.difference(then - now, unit: "count", isShare: false)
        return
            "Pushes \(period.words) for the \(Format.count(mean: period.rides(volumes.point).rounded())) rides simulated: "
            + "\(Format.count(mean: now)) today, \(Format.count(mean: then)) with design point \(sweep.points[index].number) "
            + "(\(difference), \(Format.relative((then - now) / now)))."
    }
}
