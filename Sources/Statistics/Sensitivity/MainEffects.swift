/// The main effects: the average change of a response by each level of each factor, over the points of a grid or of a
/// part of one.
///
/// The effect of a level is the mean of the points that have it, minus the mean of all points. Each replication gives
/// one such difference, in which the random variation that its points share cancels; ``DifferenceRule`` bounds the
/// effect of chance on it. On a part of a grid that is not balanced (``isBalanced``) an effect includes some of the
/// other factors' effects, so it must be interpreted with care.
public struct MainEffects: Hashable, Sendable {
    /// A level's effect.
    public struct Effect: Hashable, Sendable {
        /// The level, as numbered in the points.
        public let level: Int
        /// The number of points that have it.
        public let points: Int
        /// The mean response of its points, in the response's unit.
        public let mean: Double
        /// The mean minus the grand mean, in the response's unit.
        public let value: Double
        /// The difference over replications, with the bound on the effect of chance; nil for a single replication.
        public let difference: MeanDifference?

        /// The half-width of the interval; nil if the replications do not support one.
        public var halfWidth: Double? { difference?.halfWidth }
    }

    /// The mean over all points and replications, in the response's unit.
    public let grandMean: Double
    /// The effects by factor, then by level, ascending; levels without points are omitted.
    public let effects: [[Effect]]
    /// `true` if any two levels of different factors occur together as often as their own frequencies imply.
    ///
    /// Proportional frequencies, n(a, b) · n = n(a) · n(b): `true` for a whole grid. Effects are then not confounded.
    public let isBalanced: Bool

    /// Creates the effects over points.
    ///
    /// - Parameters:
    ///   - points: For each point the level of each factor, from 0.
    ///   - responses: For each point its response in each replication; the same replication of all points shares its
    ///     random numbers.
    ///   - eventSizes: For each point the change of its mean by one event of the heaviest kind; nil for no such events.
    /// - Precondition: There is at least one point and one replication, all points have the same number of factors and
    ///   replications, and responses are finite; the level is above 0 and below 1.
    /// - Complexity: O(points · factors · (replications + factors)).
    public init(points: [[Int]], responses: [[Double]], eventSizes: [Double]? = nil, level: Double = 0.95) {
        precondition(!points.isEmpty && points.count == responses.count, "every point has responses")
        let factors = points[0].count
        let replications = responses[0].count
        precondition(replications >= 1, "there is a replication")
        precondition(points.allSatisfy { $0.count == factors }, "every point has a level of each factor")
        precondition(responses.allSatisfy { $0.count == replications }, "every point has all replications")
        precondition(responses.allSatisfy { $0.allSatisfy(\.isFinite) }, "responses are finite")

        let all = Self.means(Array(points.indices), responses)
        grandMean = all.reduce(0, +) / Double(replications)
        let grand = grandMean
        let rule = DifferenceRule(count: replications, level: level)
        let event = eventSizes?.mean ?? 0
        effects = (0..<factors)
            .map { factor in
                Set(points.map { $0[factor] }).sorted()
                    .map { number in
                        let members = points.indices.filter { points[$0][factor] == number }
                        let means = Self.means(members, responses)
                        let mean = means.reduce(0, +) / Double(replications)
                        // An event at the points of this level alone also changes the mean of all points.
                        let share = Double(members.count) / Double(points.count)
                        return Effect(
                            level: number,
                            points: members.count,
                            mean: mean,
                            value: mean - grand,
                            difference: rule?.difference(zip(means, all).map { $0 - $1 }, event: event * (1 - share))
                        )
                    }
            }
        isBalanced = Self.isBalanced(points, factors: factors)
    }

    /// The mean over points in each replication.
    private static func means(_ points: [Int], _ responses: [[Double]]) -> [Double] {
        responses[0].indices
            .map { replication in
                points.reduce(0) { $0 + responses[$1][replication] } / Double(points.count)
            }
    }

    private static func isBalanced(_ points: [[Int]], factors: Int) -> Bool {
        for one in 0..<factors {
            for other in (one + 1)..<max(one + 1, factors) {
                var counts: [Int: Int] = [:]
                var otherCounts: [Int: Int] = [:]
                var pairs: [[Int]: Int] = [:]
                for point in points {
                    counts[point[one], default: 0] += 1
                    otherCounts[point[other], default: 0] += 1
                    pairs[[point[one], point[other]], default: 0] += 1
                }
                for (first, count) in counts {
                    for (second, otherCount) in otherCounts
                    where pairs[[first, second], default: 0] * points.count != count * otherCount {
                        return false
                    }
                }
            }
        }
        return true
    }
}
