import FreshnessCore
import Quantities
import Synchronization

/// One ``RetryBudget`` for all lanes of a load, as a cell's sender has one for all its connections.
///
/// Each lane reads the clock for itself, so calls can come a little out of order; the budget then stays where it is.
final class SharedRetryBudget: Sendable {
    private struct State {
        var budget: RetryBudget
        var now = Instant.start
    }

    private let state: Mutex<State>

    init(_ budget: RetryBudget) {
        state = Mutex(State(budget: budget))
    }

    /// Takes a token for one retry; false where the retry may not be made.
    func spend(at now: Instant) -> Bool {
        state.withLock { state in
            state.now = max(state.now, now)
            return state.budget.spend(at: state.now)
        }
    }

    /// Adds what a first attempt is worth.
    func earn(at now: Instant) {
        state.withLock { state in
            state.now = max(state.now, now)
            state.budget.earn(at: state.now)
        }
    }
}
