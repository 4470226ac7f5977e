/// The design for estimating first-order and total sensitivity indices together.
///
/// Saltelli, Annoni, Azzini, Campolongo, Ratto and Tarantola, Computer Physics Communications 181, 2010: a Sobol
/// sequence of 2k dimensions gives N base points. Their first k coordinates are the rows of the matrix A, their last k
/// those of B. Matrix A_B^i is A with column i from B. That makes N(k + 2) rows, which ``SobolIndices`` reads.
///
/// Rows are grouped by base point: A, A_B^0, …, A_B^(k-1), B of the first base point, then those of the second (the
/// order of SALib without second-order indices). The rows of a smaller design are therefore a prefix of the rows of a
/// larger one. The rows of the first base point are all the same, 0.5 for every factor.
public struct SaltelliDesign: Hashable, Sendable {
    /// The points to run, N(k + 2) of k values in 0..<1 each, in the order above.
    public let rows: [[Double]]

    /// Half of the sequence's dimensions.
    public static let largestFactorCount = SobolSequence.largestDimensionCount / 2

    /// Creates the design of a number of base points; a power of two minus one is best (see ``SobolSequence``).
    ///
    /// - Precondition: There are factors, at most ``largestFactorCount``.
    /// - Complexity: O(N · k²).
    public init(basePoints: Int, factors: Int) {
        rows = SobolSequence(dimensions: 2 * factors).points(basePoints)
            .flatMap { point in
                let first = Array(point[..<factors])
                let second = Array(point[factors...])
                let crossed = (0..<factors)
                    .map { factor in
                        var row = first
                        row[factor] = second[factor]
                        return row
                    }
                return [first] + crossed + [second]
            }
    }
}
