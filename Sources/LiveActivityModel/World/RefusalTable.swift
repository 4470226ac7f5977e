import FreshnessCore
import Quantities

/// The reasons for random rejections by APNs: one draw is compared with cumulative thresholds.
struct RefusalTable: Sendable {
    private let cumulative: [(upTo: UInt64, reason: APNsReason)]

    init(_ shares: [Scenario.ReasonShare]) {
        var sum: UInt64 = 0
        cumulative = shares.map { share in
            sum += share.share.threshold
            return (sum, share.reason)
        }
        total = sum
    }

    /// The sum of all shares.
    private let total: UInt64

    /// The reason for this draw; nil if the push is not rejected.
    @inline(__always)
    func reason(for draw: UInt64) -> APNsReason? {
        draw >> 1 < total ? reason(at: draw >> 1) : nil
    }

    private func reason(at position: UInt64) -> APNsReason? {
        cumulative.first { position < $0.upTo }?.reason
    }
}
