import SimulationKernel

extension Scenario {
    /// The number of replications.
    public struct Replications: Hashable, Sendable {
        /// The fixed number; with ``until``, the initial number.
        public var count = 1
        /// The precision that a metric must reach; nil for exactly ``count`` replications.
        public var until: Precision?
        /// `true` if replications come in antithetic pairs, in which the second draws the complement of every draw of
        /// the first.
        ///
        /// Then ``count`` must be even, and confidence intervals are computed from the means of pairs.
        public var antithetic = false

        /// Creates a single replication.
        public init() {}
    }

    /// The criterion for a sufficient number of replications.
    public struct Precision: Hashable, Sendable {
        /// The metric that must be precise, over everything or, as `metric{cohort:name}`, over a cohort.
        public var metric = "displayed_fresh_time_ratio"
        /// The half-width of its 95% confidence interval, relative to its value, below which it is precise.
        public var halfWidth = 0.01
        /// The maximum number of replications, regardless of the precision.
        public var atMost = 1000

        /// Creates the default criterion: the default metric to 1%.
        public init() {}
    }
}

extension Scenario {
    /// The random source of a replication, counted from 0; both members of an antithetic pair have the key of the pair.
    ///
    /// - Parameter seed: Overrides the scenario's seed; nil to use it.
    func randomSource(ofReplication replication: UInt32, seed: UInt64?) -> RandomSource {
        let seed = seed ?? self.seed
        guard replications.antithetic else { return RandomSource(seed: seed, replication: replication) }
        return RandomSource(seed: seed, replication: replication / 2, isComplement: replication % 2 == 1)
    }
}
