package import NIOCore

/// A rate limit on a peer's actions; exceeding it is a flood.
///
/// It allows a number of actions in each span of time. It reads the clock only when that number is used up, so counting
/// costs almost nothing:
///
///     most ── take ──▶ … ── take ──▶ 0 ── take ──▶ full again, or, within the span, a flood
///       ◀──── earn ─────┘
package struct FloodLimit: Hashable, Sendable {
    private let most: Int
    private let span: TimeAmount
    private var left: Int
    /// The start of the span; `nil` before the first action.
    private var begin: NIODeadline?

    /// Creates a limit of a number of actions in any span that starts with an action.
    package init(_ most: Int, in span: TimeAmount) {
        self.most = most
        self.span = span
        left = most
    }

    /// No limit.
    package static let none = FloodLimit(.max, in: .nanoseconds(0))

    /// Counts one action; returns `false` if it is a flood.
    package mutating func take(at now: @autoclosure () -> NIODeadline) -> Bool {
        if left > 0, begin != nil {
            left -= 1
            return true
        }
        let now = now()
        if let begin, now - begin < span { return false }
        begin = now
        guard most > 0 else { return false }
        left = most - 1
        return true
    }

    /// Allows more actions, up to the original limit: earned actions cannot be saved for a flood.
    package mutating func earn(_ count: Int) { left = most - left > count ? left + count : most }
}
