import APNsProtocol
import NIOConcurrencyHelpers
import NIOCore

/// When the last push of each ride is to be at its phone: later ones come no earlier, where the scenario keeps order.
///
/// All threads share it, as pushes of one ride may come in over several connections.
final class ArrivalOrder: Sendable {
    private struct State {
        var last: [UInt64: NIODeadline] = [:]
        /// How many rides there may be before those are forgotten whose pushes have all arrived.
        var limit = ArrivalOrder.fewest
    }

    private let state = NIOLockedValueBox(State())

    private static var fewest: Int { 4096 }

    /// When a push is to arrive that could be there at a moment.
    ///
    /// By ride, not by token: a rotated token is still the same activity's. O(1), spread over many calls.
    func due(_ device: TokenDigest, notBefore deadline: NIODeadline, at now: NIODeadline) -> NIODeadline {
        state.withLockedValue { state in
            let due = max(deadline, state.last[device.ride] ?? deadline)
            state.last[device.ride] = due
            if state.last.count > state.limit {
                state.last = state.last.filter { $0.value > now }
                state.limit = max(ArrivalOrder.fewest, 2 * state.last.count)
            }
            return due
        }
    }

    /// Forgets everything.
    func forget() {
        state.withLockedValue { $0 = State() }
    }
}
