/// The number of streams that a connection may have open, as in APNs' SETTINGS.
///
/// One until the first valid token, then many (Apple, "Sending notification requests to APNs"; 1000 has been observed).
/// In 2016 APNs went down to one after a rejected push and back up after the next success (openradar 27870881). Apple
/// still says that errors slow a provider down and refers to SETTINGS, so this is an option here.
package struct StreamAllowance: Sendable {
    private let most: UInt32
    private let shrinks: Bool
    /// The last announced number.
    package private(set) var current: UInt32

    /// Creates the allowance of a new connection.
    ///
    /// - Parameters:
    ///   - most: The number of streams for an authenticated provider.
    ///   - isKnown: `true` if the provider is authenticated from the start, by its certificate.
    ///   - shrinks: `true` if a rejection reduces the allowance to one until the next success.
    package init(most: UInt32, isKnown: Bool, shrinks: Bool) {
        self.most = most
        self.shrinks = shrinks
        current = isKnown ? most : 1
    }

    /// Records a request with a valid token; returns the number for a SETTINGS frame, or `nil` if it is unchanged.
    package mutating func authenticated() -> UInt32? { shrinks && isDown ? nil : set(most) }

    /// Records an accepted push.
    package mutating func accepted() -> UInt32? {
        isDown = false
        return set(most)
    }

    /// Records a push that was rejected for a provider error.
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
