import SimulationKernel

extension Scenario {
    /// How many histories are run.
    public struct Replications: Hashable, Sendable {
        /// How many; where ``until`` asks for more, how many come first.
        public var count = 1
        /// How precise a metric must become; nil for no more than ``count``.
        public var until: Precision?
        /// Whether replications come in pairs, the second of which draws the complement of every draw of the first.
        ///
        /// Then ``count`` is even, and intervals are taken from the means of pairs.
        public var antithetic = false

        /// One replication.
        public init() {}
    }

    /// When there are enough replications.
    public struct Precision: Hashable, Sendable {
        /// The metric that must be known so well, over all.
        public var metric = "displayed_fresh_time_ratio"
        /// The half-width of its 95 % interval, as a part of its value, that must be fallen below.
        public var halfWidth = 0.01
        /// How many replications are made at most, whatever the precision.
        public var atMost = 1000

        /// The default metric to a hundredth.
        public init() {}
    }
}

extension Scenario {
    /// The randomness of a replication, counted from 0; of an antithetic pair both members have the key of the pair.
    ///
    /// - Parameter seed: In place of the scenario's; nil for that.
    func randomSource(ofReplication replication: UInt32, seed: UInt64?) -> RandomSource {
        let seed = seed ?? self.seed
        guard replications.antithetic else { return RandomSource(seed: seed, replication: replication) }
        return RandomSource(seed: seed, replication: replication / 2, isComplement: replication % 2 == 1)
    }
}
