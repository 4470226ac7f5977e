public import Quantities

/// The state that APNs keeps for one activity: the arrival of its last push, and the push that is stored for an offline
/// phone.
///
/// The host has one for each ride; after a token rotation, it still belongs to the same activity.
///
/// ```
///  arrival ─► is the phone online? ─ yes ─► taken
///                     │ no
///                     ▼
///                   keep ─┬─► notStored, expired: nothing reaches the phone
///                         └─► stored, instead of an older one ─► the phone is online again: taken
/// ```
public struct APNsDestination: BitwiseCopyable, Hashable, Sendable {
    private var lastArrivalAt = Instant.start
    private var storedPush = APNsDestination.none

    private static var none: UInt32 { .max }

    /// Creates the state before the first push.
    public init() {}

    /// The arrival of a push that could arrive at an instant: no earlier than those before it.
    @inline(__always)
    public mutating func arrival(notBefore instant: Instant) -> Instant {
        lastArrivalAt = max(instant, lastArrivalAt)
        return lastArrivalAt
    }

    /// The instant until which pushes are in flight to it.
    ///
    /// Arrivals that the host has not reported are not included; the host must ensure that they precede the next push.
    public var isExpectedUntil: Instant { lastArrivalAt }

    /// `true` if no push is in flight to it and none is stored.
    @inline(__always)
    func isIdle(at now: Instant) -> Bool { lastArrivalAt <= now && storedPush == Self.none }

    /// The instant until which a push that was sent at an instant is stored; the same instant if APNs stores none.
    @inline(__always)
    static func expiry(sentAt: Instant, expiration: TimeSpan, storage: Scenario.PushStorage) -> Instant {
        storage == .none ? sentAt : sentAt + expiration
    }

    /// The handling of a push for an offline phone.
    enum Keeping: Hashable {
        /// It is not stored.
        case notStored
        /// It is stored, and will expire before the phone is online again.
        case expired(inPlaceOf: UInt32?)
        /// It is stored, and reaches the phone once that is online.
        case stored(inPlaceOf: UInt32?)
    }

    /// Handles a push to an offline phone.
    ///
    /// - Parameters:
    ///   - push: The host's number of the push.
    ///   - expiration: How long it may be stored, from the time it was sent, according to its header; zero for not at
    ///     all.
    ///   - storage: The number of pushes that APNs stores.
    ///   - online: When the phone will be online again.
    /// - Returns: The handling, with the number of the push that it replaces.
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
        if storage != .all {
            if storedPush != Self.none, storedPush != push { older = storedPush }
            storedPush = push
        }
        guard online <= expiresAt else {
            taken(push)
            return .expired(inPlaceOf: older)
        }
        return .stored(inPlaceOf: older)
    }

    /// Removes the stored push, because APNs stores one for another activity of the phone instead.
    ///
    /// - Returns: Its number; nil if none was stored.
    mutating func displaced() -> UInt32? {
        defer { storedPush = Self.none }
        return storedPush == Self.none ? nil : storedPush
    }

    /// Removes a push from the store, because it has reached the phone or was withdrawn.
    @inline(__always)
    mutating func taken(_ push: UInt32) {
        if storedPush == push { storedPush = Self.none }
    }
}
