public import Quantities

/// What APNs keeps for one activity: when its last push is to arrive, and the push that waits for the phone's connection.
///
/// Its host has one for each ride: a token that was rotated is still the same activity's.
///
/// ```
///  arrival ─► the phone has a connection? ─ yes ─► taken
///                     │ no
///                     ▼
///                   keep ─┬─► notStored, expired: nothing reaches the phone
///                         └─► stored, in place of an older one ─► the phone is back: taken
/// ```
public struct APNsDestination: BitwiseCopyable, Hashable, Sendable {
    private var lastArrivalAt = Instant.start
    private var storedPush = APNsDestination.none

    private static var none: UInt32 { .max }

    /// No push has been sent to it.
    public init() {}

    /// When a push is to arrive that could be there at an instant: no earlier than those before it.
    @inline(__always)
    public mutating func arrival(notBefore instant: Instant) -> Instant {
        lastArrivalAt = max(instant, lastArrivalAt)
        return lastArrivalAt
    }

    /// Up to when pushes are under way to it, but for those that its host has worked out ahead: no other begins before
    /// they are there.
    public var isExpectedUntil: Instant { lastArrivalAt }

    /// Whether none is under way to it, and none kept.
    @inline(__always)
    func isIdle(at now: Instant) -> Bool { lastArrivalAt <= now && storedPush == Self.none }

    /// Up to when a push is kept that was sent at an instant; that instant itself where APNs keeps none.
    @inline(__always)
    static func expiry(sentAt: Instant, expiration: TimeSpan, storage: Scenario.PushStorage) -> Instant {
        storage == .none ? sentAt : sentAt + expiration
    }

    /// What becomes of a push for a phone without a connection.
    enum Keeping: Hashable {
        /// It is not kept.
        case notStored
        /// It is kept, and will have expired before the phone is back.
        case expired(inPlaceOf: UInt32?)
        /// It reaches the phone when that is back.
        case stored(inPlaceOf: UInt32?)
    }

    /// A push meets a phone without a connection.
    ///
    /// - Parameters:
    ///   - push: The host's number of it.
    ///   - expiration: How long it may be kept from when it was sent, as its header says; zero: not at all.
    ///   - storage: How many pushes APNs keeps.
    ///   - online: When the phone has a connection again.
    /// - Returns: What becomes of it, with the number of the push that it takes the place of.
    mutating func keep(
        _ push: UInt32,
        sentAt: Instant,
        expiration: TimeSpan,
        storage: Scenario.PushStorage,
        until online: Instant,
        at now: Instant
    ) -> Keeping {
        let expiresAt = Self.expiry(sentAt: sentAt, expiration: expiration, storage: storage)
        guard expiresAt > now else { return .notStored }
        var older: UInt32?
        if storage == .one {
            if storedPush != Self.none, storedPush != push { older = storedPush }
            storedPush = push
        }
        guard online <= expiresAt else {
            taken(push)
            return .expired(inPlaceOf: older)
        }
        return .stored(inPlaceOf: older)
    }

    /// A push is kept no longer: it is at the phone, or was withdrawn.
    @inline(__always)
    mutating func taken(_ push: UInt32) {
        if storedPush == push { storedPush = Self.none }
    }
}
