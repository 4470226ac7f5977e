public import FreshnessCore

/// The push of one activity that waits in a coalescing sender, and the rules for merging another push into it.
public struct WaitingPush: BitwiseCopyable, Hashable, Sendable {
    private var push = WaitingPush.none

    private static var none: UInt32 { .max }

    /// Creates the state in which no push waits.
    public init() {}

    /// The host's number of the waiting push, the last one if there are several; nil if none waits.
    @inline(__always)
    public var number: UInt32? { push == WaitingPush.none ? nil : push }

    /// A push has entered the queue.
    public mutating func waits(_ push: UInt32) {
        self.push = push
    }

    /// A push has left the queue.
    @inline(__always)
    public mutating func left(_ push: UInt32) {
        if self.push == push { self.push = WaitingPush.none }
    }

    /// The handling of a push that finds another one waiting.
    public enum Joining: Hashable, Sendable {
        /// It is offered separately.
        case no
        /// It is dropped, because the waiting push serves the same purpose.
        case isNeedless
        /// The waiting push takes its content, at the more urgent priority of the two, and keeps its place and rank.
        ///
        /// Regular content also passes on its index, and so keeps its draws in the other push. An acceptance then
        /// counts for the monitor's watch in which the new content was created.
        case renews(withIndex: Bool, priority: PushPriority, watch: UInt8)
    }

    /// Returns `true` if a push adds nothing to the waiting one, because both are ends.
    public static func isNeedless(_ kind: StoryLine.PushKind, besides other: StoryLine.PushKind) -> Bool {
        kind == .end && other == .end
    }

    /// The handling of a push that finds another one waiting: content replaces content, and a second end is dropped.
    ///
    /// - Parameter watch: The monitor's watch that the new push belongs to.
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
    /// `true` if it carries content to an existing screen.
    var isContent: Bool { self == .update || self == .retry }
}
