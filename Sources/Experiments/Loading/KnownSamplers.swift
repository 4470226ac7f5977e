import SimulationKernel
import Statistics
import Synchronization

/// A cache of samplers, so that the design points of a sweep compile each distribution once.
///
/// A table has about ten thousand quantiles and takes 88 kB. For a small world, making it would take longer than
/// running the model. When the cache is full it is cleared, and samplers that are still needed are made again.
final class KnownSamplers: Sendable {
    private struct State {
        var known: [Distribution: Sampler] = [:]
        var madeCount = 0
    }

    private let state = Mutex(State())

    /// The capacity: 11 MB if each sampler is one table.
    static var limit: Int { 128 }

    /// The number of cached samplers.
    var count: Int { state.withLock { $0.known.count } }

    /// The number of samplers made so far.
    var madeCount: Int { state.withLock { $0.madeCount } }

    /// Returns the sampler of a valid distribution.
    func sampler(of distribution: Distribution) throws(DistributionError) -> Sampler {
        if let known = state.withLock({ $0.known[distribution] }) { return known }
        // The world has one distribution of its own, in finer units than the durations of a scenario.
        let sampler = try distribution.compiled(within: 0...0x1p62)
        state.withLock { state in
            if state.known.count >= Self.limit { state.known.removeAll() }
            state.known[distribution] = sampler
            state.madeCount += 1
        }
        return sampler
    }
}
