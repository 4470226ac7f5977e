/// What each level of each factor does to a response on average, over the points of a grid or a part of one.
///
/// The effect of a level is the mean of the points that have it, less the mean of all points. Each replication gives one
/// such difference, in which the luck that its points share cancels; ``DifferenceRule`` says how far chance may have moved it. On a
/// part of a grid that is not balanced (``isBalanced``) an effect contains some of the other factors': read it with care.
public struct MainEffects: Hashable, Sendable {
    /// A level's effect.
    public struct Effect: Hashable, Sendable {
        /// Which level, as numbered in the points.
        public let level: Int
        /// How many points have it.
        public let points: Int
        /// The mean response of these points, in the response's unit.
        public let mean: Double
        /// That, less the grand mean, in the response's unit.
        public let value: Double
        /// How far chance may have moved it, over replications; nil for a single one.
        public let difference: MeanDifference?

        /// From ``value`` to either end of its interval; nil where the replications do not carry one.
        public var halfWidth: Double? { difference?.halfWidth }
    }

    /// The mean over all points and replications, in the response's unit.
    public let grandMean: Double
    /// By factor, then by level, rising; levels that no point has are left out.
    public let effects: [[Effect]]
    /// Whether any two levels of different factors meet as often as their own numbers let expect.
    ///
    /// Proportional frequencies, n(a, b) · n = n(a) · n(b): true for a whole grid, and then effects do not mix.
    public let isBalanced: Bool

    /// The effects over points.
    ///
    /// - Parameters:
    ///   - points: For each point the level of each factor, from 0.
    ///   - responses: For each point its response in each replication; the same replication of all points shares its luck.
    ///   - eventSizes: For each point, by how much one event of the heaviest kind moves its mean; nil for no such events.
    /// - Precondition: There is a point and a replication, all points have as many factors and replications, responses are
    ///   finite; the level is above 0 and below 1.
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
                        // An event at the points of this level alone moves the mean of all points, too.
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
