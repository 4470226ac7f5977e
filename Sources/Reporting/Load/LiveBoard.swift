import Synchronization

/// The newest snapshot of a real-time test, for pages and metrics.
///
/// No writer waits for a reader. At most one snapshot per second is made. Making them takes at most a twentieth of a
/// processor, however long the test runs.
public final class LiveBoard: Sendable {
    private struct State {
        var number = 0
        var snapshot: LoadSnapshot?
        var notBefore: ContinuousClock.Instant?
        var isBeingMade = false
    }

    private static let interval = Duration.seconds(1)
    private static let leastPause = 20

    private let state = Mutex(State())

    /// Creates a board without a snapshot.
    public init() {}

    /// The newest snapshot and the number of snapshots so far; nil before the first.
    public var newest: (number: Int, snapshot: LoadSnapshot)? {
        state.withLock { state in state.snapshot.map { (state.number, $0) } }
    }

    /// Makes a snapshot if one is due and puts it on the board.
    public func offer(_ make: () -> LoadSnapshot) {
        let began = ContinuousClock.now
        let isDue = state.withLock { state in
            guard !state.isBeingMade, state.notBefore.map({ $0 <= began }) ?? true else { return false }
            state.isBeingMade = true
            return true
        }
        guard isDue else { return }
        let snapshot = make()
        let took = began.duration(to: .now)
        state.withLock { state in
            state.isBeingMade = false
            state.notBefore = began + max(Self.interval, took * Self.leastPause)
            state.snapshot = snapshot
            state.number += 1
        }
    }

    /// Puts a snapshot on the board at once, for callers with a pace of their own.
    public func put(_ snapshot: LoadSnapshot) {
        state.withLock { state in
            state.snapshot = snapshot
            state.number += 1
        }
    }
}
