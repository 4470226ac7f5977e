import Synchronization

/// A value that wakes the tests that wait for a change of it.
public final class Observed<Value: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var lastID = 0
    }

    private let state: Mutex<State>

    /// Creates a value.
    public init(_ value: Value) { state = Mutex(State(value: value)) }

    /// The value.
    public var value: Value { state.withLock { $0.value } }

    /// Changes the value, and wakes the tests whose condition it now meets.
    public func change<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try state.withLock { state in
            let result = try body(&state.value)
            for (id, waiter) in state.waiters where waiter.isMet(state.value) {
                state.waiters[id] = nil
                waiter.continuation.resume(returning: true)
            }
            return result
        }
    }

    /// Waits until the value meets a condition; false if it does not within ``Patience/limit`` or if the task is
    /// cancelled.
    public func reaches(_ isMet: @escaping @Sendable (Value) -> Bool) async -> Bool {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let limit = Task {
            try await Task.sleep(for: Patience.limit)
            giveUp(id)
        }
        defer { limit.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    if isMet(state.value) || Task.isCancelled {
                        continuation.resume(returning: isMet(state.value))
                    } else {
                        state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
                    }
                }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    private func giveUp(_ id: Int) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(returning: false)
    }
}
