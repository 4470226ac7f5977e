import Quantities

/// The phone of a rider who books one ride after another: what goes on from ride to ride, and the cards of rides before.
///
/// There is one only while it is needed: between two rides of a rider, and while an activity of an earlier ride is in memory
/// beside the current one. Between rides its ``Kept`` state is in a table beside it, if the scenario has such state; otherwise
/// its current activity has it. A city has as many phones between rides as live activities, so a phone takes 16 bytes.
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

    /// The next ride in 40 bits, then the city, the number of old cards, and if the current ride is beside one.
    private var packed: UInt64 = 0
    /// The activity of the rider's last ride while it is in memory, which has the state of the phone.
    private(set) var current = none
    /// The most recent activity in memory; links lead from it to earlier ones.
    var newest = none

    /// The state of a phone that goes on from ride to ride.
    struct Kept: Hashable, BitwiseCopyable {
        var connectedUntil = Instant.never
        var appAliveUntil = Instant.start
        var budgetEnd = Instant.start
        var budgetSpent: Int32 = 0
        /// Twice the index of the interval of the connection, and 1 more if the phone is online in it.
        private var interval: UInt32 = 1

        var connectivity: Activity.Connectivity {
            get {
                Activity.Connectivity(until: connectedUntil, index: interval / 2, isOnline: interval % 2 == 1)
            }
            set {
                connectedUntil = newValue.until
                interval = newValue.index * 2 + (newValue.isOnline ? 1 : 0)
            }
        }

        var budget: PhoneStation.BudgetWindow {
            get { PhoneStation.BudgetWindow(end: budgetEnd, spent: budgetSpent) }
            set { (budgetEnd, budgetSpent) = (newValue.end, newValue.spent) }
        }
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
        packed = UInt64(city) << 40
    }

    /// The rider's next ride; 0 if none is booked, because no further ride has that number.
    private(set) var nextRide: UInt64 {
        get { packed & (1 << 40 - 1) }
        set { packed = packed & ~(1 << 40 - 1) | newValue }
    }

    /// The city of the rider.
    var city: UInt8 { UInt8(truncatingIfNeeded: packed >> 40) }

    /// The live cards of earlier rides.
    private(set) var oldCards: UInt8 {
        get { UInt8(truncatingIfNeeded: packed >> 48) }
        set { packed = packed & ~(0xff << 48) | UInt64(newValue) << 48 }
    }

    /// `true` if the current ride has had a live card of an earlier ride beside it since its request.
    private var isBeside: Bool {
        get { packed >> 56 == 1 }
        set { packed = packed & ~(0xff << 56) | (newValue ? 1 : 0) << 56 }
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
    mutating func requested(_ activity: UInt32, isLastLive: Bool) {
        nextRide = 0
        if isLastLive { oldCards += 1 }
        isBeside = oldCards > 0
        (current, newest) = (activity, activity)
    }

    /// Handles the end of a live card.
    ///
    /// - Returns: `true` if the current ride goes on, and its time beside cards of earlier rides is over now.
    mutating func cardEnded(of activity: UInt32) -> Bool {
        guard activity != current else { return false }
        oldCards -= 1
        return oldCards == 0 && endBeside()
    }

    /// Handles the end of a ride.
    ///
    /// - Returns: `true` if it was beside cards of earlier rides to the end.
    mutating func rideEnded(of activity: UInt32) -> Bool { activity == current && endBeside() }

    private mutating func endBeside() -> Bool {
        defer { isBeside = false }
        return isBeside
    }

    /// Handles the activity with the state of the phone, which leaves the memory.
    mutating func currentLeft() { current = Self.none }
}
