import Experiments
import Statistics

extension SweepResult {
    /// Whether a response of a point is the sum over its replications, as totals and counts are.
    func isSum(_ response: Int) -> Bool {
        let statistic = points.lazy.compactMap { $0.rows[response]?.stat }.first
        return statistic.map(["total", "count", "numerator", "denominator"].contains) ?? false
    }

    /// By how much a value of one replication has to be multiplied to be that of a point.
    func fold(_ response: Int) -> Double { isSum(response) ? Double(sweep.replications) : 1 }

    /// The largest half-width of the intervals that a response has at the points, in its unit; 0 where there are none.
    ///
    /// Differences that are smaller may be chance, so no picture draws them larger.
    func largestHalfWidth(of response: Int) -> Double {
        points.compactMap { $0.rows[response]?.interval.map { ($0.upperBound - $0.lowerBound) / 2 } }.max() ?? 0
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
    /// How far apart the levels of a factor are at most.
    func span(_ levels: [Effect]) -> Double {
        let values = levels.map(\.value)
        return (values.max() ?? 0) - (values.min() ?? 0)
    }

    /// Whether chance alone may not have made a factor's levels differ; of a single replication, whether they differ at all.
    func isTold(_ levels: [Effect]) -> Bool {
        levels.contains { level in
            guard let interval = level.interval else { return level.value != 0 }
            return level.value.magnitude > interval.halfWidth
        }
    }
}
