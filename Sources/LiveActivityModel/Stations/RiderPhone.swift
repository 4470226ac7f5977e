import Quantities

/// The phone of a rider who books one ride after another: what goes on from ride to ride, and the cards of rides before.
///
/// There is one only while it is needed: between two rides of a rider, and while an activity of an earlier ride is in memory
/// beside the current one. Then the phone's state is here or in its current activity.
///
/// ```
///            books                requested, no older activity
///   (none) ────────► between rides ─────────────────────────────► (none)
///                        │  ▲
///              requested │  │ books            the last activity leaves
///                        ▼  │               ┌─────────────────────────► (none)
///                    during a ride ─────────┘
/// ```
///
/// Only a live card counts as one of an earlier ride; the card of an activity that has ended stays by ``EndedCard``.
struct RiderPhone: Hashable, BitwiseCopyable {
    /// The number of no activity, and of no phone.
    static let none = UInt32.max

    /// The rider's next ride; 0 if none is booked, because no further ride has that number.
    private(set) var nextRide: UInt64 = 0
    /// The state of the phone, unless ``current`` has it.
    var kept = Kept()
    /// The activity of the rider's last ride while it is in memory, which has the state of the phone.
    private(set) var current = none
    /// The most recent activity in memory; links lead from it to earlier ones.
    var newest = none
    /// The city of the rider.
    let city: UInt8
    /// The live cards of earlier rides.
    private(set) var oldCards: UInt8 = 0
    /// The request of the ride that goes on beside a card of an earlier ride; `never` if there is no such ride.
    private(set) var besideSince = Instant.never

    /// The state of a phone that goes on from ride to ride.
    struct Kept: Hashable, BitwiseCopyable {
        var connectivity = Activity.Connectivity()
        var appAliveUntil = Instant.start
        var budget = PhoneStation.BudgetWindow()
    }

    /// The links of an activity on a phone.
    struct Link: Hashable, BitwiseCopyable {
        /// The number of the phone; ``RiderPhone/none`` for a phone without a state of its own.
        var phone = none
        /// The next older activity of the phone in memory.
        var older = none
    }

    /// Creates the phone of a rider whose first activity is ending or has ended.
    init(of activity: UInt32, city: UInt8) {
        (current, newest) = (activity, activity)
        self.city = city
    }

    /// `true` if nothing needs it.
    var isOver: Bool { newest == Self.none && nextRide == 0 }

    /// Handles a rider who books another ride.
    mutating func booked(_ ride: UInt64) { nextRide = ride }

    /// Handles the request of the booked ride.
    ///
    /// - Parameters:
    ///   - activity: Its activity.
    ///   - isLastLive: `true` if the card of the last ride is still live.
    mutating func requested(_ activity: UInt32, isLastLive: Bool, at now: Instant) {
        nextRide = 0
        if isLastLive { oldCards += 1 }
        if oldCards > 0 { besideSince = now }
        (current, newest) = (activity, activity)
    }

    /// Handles the end of a live card.
    ///
    /// - Returns: The beginning of the time beside cards of earlier rides, if that is over now; else nil.
    mutating func cardEnded(of activity: UInt32) -> Instant? {
        guard activity != current else { return nil }
        oldCards -= 1
        return oldCards == 0 ? endBeside() : nil
    }

    /// Handles the end of a ride.
    ///
    /// - Returns: The beginning of its time beside cards of earlier rides, if there were any to the end; else nil.
    mutating func rideEnded(of activity: UInt32) -> Instant? { activity == current ? endBeside() : nil }

    private mutating func endBeside() -> Instant? {
        guard besideSince != .never else { return nil }
        defer { besideSince = .never }
        return besideSince
    }

    /// Handles the activity with the state of the phone, which leaves the memory.
    mutating func currentLeft() { current = Self.none }
}
