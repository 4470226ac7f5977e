import Evaluation
import LiveActivityModel
import ScenarioLanguage
import Statistics
import Studies
import TextFormats

extension SweepResult {
    /// Returns the largest half-width of the intervals of a response at the points, in its unit; 0 if there are none.
    ///
    /// Smaller differences may be chance, so charts do not magnify them.
    func largestHalfWidth(of response: Int) -> Double {
        points.compactMap { $0.rows[response]?.interval.map { ($0.upperBound - $0.lowerBound) / 2 } }.max() ?? 0
    }

    /// Returns the values of a response at some points, without points that have none.
    func values(of response: Int, at indices: [Int]) -> [(point: Int, value: Double)] {
        indices.compactMap { index in points[index].rows[response]?.value.map { (point: index, value: $0.double) } }
    }

    /// Returns the points that are statistically tied with a given one, pair by pair on common random numbers.
    func equals(of point: Int, among others: [Int], in response: Int) -> [Int] {
        guard let rule = DifferenceRule(count: sweep.replications), hasPairs(response) else { return [] }
        return others.filter { other in
            guard other != point, let difference = difference(of: response, from: point, to: other, by: rule) else {
                return false
            }
            return !difference.isBeyondChance
        }
    }

    /// `true` if the values of a response can be compared between points.
    func isComparable(_ response: Int) -> Bool { sweep.factors.measuresAlike(sweep.factors.responses[response]) }

    /// The reason why the values of a response cannot be compared: `not comparable because content.ttl differs`.
    func notComparable(_ response: Int) -> String {
        let bases = sweep.factors.variedBases.filter(sweep.factors.responses[response].bases.contains)
        return "not comparable because \(bases.map { $0.rawValue }.joined(separator: " and ")) "
            + (bases.count == 1 ? "differs" : "differ")
    }

    /// Returns `true` if all points of the design are statistically tied with the best.
    ///
    /// It compares pair by pair, as everywhere in a sweep, or by the points' own intervals if values do not come in
    /// pairs.
    func isFlat(_ response: Int) -> Bool {
        let all = Array(points.indices)
        let values = values(of: response, at: all)
        guard values.count > 1 else { return false }
        guard hasPairs(response) else {
            let known = values.map(\.value)
            let halfWidth = largestHalfWidth(of: response)
            return halfWidth > 0 && (known.max() ?? 0) - (known.min() ?? 0) <= halfWidth
        }
        return best(of: response).map { equals(of: $0, among: all, in: response).count == values.count - 1 } ?? false
    }

    /// Returns the point with the best value of a response, or the largest if it has no direction; nil if it has no
    /// value at any point.
    ///
    /// The first of equals is returned.
    func best(of response: Int) -> Int? {
        let isLower = MetricDirection(of: sweep.factors.responses[response]) == .lower
        let values = values(of: response, at: Array(points.indices))
        return values.first
            .map { values.reduce($0) { (isLower ? $1.value < $0.value : $1.value > $0.value) ? $1 : $0 }.point }
    }

    /// `true` if every point was run once, so that the effect of chance is unknown.
    var isOfOneWorld: Bool { sweep.replications == 1 }

    /// Returns the indices of the points at which a check may hold or fail by chance: the interval of its value
    /// contains the limit.
    func doubtfulPoints(ofCheck check: Int) -> [Int] {
        points.indices.filter { points[$0].outcomes[check].doubtfulEnd != nil }
    }

    /// Returns the checks of a response, by index.
    func checks(of response: Int) -> [Int] {
        sweep.checks.indices.filter {
            sweep.checks[$0].comparison.response == sweep.factors.responses[response]
        }
    }

    /// Returns the mark of some checks at a point: ` ✗` if one fails, ` ?` if one does not hold for certain and does not
    /// fail either, and nothing otherwise.
    ///
    /// A check that was not measured does not fail.
    func mark(_ checks: [Int], at point: Int) -> String {
        let outcomes = checks.map { points[point].outcomes[$0] }
        return outcomes.contains(where: \.failsSurely)
            ? " ✗" : outcomes.contains { !$0.holds && $0.isUndecided } ? " ?" : ""
    }

    /// Returns the number of points that did not measure a response, with the reason: `at 3 of 12 design points: the
    /// monitor is off`; nil if all did.
    func unmeasured(_ response: Int) -> String? { unmeasured { points[$0].rows[response]?.unmet } }

    /// Returns the number of points that did not measure the value of a check, with the reason; nil if all did.
    func unmeasured(check: Int) -> String? { unmeasured { points[$0].outcomes[check].unmet } }

    private func unmeasured(_ unmet: (Int) -> Requirement.Unmet?) -> String? {
        let lacks = points.indices.compactMap(unmet)
        guard !lacks.isEmpty else { return nil }
        let reasons = lacks.map(\.reason).unique
        let all = points.count.counted("design point", "design points")
        return "at \(lacks.count) of \(all): \(reasons.joined(separator: "; "))"
    }

    /// Returns the meaning of the mark for failing cells of a map, with the limits; empty if none fails.
    func legend(ofFailing checks: [Int]) -> String {
        let marks = Set(points.indices.map { mark(checks, at: $0) })
        let words = [(" ✗", "✗ fails"), (" ?", "? may fail")].filter { marks.contains($0.0) }.map(\.1)
        guard !words.isEmpty else { return "" }
        let demands = checks.map { sweep.checks[$0].comparison.demand }.joined(separator: ", ")
        return "; \(words.joined(separator: ", ")) the check \(demands)"
    }

    /// `true` if the points that measure a response can be compared replication by replication.
    func hasPairs(_ response: Int) -> Bool {
        let measured = measuredPoints(of: response)
        return sweep.replications > 1 && !measured.isEmpty
            && measured.allSatisfy { samples(of: response, at: $0) != nil }
    }

    /// Formats a distance between two values of a response.
    func distance(_ number: Double?, of response: Int) -> String {
        Format.distance(number, unit: units[response], isShare: isShare[response])
    }
}

extension MainEffects {
    /// The caveat of all effects; empty if there is none.
    var caveat: String {
        isBalanced ? "" : " The points are only a part of a grid, so each effect includes effects of other factors."
    }

    /// Returns the largest difference between levels of a factor.
    func span(_ levels: [Effect]) -> Double {
        let values = levels.map(\.value)
        return (values.max() ?? 0) - (values.min() ?? 0)
    }

    /// Returns the largest change of a span by chance: the reach of the levels at both of its ends.
    private func spanReach(_ levels: [Effect]) -> Double {
        let ends = [levels.max { $0.value < $1.value }, levels.min { $0.value < $1.value }]
        return ends.reduce(0) { $0 + ($1?.difference?.reach ?? 0) }
    }

    /// The indices of the factor that moves the response most and of those that are statistically tied with it, the
    /// largest first.
    ///
    /// A factor is tied if chance may have kept its span from reaching the largest span, even if chance alone may
    /// explain all of its own span. It is empty if no factor moves the response beyond chance, and after a single
    /// replication, which gives no estimate of chance.
    var leaders: [Int] {
        let order = effects.indices.sorted { (-span(effects[$0]), $0) < (-span(effects[$1]), $1) }
        guard let first = order.first(where: { isTold(effects[$0]) }) else { return [] }
        let least = span(effects[first]) - spanReach(effects[first])
        return order.filter { $0 == first || span(effects[$0]) + spanReach(effects[$0]) >= least }
    }

    /// Returns `true` if a factor's levels differ beyond chance.
    func isTold(_ levels: [Effect]) -> Bool {
        levels.contains { $0.difference?.isBeyondChance ?? false }
    }
}
