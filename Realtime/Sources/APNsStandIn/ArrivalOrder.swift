import LiveActivityModel
import NIOConcurrencyHelpers
import Quantities

/// The order of arrival of each ride's pushes, if the scenario does not let one overtake another.
///
/// All threads share it, because pushes of one ride may arrive over several connections.
final class ArrivalOrder: Sendable {
    private struct State {
        var destinations: [UInt64: APNsDestination] = [:]
        /// The number of rides at which rides without pending pushes are removed.
        var limit = ArrivalOrder.fewest
    }

    private let state = NIOLockedValueBox(State())

    private static var fewest: Int { 4096 }

    /// Returns the arrival time of a push that would otherwise arrive at an instant.
    ///
    /// The order is per ride instead of per token, because a rotated token belongs to the same activity. O(1)
    /// amortised.
    func arrival(ofRide ride: UInt64, notBefore instant: Instant, at now: Instant) -> Instant {
        state.withLockedValue { state in
            let due = state.destinations[ride, default: APNsDestination()].arrival(notBefore: instant)
            if state.destinations.count > state.limit {
                state.destinations = state.destinations.filter { $0.value.isExpectedUntil > now }
                state.limit = max(ArrivalOrder.fewest, 2 * state.destinations.count)
            }
            return due
        }
    }

    /// Removes all rides.
    func forget() { state.withLockedValue { $0 = State() } }
}
