/// The Pareto front: the points for which no other point is better in one response without being worse in another.
///
/// A point dominates another if it is at least as good in every response and better in one. Points that are equal in
/// every response do not dominate each other: either all of them belong to the front, or none.
public struct ParetoFront: Hashable, Sendable {
    /// The indices of the points that no other dominates, ascending; never empty if there are points.
    public let members: [Int]
    /// The indices of the points whose membership or non-membership may be due to chance, ascending; empty without
    /// replications.
    public let unsure: [Int]

    /// Creates the front of points with known responses.
    ///
    /// - Precondition: There are two directions, and every point has a finite response for each.
    /// - Complexity: O(n log n).
    public init(points: [[Double]], directions: [ResponseDirection]) {
        members = Self.sweep(Self.oriented(points, directions))
        unsure = []
    }

    /// Creates the front of mean responses, and determines which memberships are uncertain.
    ///
    /// For a pair of points, chance may change the paired differences of a response by the bound of ``DifferenceRule``,
    /// each at `level` (not jointly). A member is unsure if some other point may dominate it: within the bounds it can
    /// be as good or better in every response, and better in one. Any other point is unsure unless some point certainly
    /// dominates it: within the bounds it is never worse, and in one response it is better beyond the bound. Points
    /// that never differ in a response are equal in it.
    ///
    /// - Parameters:
    ///   - points: The responses by point, response and replication; the same replication of all points shares its
    ///     random numbers.
    ///   - eventSizes: By point and response, the change of the mean by one event of the heaviest kind; nil for no such
    ///     events.
    /// - Precondition: Every point has both responses in every replication, at least two, all finite; the level is
    ///   above 0 and below 1.
    /// - Complexity: O(n² · replications).
    public init(
        replications points: [[[Double]]],
        directions: [ResponseDirection],
        eventSizes: [[Double]]? = nil,
        level: Double = 0.95
    ) {
        let replications = points.first?.first?.count ?? 2
        guard let rule = DifferenceRule(count: replications, level: level) else {
            preconditionFailure("an interval takes two replications")
        }
        precondition(
            points.allSatisfy { $0.allSatisfy { $0.count == replications } },
            "every response has all replications"
        )
        let means = points.map { $0.map(\.mean) }
        let front = ParetoFront(points: means, directions: directions)
        // The advantage of one point over another in each response.
        let gains = { (one: Int, other: Int) in
            directions.indices.map { response in
                let differences = zip(points[one][response], points[other][response])
                    .map { directions[response].oriented($0 - $1) }
                let event = eventSizes.map { max($0[one][response], $0[other][response]) } ?? 0
                let found = rule.difference(differences, event: event)
                return (lower: found.mean - found.reach, upper: found.mean + found.reach)
            }
        }
        let isMember = Set(front.members)
        members = front.members
        unsure = points.indices.filter { point in
            let rivals = points.indices.lazy.filter { $0 != point }.map { gains($0, point) }
            return isMember.contains(point)
                ? rivals.contains { $0.allSatisfy { $0.upper >= 0 } && $0.contains { $0.upper > 0 } }
                : !rivals.contains { $0.allSatisfy { $0.lower >= 0 } && $0.contains { $0.lower > 0 } }
        }
    }

    /// The responses, negated where necessary so that larger is better.
    private static func oriented(_ points: [[Double]], _ directions: [ResponseDirection]) -> [[Double]] {
        precondition(directions.count == 2, "a front takes two responses")
        precondition(points.allSatisfy { $0.count == directions.count }, "every point has each response")
        precondition(points.allSatisfy { $0.allSatisfy(\.isFinite) }, "responses are finite")
        return points.map { zip(directions, $0).map { $0.oriented($1) } }
    }

    /// From the best first response to the worst: the second response of a member is better than all before.
    private static func sweep(_ points: [[Double]]) -> [Int] {
        let order = points.indices.sorted {
            (-points[$0][0], -points[$0][1], $0) < (-points[$1][0], -points[$1][1], $1)
        }
        var members: [Int] = []
        for index in order {
            guard let last = members.last else {
                members.append(index)
                continue
            }
            if points[index][1] > points[last][1] || points[index] == points[last] { members.append(index) }
        }
        return members.sorted()
    }
}
