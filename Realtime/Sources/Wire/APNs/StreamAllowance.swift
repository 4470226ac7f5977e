/// How many streams a connection may have open, as APNs' SETTINGS say.
///
/// One until the first valid token, then many (Apple, "Sending notification requests to APNs"; 1000 is what was seen). In
/// 2016 APNs went down to one after a refused push and back after the next success (openradar 27870881); Apple still says
/// that errors slow a provider down and points to SETTINGS, so that is an option here.
package struct StreamAllowance: Sendable {
    private let most: UInt32
    private let shrinks: Bool
    /// What was told last.
    package private(set) var current: UInt32

    /// The allowance of a new connection.
    ///
    /// - Parameters:
    ///   - most: Streams for a provider that is known.
    ///   - isKnown: Whether it is from the start, by its certificate.
    ///   - shrinks: Whether a refusal brings the allowance down to one until the next success.
    package init(most: UInt32, isKnown: Bool, shrinks: Bool) {
        self.most = most
        self.shrinks = shrinks
        current = isKnown ? most : 1
    }

    /// A request had a valid token; returns the number for a SETTINGS frame, nil when nothing changes.
    package mutating func authenticated() -> UInt32? { shrinks && isDown ? nil : set(most) }

    /// A push was accepted.
    package mutating func accepted() -> UInt32? {
        isDown = false
        return set(most)
    }

    /// A push was refused, for a reason that counts as the provider's error.
    package mutating func refused() -> UInt32? {
        guard shrinks, current == most else { return nil }
        isDown = true
        return set(1)
    }

    private var isDown = false

    private mutating func set(_ number: UInt32) -> UInt32? {
        guard current != number else { return nil }
        current = number
        return number
    }
}
