import LiveActivityModel
import NIOConcurrencyHelpers
import Quantities

/// What APNs keeps of each ride's pushes, where the scenario lets none overtake another.
///
/// All threads share it, as pushes of one ride may come in over several connections.
final class ArrivalOrder: Sendable {
    private struct State {
        var destinations: [UInt64: APNsDestination] = [:]
        /// How many rides there may be before those are forgotten whose pushes have all arrived.
        var limit = ArrivalOrder.fewest
    }

    private let state = NIOLockedValueBox(State())

    private static var fewest: Int { 4096 }

    /// When a push is to arrive that could be there at an instant.
    ///
    /// By ride, not by token: a rotated token is still the same activity's. O(1), spread over many calls.
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

    /// Forgets everything.
    func forget() { state.withLockedValue { $0 = State() } }
}
