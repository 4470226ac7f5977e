package import FreshnessCore
import LiveActivityModel
package import Quantities

/// What the core is put under stress with: how many instances, by which policy, and how many of them fall silent.
package struct CoreSettings: Hashable, Sendable {
    /// Live instances; one that ends is replaced at once.
    package var instances: Int
    /// When instances are stale, and what is done about it.
    package var policy: FreshnessPolicy
    /// From the generation of content to its stale date.
    package var ttl: TimeSpan
    /// From scan to scan, in the time of the policy.
    package var scanInterval: TimeSpan
    /// How many instances hear nothing at a time, because APNs refuses all that is sent to them.
    ///
    /// A silence is chosen anew for each instance once in ``silence``, so some last twice as long and more.
    package var silentShare: Probability
    /// The seed of all draws.
    package var seed: UInt64

    /// The most instances of one shard: rows are 32-bit numbers.
    static let mostInstances = 1 << 30

    /// A policy by which everything happens within seconds: a run of half a minute sees lapses, attempts and ends.
    package static func brisk(instances: Int = 1_000_000) throws(PolicyError) -> CoreSettings {
        var monitor = Scenario.Monitor()
        monitor.freshLimit = .seconds(2)
        monitor.recoveryWindow = .seconds(10)
        monitor.retry.schedule = [.zero, .seconds(3), .seconds(6)]
        monitor.endSchedule = [.zero, .seconds(1), .seconds(5)]
        return CoreSettings(
            instances: instances,
            policy: try monitor.policy(),
            ttl: .seconds(8),
            scanInterval: .seconds(1),
            silentShare: Probability(0.01),
            seed: 2026
        )
    }

    /// How long a silence lasts: longer than content is fresh, and shorter than until the instance is given up.
    ///
    /// An instance that is silent once is recovered; one that is silent twice on end is given up.
    var silence: TimeSpan {
        let half = policy.recoveryWindow.microseconds / 2
        return ttl + policy.freshLimit + TimeSpan(microseconds: max(1, half))
    }
}
