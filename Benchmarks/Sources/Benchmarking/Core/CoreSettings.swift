package import FreshnessCore
internal import LiveActivityModel
package import Quantities

/// The settings of ``CoreLoad``.
package struct CoreSettings: Hashable, Sendable {
    /// The number of live instances; an instance that ends is replaced at once.
    package var instances: Int
    /// The monitor's policy.
    package var policy: FreshnessPolicy
    /// The TTL of content.
    package var ttl: TimeSpan
    /// The interval between scans.
    package var scanInterval: TimeSpan
    /// The share of instances that are silent at a time, because APNs rejects all pushes to them.
    ///
    /// Silence is drawn again for each instance once per ``silence``, so some instances are silent twice as long or longer.
    package var silentShare: Probability
    /// The seed of all draws.
    package var seed: UInt64

    /// The most instances of one shard: rows are 32-bit numbers.
    static let mostInstances = 1 << 30

    /// Settings with short intervals, so that a run of half a minute has lapses, attempts and ends.
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

    /// The length of a silence, which is longer than the TTL and shorter than the time after which an instance is given up.
    ///
    /// An instance that is silent once recovers; an instance that is silent twice in a row is given up.
    var silence: TimeSpan {
        let half = policy.recoveryWindow.microseconds / 2
        return ttl + policy.freshLimit + TimeSpan(microseconds: max(1, half))
    }
}
