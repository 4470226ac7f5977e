import SimulationKernel
import Statistics
import Synchronization

/// A cache of samplers, so that the design points of a sweep compile each distribution once.
///
/// To compile a world takes about 50 ms, longer than a run of a small one. A sampler takes up to 88 kB.
final class KnownSamplers: Sendable {
    private let known = Mutex([Distribution: Sampler]())

    /// Returns the sampler of a valid distribution.
    func sampler(of distribution: Distribution) throws(DistributionError) -> Sampler {
        if let sampler = known.withLock({ $0[distribution] }) { return sampler }
        // The world has one distribution of its own, in finer units than the durations of a scenario.
        let sampler = try distribution.compiled(within: 0...0x1p62)
        known.withLock { known in
            if known.count >= 128 { known.removeAll() }
            known[distribution] = sampler
        }
        return sampler
    }
}
