import Foundation

/// The region in which the sign of a sum of differences is undecided: a triangle that closes as replications increase.
///
/// Kim and Nelson, ACM TOMACS 11, 2001, with their constant c = 1. A sum of normal differences with a mean of at least
/// `distance` leaves the region on the wrong side with a probability of at most β, for any variance, which is estimated
/// from n₀ of them:
///
///     sum    |\_
///            |  \__        width(r) = max(0, h² S² / (2 distance) - distance · r / 2)
///       0  --+-----\__--> r
///            |  __/
///            |_/           η = ((2β)^(-2 / (n₀ - 1)) - 1) / 2,   h² = 2 η (n₀ - 1)
///            |
///
/// Andradóttir and Kim, Naval Research Logistics 57, 2010, use the same region for the distance from a limit.
struct TriangularRegion: Hashable, Sendable {
    /// The paper's h².
    let factor: Double
    /// The drift that must be distinguished from its opposite: δ, or ε.
    let distance: Double

    /// Creates the region of one decision.
    ///
    /// h² is rounded to nine decimals, because the last bits of `pow` depend on the processor; the rest is exact.
    ///
    /// - Precondition: The probability of error is above 0 and below 1/2, and there are at least two initial
    ///   replications.
    init(errorProbability: Double, distance: Double, initialReplications: Int) {
        precondition(errorProbability > 0 && errorProbability < 0.5, "a chance of error lies between 0 and 1/2")
        precondition(initialReplications >= 2, "a variance takes two replications")
        let degreesOfFreedom = Double(initialReplications - 1)
        let eta = (pow(2 * errorProbability, -2 / degreesOfFreedom) - 1) / 2
        factor = (2 * eta * degreesOfFreedom * 1e9).rounded() / 1e9
        self.distance = distance
    }

    /// The distance from 0 at which the sum of the differences is decided.
    func width(variance: Double, replications: Int) -> Double {
        max(0, factor * variance / (2 * distance) - distance * Double(replications) / 2)
    }
}
