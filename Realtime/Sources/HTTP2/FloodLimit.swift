package import NIOCore

/// How often a peer may do something; more of it is a flood.
///
/// A number in each span of time. The clock is read only when that is used up, so counting costs next to nothing:
///
///     most ── take ──▶ … ── take ──▶ 0 ── take ──▶ full again, or, within the span, a flood
///       ◀──── earn ─────┘
package struct FloodLimit: Hashable, Sendable {
    private let most: Int
    private let span: TimeAmount
    private var left: Int
    /// When the span began; nil before the first time.
    private var begin: NIODeadline?

    /// At most a number in any span of time that begins with what it counts.
    package init(_ most: Int, in span: TimeAmount) {
        self.most = most
        self.span = span
        left = most
    }

    /// No limit.
    package static let none = FloodLimit(.max, in: .nanoseconds(0))

    /// Counts one; false where that is a flood.
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

    /// Allows more, up to what the limit began with: good conduct does not save for a flood.
    package mutating func earn(_ count: Int) { left = most - left > count ? left + count : most }
}
