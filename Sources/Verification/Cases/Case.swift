import Experiments
import SimulationKernel

/// A known result: a system, its parameters, what is asked of it, and the answer.
public struct Case: Sendable {
    /// Names the case; unique in its file.
    public let id: String
    /// The family that the case belongs to, as `push` or `queue`.
    public let group: String
    /// The system within its family.
    public let model: String
    /// What is asked of the system.
    public let quantity: String
    /// The parameters, still to be read by the translator of the model.
    let parameters: Parameters
    /// The answer as it stands in the file.
    let exact: ScenarioNode
    /// How near the answer an estimate must come.
    let tolerance: Tolerance
    /// Where the case stands in the file.
    let place: Place

    /// A seed of the case's runs: a hash of its id and the seed's index.
    ///
    /// Runs of two cases have nothing in common, so that their scores are independent: were all cases run with the seeds
    /// 1, 2, …, the draws that they share would push their estimates the same way. Other cases do not change the seeds.
    func seed(_ index: Int) -> UInt64 {
        var hash = Fingerprint()
        hash.combine(text: id)
        hash.combine(UInt64(index))
        return hash.value
    }

    /// The answer where it is a number.
    var exactNumber: Double? { exact.number }
}

/// How near the answer an estimate must come.
enum Tolerance: Hashable, Sendable {
    /// Within the error that chance explains, which must itself be small.
    case monteCarlo(MonteCarlo)
    /// Within a distance of the answer.
    case absolute(Double)
    /// Nothing but the answer.
    case identical
    /// A kind that is not known, and the message that says so: its case is not expressible.
    case unknown(String)

    /// What chance may explain.
    struct MonteCarlo: Hashable, Sendable {
        /// How many standard errors the mean over seeds may lie off.
        var largestZ = 4.0
        /// How wide the mean's 95 % interval may be, to either side, relative to the answer.
        var largestRelativeHalfWidth = 0.01
        /// How many seeds there must be at least.
        var fewestSeeds = 20
        /// Between which probabilities of chi-square the sum of the seeds' z² must lie.
        ///
        /// Too little spread is as wrong as too much: seeds that agree too well are not independent. In one of a hundred
        /// lists of three hundred cases chance alone takes a case beyond these bounds.
        var spread = 0.00002...0.99998
    }
}
