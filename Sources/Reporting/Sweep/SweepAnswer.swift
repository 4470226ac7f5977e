import Experiments
import LiveActivityModel
import Statistics

/// What a sweep says in a few lines, for the top of its report.
struct SweepAnswer {
    let analysis: SweepAnalysis

    private var result: SweepResult { analysis.result }

    /// A sentence each: what the first response comes to and where, which factor moves it, and which checks hold.
    var lines: [String] {
        var lines = [extremes, mover].compactMap(\.self)
        for (index, check) in result.sweep.experiment.checks.enumerated() {
            let count = result.points.count { $0.outcomes[index].verdict == .holds }
            lines.append("`\(check.name)` holds at \(count) of \(result.points.count) points.")
        }
        return lines
    }

    /// Where the first response is best, or largest, and where it is not.
    private var extremes: String? {
        let values = result.points.indices.compactMap { point in
            (result.points[point].rows[0]?.value).map { (point: point, value: $0.double) }
        }
        // Of equals the first, as in the table.
        guard let first = values.first, values.count > 1,
            values.contains(where: { $0.value != first.value })
        else { return nil }
        let largest = values.dropFirst().reduce(first) { $1.value > $0.value ? $1 : $0 }.point
        let smallest = values.dropFirst().reduce(first) { $1.value < $0.value ? $1 : $0 }.point
        let response = result.sweep.factors.responses[0]
        switch MetricDirection(of: response) {
        case .higher: return sentence("best", largest, "worst", smallest)
        case .lower: return sentence("best", smallest, "worst", largest)
        case .neutral: return sentence("largest", largest, "smallest", smallest)
        }
    }

    private func sentence(_ good: String, _ first: Int, _ bad: String, _ last: Int) -> String {
        let equals = equals(of: first)
        let aside =
            equals == 0
            ? ""
            : equals == 1 ? ", and 1 other cannot be told from it" : ", and \(equals) others cannot be told from it"
        return
            "`\(result.responses[0])` is \(good) at \(place(first)): **\(Prose.valueAndSpread(result.points[first].rows[0]))**"
            + "\(aside); \(bad) at \(place(last)): **\(Prose.valueAndSpread(result.points[last].rows[0]))**."
    }

    /// How many other points' differences from one may be chance, pair by pair on common random numbers.
    private func equals(of point: Int) -> Int {
        guard result.sweep.replications > 1, let samples = result.samples(of: 0) else { return 0 }
        return samples.indices.count { other in
            guard other != point, let pair = PairedComparison(samples[point], samples[other]) else { return false }
            return pair.difference.mean.magnitude <= pair.difference.halfWidth
        }
    }

    /// The point by its number and its levels.
    private func place(_ point: Int) -> String {
        let design = result.points[point].point
        let levels = zip(result.sweep.factors.vary, design.levels).map { "\($0.path) = \($1.label)" }
        return "point \(design.number) (\(levels.joined(separator: ", ")))"
    }

    /// The factor that the first response hangs on most.
    private var mover: String? {
        if let indices = analysis.sensitivity.first ?? nil {
            let order = indices.total.indices.sorted {
                (-indices.total[$0].value, $0) < (-indices.total[$1].value, $1)
            }
            let parts = order.prefix(3)
                .map { "\(analysis.groupNames[$0]) \(Prose.percent(max(0, indices.total[$0].value)))" }
            return "Its variance comes from, alone and with others: \(parts.joined(separator: ", "))."
        }
        guard let effects = analysis.effects.first ?? nil, result.sweep.factors.groups.count > 1 else { return nil }
        let spans = effects.effects.map { levels in
            (levels.map(\.value).max() ?? 0) - (levels.map(\.value).min() ?? 0)
        }
        // Of zipped factors the first stands for all.
        let leaders = result.sweep.factors.groups.compactMap { group in
            result.sweep.factors.vary.firstIndex { $0.path == group[0].path }
        }
        let order = leaders.sorted { (-spans[$0], $0) < (-spans[$1], $1) }
        let parts = order.prefix(3)
            .map { factor in
                let group = result.sweep.factors.groups.first { $0[0].path == result.sweep.factors.vary[factor].path }
                let name = (group ?? []).map(\.path).joined(separator: " + ")
                let span = Prose.difference(spans[factor], unit: result.units[0], isShare: result.isShare[0])
                return "\(name) by \(span.drop { $0 == "+" || $0 == "±" })"
            }
        return "On average over the other factors it is moved by: \(parts.joined(separator: ", "))."
    }
}
