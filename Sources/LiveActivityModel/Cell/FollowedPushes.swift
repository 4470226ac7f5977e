/// The pushes in flight of an activity that runs ahead, whose events are not in the list: at most two, in the order of
/// their draws.
struct FollowedPushes {
    private static var none: UInt32 { .max }
    private(set) var first = Self.none
    private(set) var second = Self.none

    /// `true` if there is none.
    @inline(__always)
    var isEmpty: Bool { first == Self.none }

    /// `true` if there are two.
    @inline(__always)
    var isFull: Bool { second != Self.none }

    /// Returns `true` if a push is one of them.
    @inline(__always)
    func contains(_ push: UInt32) -> Bool { first == push || second == push }

    /// Adds a push after the other one, or before it.
    @inline(__always)
    mutating func add(_ push: UInt32, isFirst: Bool) {
        if isFirst { (first, second) = (push, first) } else { second = push }
    }

    /// Removes a push.
    @inline(__always)
    mutating func remove(_ push: UInt32) {
        if first == push { first = second }
        second = Self.none
    }
}
