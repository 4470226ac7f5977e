import CGSL

/// Sobol's sequence: points that fill the unit cube more evenly than random ones, for any number of points.
///
/// GSL's `gsl_qrng_sobol`, which is Bratley and Fox, ACM TOMS 14, 1988 (algorithm 659) in the order of Antonov and
/// Saleev. GSL omits the origin, the sequence's first point, so the first point here is 0.5 in every coordinate. The
/// points are most even for 2^m - 1 points (the missing one is the origin). Nothing is random: the points are always
/// the same.
public struct SobolSequence: Hashable, Sendable {
    /// The number of coordinates of a point.
    public let dimensions: Int

    /// The maximum number of dimensions for which GSL has direction numbers.
    public static let largestDimensionCount = 40

    /// Creates the sequence in a number of dimensions.
    ///
    /// - Precondition: There are dimensions, at most ``largestDimensionCount``.
    public init(dimensions: Int) {
        precondition((1...Self.largestDimensionCount).contains(dimensions), "GSL has no numbers for \(dimensions)")
        self.dimensions = dimensions
    }

    /// The first points, each with a value per dimension in 0..<1, all multiples of 2^-30.
    ///
    /// Additional points do not change the first ones.
    ///
    /// - Complexity: O(points · dimensions).
    public func points(_ count: Int) -> [[Double]] {
        guard let generator = gsl_qrng_alloc(cgsl_sobol(), UInt32(dimensions)) else {
            preconditionFailure("GSL has no memory for \(dimensions) dimensions")
        }
        defer { gsl_qrng_free(generator) }
        return (0..<count)
            .map { _ in
                [Double](unsafeUninitializedCapacity: dimensions) { buffer, written in
                    gsl_qrng_get(generator, buffer.baseAddress)
                    written = dimensions
                }
            }
    }
}
