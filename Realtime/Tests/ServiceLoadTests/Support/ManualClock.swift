import TestSupport

/// A clock that a test advances.
final class ManualClock: Clock {
    /// An offset from the clock's start.
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper: Sendable {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Instant()
        var sleepers: [Int: Sleeper] = [:]
        /// The number of sleeps that were cancelled before they began.
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let state = Observed(State())

    var now: Instant { state.value.now }
    var minimumResolution: Duration { .zero }

    /// Advances to an instant and wakes the sleepers that are due.
    func advance(to offset: Duration) {
        let due = state.change { state in
            state.now = max(state.now, Instant(offset: offset))
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Waits until a task sleeps until an instant.
    func isAwaited(at offset: Duration) async -> Bool {
        await state.reaches { $0.sleepers.values.contains { $0.deadline.offset == offset } }
    }

    /// Waits until a task sleeps, and advances to the earliest deadline; false if the waiting task is cancelled.
    func advanceToNext() async -> Bool {
        guard await state.reaches({ !$0.sleepers.isEmpty }) else { return false }
        if let next = state.value.sleepers.values.map(\.deadline).min() { advance(to: next.offset) }
        return true
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.change { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let outcome: Result<Void, any Error>? = state.change { state in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.change { state -> Sleeper? in
                guard let sleeper = state.sleepers.removeValue(forKey: number) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
