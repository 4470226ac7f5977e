import InputFiles
import ScenarioLanguage
import SimulationKernel

/// A known result: a system, its parameters, the quantity and the exact answer.
public struct Case: Sendable {
    /// The name of the case; unique in its file.
    public let id: String
    /// The family of the case, such as `push` or `queue`.
    public let group: String
    /// The system within its family.
    public let model: String
    /// The quantity of the system.
    public let quantity: String
    /// The parameters, which the translator of the model reads.
    let parameters: Parameters
    /// The answer as it is in the file.
    let exact: ScenarioNode
    /// The tolerance of an estimate.
    let tolerance: Tolerance
    /// The position of the case in the file.
    let place: Place

    /// A seed of the case's runs: a hash of its ID and the seed's index.
    ///
    /// Runs of different cases share no draws, so their scores are independent. If all cases ran with the seeds 1, 2,
    /// …, the shared draws would bias their estimates in the same direction. Adding cases does not change the seeds.
    func seed(_ index: Int) -> UInt64 {
        var hash = Fingerprint()
        hash.combine(text: id)
        hash.combine(UInt64(index))
        return hash.value
    }

    /// The answer if it is a number.
    var exactNumber: Double? { exact.number }
}

/// The tolerance of an estimate.
enum Tolerance: Hashable, Sendable {
    /// Within the statistical error, which must itself be small.
    case monteCarlo(MonteCarlo)
    /// Within a distance of the answer.
    case absolute(Double)
    /// The exact answer.
    case identical
    /// An unknown kind, with the message that says so; its case is not expressible.
    case unknown(String)

    /// The limits of the statistical error.
    struct MonteCarlo: Hashable, Sendable {
        /// The maximum deviation of the mean over seeds, in standard errors.
        var largestZ = 4.0
        /// The maximum half-width of the mean's 95% confidence interval, relative to the answer.
        var largestRelativeHalfWidth = 0.01
        /// The minimum number of seeds.
        var fewestSeeds = 20
        /// The range of the chi-square probability of the sum of the seeds' z².
        ///
        /// Too little spread is as wrong as too much: seeds that agree too well are not independent. By chance alone,
        /// one in a hundred lists of three hundred cases has a case outside these bounds.
        var spread = 0.00002...0.99998
    }
}
