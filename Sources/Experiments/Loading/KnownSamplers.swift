import SimulationKernel
import Statistics
import Synchronization

/// Samplers that were made, so that the design points of a sweep make the tables of a distribution once.
///
/// A table has some ten thousand quantiles and takes 88 kB: of a small town it would take longer to make than the model
/// to run. When there are as many as may be kept, all are forgotten, and those that are still needed are made again.
final class KnownSamplers: Sendable {
    private let samplers = Mutex<[Distribution: Sampler]>([:])

    /// How many are kept: of tables 11 MB.
    private static var limit: Int { 128 }

    /// The sampler of a valid distribution.
    func sampler(of distribution: Distribution) throws(DistributionError) -> Sampler {
        if let known = samplers.withLock({ $0[distribution] }) { return known }
        // The world adds a distribution of its own, in finer units than the durations of a scenario.
        let sampler = try distribution.compiled(within: 0...0x1p62)
        samplers.withLock { samplers in
            if samplers.count >= Self.limit { samplers.removeAll() }
            samplers[distribution] = sampler
        }
        return sampler
    }
}
