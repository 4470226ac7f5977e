import Synchronization

/// Where a test in real time leaves how it stands, and pages and metrics find it: the newest snapshot alone.
///
/// Nothing waits for a reader. Of what is offered a snapshot is made at most once a second, and making them takes at most a
/// twentieth of a processor, however long the test has become.
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

    /// A board without a snapshot.
    public init() {}

    /// The newest snapshot and how many there have been; nil before the first.
    public var newest: (number: Int, snapshot: LoadSnapshot)? {
        state.withLock { state in state.snapshot.map { (state.number, $0) } }
    }

    /// Puts a snapshot on the board if it is time for one, else makes none.
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

    /// Puts a snapshot on the board at once, for callers that keep their own pace.
    public func put(_ snapshot: LoadSnapshot) {
        state.withLock { state in
            state.snapshot = snapshot
            state.number += 1
        }
    }
}
