package import SimulationKernel
import Statistics

extension Factors {
    /// The maximum number of design points of a file, before conditions.
    ///
    /// Each takes a few milliseconds to lay out.
    package static let mostPoints = 20_000

    /// The number of combinations in the design, before conditions.
    var combinationCount: Double {
        switch design {
        case .grid: groups.reduce(1) { $0 * Double($1[0].gridLevels.count) }
        case .latinHypercube, .sobol: Double(points)
        case .saltelli: Double(points * (groups.count + 2))
        }
    }

    /// Returns all combinations of levels, each with a level for every factor in the order of ``vary``.
    ///
    /// A grid changes its last factor fastest. The points of a continuous design are in the unit cube. Each coordinate
    /// selects the levels of one group of factors.
    ///
    /// - Parameter random: The source for the order and the offsets within strata of a Latin hypercube.
    /// - Precondition: ``FactorRules`` hold.
    package func combinations(random: RandomSource) -> [[FactorLevel]] {
        let groups = groups
        switch design {
        case .grid:
            var combinations: [[[FactorLevel]]] = [[]]
            for group in groups {
                let levels = group.map(\.gridLevels)
                combinations = combinations.flatMap { combination in
                    levels[0].indices.map { index in combination + [levels.map { $0[index] }] }
                }
            }
            return combinations.map { inOrder($0, of: groups) }
        case .latinHypercube, .sobol, .saltelli:
            return unitPoints(dimensions: groups.count, random: random)
                .map { point in
                    inOrder(zip(groups, point).map { group, share in group.map { $0.level(at: share) } }, of: groups)
                }
        }
    }

    /// Returns the points of the unit cube from which a continuous design selects levels.
    private func unitPoints(dimensions: Int, random: RandomSource) -> [[Double]] {
        switch design {
        case .grid: []
        case .latinHypercube:
            LatinHypercube(
                points: points,
                dimensions: dimensions,
                source: random,
                entity: Factors.designEntity,
                purpose: Factors.designPurpose
            )
            .points
        case .sobol: SobolSequence(dimensions: dimensions).points(points)
        case .saltelli: SaltelliDesign(basePoints: points, factors: dimensions).rows
        }
    }

    /// The entity and the purpose of a design's draws, distinct from all rides and from the model's own entities and
    /// purposes.
    private static let designEntity: UInt64 = 0xDE51_6000_0000_0000
    private static let designPurpose: UInt16 = 0xDE51

    /// Returns the levels of all groups in the order of the factors.
    private func inOrder(_ levels: [[FactorLevel]], of groups: [[Factor]]) -> [FactorLevel] {
        let byPath = Dictionary(
            zip(groups, levels).flatMap { group, levels in zip(group.map(\.path), levels).map { ($0, $1) } },
            uniquingKeysWith: { first, _ in first }
        )
        return vary.compactMap { byPath[$0.path] }
    }
}
