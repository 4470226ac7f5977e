import Evaluation
import ScenarioLanguage
import Statistics
import Studies
import TextFormats

/// The best values that a search reached, if no point meets every limit.
extension TuningReport {
    /// A sentence or two on each limit that no design point's mean meets; if each limit is met by some point, a sentence
    /// on that.
    ///
    /// Empty if a point meets every limit.
    public var ceiling: [String] {
        guard let nearest = result.nearest else { return [] }
        let ceilings = result.ceilings
        guard ceilings.isEmpty else { return ceilings.map(words) }
        let isBroken = nearest.gaps.contains { $0.distance > 0 }
        return isBroken && result.tuning.limits.count > 1
            ? ["The mean of some design point meets each limit, but no point meets all of them."] : []
    }

    private func words(_ ceiling: TuningResult.Ceiling) -> String {
        let response = result.tuning.limits[ceiling.constraint]
        let best = Format.value(ceiling.value, unit: response.unit, isShare: response.isShare)
        let point = sweep.points[ceiling.system]
        return "No design point meets `\(result.tuning.goal.constraints[ceiling.constraint].text)`: the best mean is "
            + "\(best), at design point \(point.number) (\(levels(of: point)))."
            + (ceiling.withoutCard.map {
                " " + words($0, limit: result.tuning.problem.constraints[ceiling.constraint].limit)
            } ?? "")
    }

    /// Returns the ride time without a card, and the coverage that it leaves.
    private func words(_ bound: TuningResult.Ceiling.WithoutCard, limit: Double) -> String {
        let isBelow = 1 - bound.range.lowerBound < limit
        let (share, rest) = (Format.percent(bound.share), Format.percent(1 - bound.share))
        guard bound.isEqual else {
            let range = [bound.range.lowerBound, bound.range.upperBound].map { Format.percent($0) }
            return
                "That point has no card in \(share) of ride time (all points: \(range[0]) to \(range[1])), so at most "
                + "\(rest) of it can be covered there\(isBelow ? ", and less than the limit at every point" : "")."
                + causes(of: bound)
        }
        return
            "There is no card in \(share) of ride time, which is the same at every design point in each replication: no "
            + "setting that was tried can cover more than \(rest)\(isBelow ? ", which is less than the limit" : "")."
            + causes(of: bound)
    }

    /// Returns the measurements behind missing cards, the most frequent ends first; empty if nothing occurred.
    private func causes(of bound: TuningResult.Ceiling.WithoutCard) -> String {
        let found = zip(Tuning.causesWithoutCard, bound.causes).filter { $1 > 0 }
        func value(_ metric: String) -> Double? { found.first { $0.0.metric == metric }?.1 }
        let ends = found.filter { $0.0.metric == "activities_ended_count" }.enumerated()
            .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
            .map {
                "because \(MetricDescription.scopeWords[$0.element.0.scope] ?? "") (\(Format.count(mean: $0.element.1)))"
            }
        let events = [
            value("rides_without_activity_count").map { "rides without an activity (\(Format.count(mean: $0)))" },
            ends.isEmpty ? nil : "activities that ended \(ends.joined(separator: ", "))",
        ]
        .compactMap(\.self)
        let leftovers = value("ride_ended_card_time_ratio")
            .map { " In \(Format.percent($0)) of ride time the card of an ended activity is still on the screen." }
        let counts =
            " The causes are counted, not timed: per run of \(Format.count(mean: bound.rides)) rides, that point has "
            + "\(events.joined(separator: "; "))."
        return (leftovers ?? "") + (events.isEmpty ? "" : counts)
    }

    /// A sentence on the point with the fewest pushes that is as good as today's settings, if no point meets every limit.
    ///
    /// Empty if one does, without today's settings, and if no other point can be compared with them.
    var asToday: [String] {
        let limits = Array(zip(result.tuning.limits, result.tuning.problem.constraints).enumerated())
        func changes(_ index: Int) -> [PresentChange] {
            limits.compactMap { place, _ in result.change(of: place + 1, at: index) }
        }
        guard result.nearest != nil, let present = result.present,
            sweep.points.indices.contains(where: { $0 != present.system && changes($0).count == limits.count })
        else { return [] }
        guard let index = result.cheapestAsPresent, let volumes = result.volumes(at: index) else {
            return ["No design point that was tried holds today's level with fewer pushes."]
        }
        let period = PushPeriod(sweep.experiment.scenario)
        let (now, then) = (period.pushes(volumes.present).rounded(), period.pushes(volumes.point).rounded())
        let rides = Format.count(mean: period.rides(volumes.point).rounded())
        var isUnsure = false
        let differences = zip(limits, changes(index))
            .map { limit, change in
                let (response, constraint) = limit.element
                let loss = constraint.excess(change.difference, over: 0)
                if loss + (change.chance?.reach ?? .infinity) > constraint.tolerance { isUnsure = true }
                let difference = Format.difference(
                    change.difference,
                    reach: change.chance?.reach,
                    unit: response.unit,
                    isShare: response.isShare
                )
                return "`\(response.text)` \(difference) (tolerance \(response.distance(constraint.tolerance)))"
            }
        let count = min(present.samples.count, outcome.systems[index].replications)
        return [
            "Today's level for fewer pushes: design point \(sweep.points[index].number) (\(levels(of: sweep.points[index]))) sends "
                + "\(Format.count(mean: then)) pushes \(period.words) for the \(rides) rides simulated instead of "
                + "\(Format.count(mean: now)) (\(Format.relative((then - now) / now))); against today: \(differences.joined(separator: ", ")), in "
                + "\(Format.replications(count))\(isUnsure ? "; chance may hide a loss beyond the tolerance" : "")."
        ]
    }
}

extension TuningResult {
    /// The best value of each limit that no point's mean meets, for scripts.
    var jsonOfCeilings: JSONValue {
        .array(
            ceilings.map { ceiling in
                [
                    "response": .string(tuning.limits[ceiling.constraint].text), "best": .number(ceiling.value),
                    "point": .integer(Int64(tuning.sweep.points[ceiling.system].number)),
                    "ride_no_card_time_ratio": ceiling.withoutCard.map { .number($0.share) } ?? .null,
                    "ride_no_card_is_equal": ceiling.withoutCard.map { .bool($0.isEqual) } ?? .null,
                ]
            }
        )
    }
}
