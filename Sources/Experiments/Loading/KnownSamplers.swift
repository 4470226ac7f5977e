import SimulationKernel
import Statistics
import Synchronization

/// Samplers that were made, so that the design points of a sweep make the tables of a distribution once.
///
/// A table has some ten thousand quantiles and takes 88 kB: of a small town it would take longer to make than the model
/// to run. When there are as many as may be kept, all are forgotten, and those that are still needed are made again.
final class KnownSamplers: Sendable {
    private struct State {
        var known: [Distribution: Sampler] = [:]
        var madeCount = 0
    }

    private let state = Mutex(State())

    /// How many may be kept: 11 MB where each is one table.
    static var limit: Int { 128 }

    /// How many are kept.
    var count: Int { state.withLock { $0.known.count } }

    /// How many were made so far.
    var madeCount: Int { state.withLock { $0.madeCount } }

    /// The sampler of a valid distribution.
    func sampler(of distribution: Distribution) throws(DistributionError) -> Sampler {
        if let known = state.withLock({ $0.known[distribution] }) { return known }
        // The world adds a distribution of its own, in finer units than the durations of a scenario.
        let sampler = try distribution.compiled(within: 0...0x1p62)
        state.withLock { state in
            if state.known.count >= Self.limit { state.known.removeAll() }
            state.known[distribution] = sampler
            state.madeCount += 1
        }
        return sampler
    }
}
