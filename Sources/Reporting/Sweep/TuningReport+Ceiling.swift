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
        }
        return
            "There is no card in \(share) of ride time, which is the same at every design point in each replication: no "
            + "setting that was tried can cover more than \(rest)\(isBelow ? ", which is less than the limit" : "")."
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
