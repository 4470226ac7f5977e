import FreshnessCore
import Quantities
import Synchronization

/// One ``RetryBudget`` for all lanes of a load, as a cell's sender has one for all its connections.
///
/// Each lane reads the clock itself, so calls can be slightly out of order; the budget's time then does not go back.
final class SharedRetryBudget: Sendable {
    private struct State {
        var budget: RetryBudget
        var now = Instant.start
    }

    private let state: Mutex<State>

    init(_ budget: RetryBudget) {
        state = Mutex(State(budget: budget))
    }

    /// Takes a token for one retry; returns false if the retry is not allowed.
    func spend(at now: Instant) -> Bool {
        state.withLock { state in
            state.now = max(state.now, now)
            return state.budget.spend(at: state.now)
        }
    }

    /// Adds the tokens that a first attempt earns.
    func earn(at now: Instant) {
        state.withLock { state in
            state.now = max(state.now, now)
            state.budget.earn(at: state.now)
        }
    }
}
