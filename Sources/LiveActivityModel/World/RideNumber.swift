/// The numbers of rides.
///
/// The first rides of all riders are numbered in the order of their requests. Each further ride of a rider has a number that
/// is ``step`` above the last one: 12, 100000000012, 200000000012. So a ride's number follows from its rider and its count,
/// and never from the order of execution. Draws that belong to the phone are keyed by the first ride.
public enum RideNumber {
    /// The difference between the numbers of a rider's successive rides.
    ///
    /// It is above the number of first rides in any run, and ``Scenario/Again/mostRides`` of them fit into the 40 bits of a
    /// packed activity.
    static let step: UInt64 = 100_000_000_000

    /// The first ride of a ride's rider.
    ///
    /// A number that no ride of a run can have, such as another key of an instance, is returned as it is.
    @inline(__always)
    public static func first(ofRider ride: UInt64) -> UInt64 {
        ride &- step < UInt64(Scenario.Again.mostRides - 1) * step ? ride % step : ride
    }

    /// The number of rides of the same rider before a ride.
    static func count(before ride: UInt64) -> Int { Int(ride / step) }

    /// The next ride of the same rider.
    static func next(after ride: UInt64) -> UInt64 { ride + step }
}
