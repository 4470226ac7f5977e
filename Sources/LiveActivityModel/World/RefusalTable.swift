import FreshnessCore
import Quantities

/// Which of its reasons APNs gives when it refuses a push by chance: one draw, cumulative thresholds.
struct RefusalTable: Sendable {
    private let cumulative: [(upTo: UInt64, reason: APNsReason)]

    init(_ shares: [Scenario.ReasonShare]) {
        var sum: UInt64 = 0
        cumulative = shares.map { share in
            sum += share.share.threshold
            return (sum, share.reason)
        }
    }

    var isEmpty: Bool { cumulative.isEmpty }

    /// The reason for this draw; nil when the push is not refused.
    func reason(for draw: UInt64) -> APNsReason? {
        let position = draw >> 1
        return cumulative.first { position < $0.upTo }?.reason
    }
}
