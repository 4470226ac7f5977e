import Experiments
import LiveActivityModel
import Statistics

extension SweepResult {
    /// The largest half-width of the intervals that a response has at the points, in its unit; 0 where there are none.
    ///
    /// Differences that are smaller may be chance, so no picture draws them larger.
    func largestHalfWidth(of response: Int) -> Double {
        points.compactMap { $0.rows[response]?.interval.map { ($0.upperBound - $0.lowerBound) / 2 } }.max() ?? 0
    }

    /// The values that a response has at some points, of those at which it has one.
    func values(of response: Int, at indices: [Int]) -> [(point: Int, value: Double)] {
        indices.compactMap { index in points[index].rows[response]?.value.map { (point: index, value: $0.double) } }
    }

    /// The other points whose differences from one may be chance, pair by pair on common random numbers.
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
        let bases = sweep.factors.variedBases.filter(sweep.factors.responses[response].rulers.contains)
        return "not comparable because \(bases.map { $0.rawValue }.joined(separator: " and ")) "
            + (bases.count == 1 ? "differs" : "differ")
    }

    /// Whether no point can be told from the best, over the whole design.
    ///
    /// Pair by pair, as everywhere in a sweep; by the points' own intervals where there are no pairs of values.
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

    /// The point at which a response is best, or largest where neither way is better, the first of equals; nil where it has no
    /// value at any.
    func best(of response: Int) -> Int? {
        let isLower = MetricDirection(of: sweep.factors.responses[response]) == .lower
        let values = values(of: response, at: Array(points.indices))
        return values.first
            .map { values.reduce($0) { (isLower ? $1.value < $0.value : $1.value > $0.value) ? $1 : $0 }.point }
    }

    /// Whether every point has been run once, so that nothing tells an order of points or factors from chance.
    var isOfOneWorld: Bool { sweep.replications == 1 }

    /// The places of the points at which chance may have made a check hold, or not: the interval of its value contains the limit.
    func doubtfulPoints(ofCheck check: Int) -> [Int] {
        points.indices.filter { points[$0].outcomes[check].doubtfulEnd != nil }
    }

    /// The checks of a response, by their places.
    func checks(of response: Int) -> [Int] {
        sweep.experiment.checks.indices.filter {
            sweep.experiment.checks[$0].comparison.response == sweep.factors.responses[response]
        }
    }

    /// `true` if one of some checks does not hold at a point; not if it was not measured.
    func fails(_ checks: [Int], at point: Int) -> Bool {
        checks.contains { ![.holds, .notMeasured].contains(points[point].outcomes[$0].verdict) }
    }

    /// The points at which a response was not measured, with the reason, as in `at 3 of 12 design points: the monitor is off`;
    /// nil if it was measured at all.
    func unmeasured(_ response: Int) -> String? { unmeasured { points[$0].rows[response]?.unmet } }

    /// The points at which the value of a check was not measured, with the reason; nil if it was measured at all.
    func unmeasured(check: Int) -> String? { unmeasured { points[$0].outcomes[check].unmet } }

    private func unmeasured(_ unmet: (Int) -> Requirement.Unmet?) -> String? {
        let lacks = points.indices.compactMap(unmet)
        guard !lacks.isEmpty else { return nil }
        var reasons: [String] = []
        for lack in lacks where !reasons.contains(lack.reason) { reasons.append(lack.reason) }
        return "at \(lacks.count) of \(points.count) design points: \(reasons.joined(separator: "; "))"
    }

    /// The meaning of the mark of failing cells of a map, with the limits; empty where none fails.
    func legend(ofFailing checks: [Int]) -> String {
        guard points.indices.contains(where: { fails(checks, at: $0) }) else { return "" }
        let demands = checks.map { sweep.experiment.checks[$0].comparison.demand }.joined(separator: ", ")
        return "; ✗ fails the check \(demands)"
    }

    /// `true` if the points that measure a response can be compared replication by replication.
    func hasPairs(_ response: Int) -> Bool {
        let measured = measuredPoints(of: response)
        return sweep.replications > 1 && !measured.isEmpty
            && measured.allSatisfy { samples(of: response, at: $0) != nil }
    }

    /// A number in the way that a response's unit asks for.
    func text(_ number: Double?, of response: Int) -> String {
        Format.value(number, unit: units[response], isShare: isShare[response])
    }

    func distance(_ number: Double?, of response: Int) -> String {
        Format.distance(number, unit: units[response], isShare: isShare[response])
    }
}

extension MainEffects {
    /// What has to be said wherever effects are told; empty where nothing has.
    var caveat: String {
        isBalanced ? "" : " The points are a part of a grid, so an effect contains some of the other factors'."
    }

    /// How far apart the levels of a factor are at most.
    func span(_ levels: [Effect]) -> Double {
        let values = levels.map(\.value)
        return (values.max() ?? 0) - (values.min() ?? 0)
    }

    /// How far chance may have moved a span: as far as the levels at both of its ends.
    private func spanReach(_ levels: [Effect]) -> Double {
        let ends = [levels.max { $0.value < $1.value }, levels.min { $0.value < $1.value }]
        return ends.reduce(0) { $0 + ($1?.difference?.reach ?? 0) }
    }

    /// The factor that moves the response most, by its place, and with it those that cannot be told from it, the largest first.
    ///
    /// These are the ones whose spans chance may have kept from reaching its span, also where chance alone may have made all of their
    /// span. None where no factor moves it beyond chance, and none after a single replication, which tells nothing of chance.
    var leaders: [Int] {
        let order = effects.indices.sorted { (-span(effects[$0]), $0) < (-span(effects[$1]), $1) }
        guard let first = order.first(where: { isTold(effects[$0]) }) else { return [] }
        let least = span(effects[first]) - spanReach(effects[first])
        return order.filter { $0 == first || span(effects[$0]) + spanReach(effects[$0]) >= least }
    }

    /// Whether chance alone may not have made a factor's levels differ.
    private func isTold(_ levels: [Effect]) -> Bool {
        levels.contains { $0.difference?.isBeyondChance ?? false }
    }
}
