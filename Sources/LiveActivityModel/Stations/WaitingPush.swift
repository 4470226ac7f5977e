public import FreshnessCore

/// The push of one activity that waits in the sender, and what becomes of it when another comes: the sender coalesces.
public struct WaitingPush: BitwiseCopyable, Hashable, Sendable {
    private var push = WaitingPush.none

    private static var none: UInt32 { .max }

    /// None waits.
    public init() {}

    /// The host's number of it, the last one if there are several; nil where none waits.
    @inline(__always)
    public var number: UInt32? { push == WaitingPush.none ? nil : push }

    /// A push is in the queue.
    public mutating func waits(_ push: UInt32) {
        self.push = push
    }

    /// A push is in the queue no longer.
    @inline(__always)
    public mutating func left(_ push: UInt32) {
        if self.push == push { self.push = WaitingPush.none }
    }

    /// What becomes of a push that finds another waiting.
    public enum Joining: Hashable, Sendable {
        /// It is offered by itself.
        case no
        /// Nothing: the one that waits does as well.
        case isNeedless
        /// The one that waits carries its content from now on, at the more urgent priority of both, in its own place and rank.
        ///
        /// Regular content brings its index along: it has the luck of its occasion in the place of another push, too.
        /// What is accepted counts for the monitor's watch under which the content was made, not for the one before.
        case renews(withIndex: Bool, priority: PushPriority, watch: UInt8)
    }

    /// Whether a push would say nothing that the waiting one does not: an end is as good as the next.
    public static func isNeedless(_ kind: StoryLine.PushKind, besides other: StoryLine.PushKind) -> Bool {
        kind == .end && other == .end
    }

    /// What becomes of a push that finds another waiting: content renews content, an end is as good as the next.
    ///
    /// - Parameter watch: The monitor's watch that the new one belongs to.
    public static func joining(
        _ kind: StoryLine.PushKind,
        _ priority: PushPriority,
        ofWatch watch: UInt8,
        toWaiting other: StoryLine.PushKind,
        _ otherPriority: PushPriority
    ) -> Joining {
        if isNeedless(kind, besides: other) { return .isNeedless }
        guard kind.isContent, other.isContent else { return .no }
        let urgent = priority == .immediate ? priority : otherPriority
        return .renews(withIndex: kind == .update, priority: urgent, watch: watch)
    }
}

extension StoryLine.PushKind {
    /// Whether it carries content to a screen that is there.
    var isContent: Bool { self == .update || self == .retry }
}
