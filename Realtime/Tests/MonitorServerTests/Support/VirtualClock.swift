import Quantities
import Synchronization

@testable import MonitorServer

/// A clock that its owner sets, for a service in virtual time; it wakes nothing on its own.
final class VirtualClock: MonitorClock {
    private struct Alarm: Sendable {
        let due: Instant
        let task: Task<Void, Never>
        let ring: AsyncStream<Void>.Continuation
    }

    private struct State {
        var now: Instant
        var alarms: [Alarm] = []
    }

    private let state: Mutex<State>

    init(_ now: Instant) {
        state = Mutex(State(now: now))
    }

    var now: Instant {
        get { state.withLock(\.now) }
        set { state.withLock { $0.now = newValue } }
    }

    var speed: Double { 1 }

    func instant(ofWall time: Instant) -> Instant { time }

    func wake(at due: Instant, _ action: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let (bell, ring) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in bell { break }
            if !Task.isCancelled { await action() }
        }
        state.withLock { $0.alarms.append(Alarm(due: due, task: task, ring: ring)) }
        return task
    }

    /// The time of the next alarm; `never` if there is none.
    var nextAlarm: Instant {
        state.withLock { state in
            state.alarms.removeAll(where: \.task.isCancelled)
            return state.alarms.map(\.due).min() ?? .never
        }
    }

    /// Performs the alarms that are due.
    func ringAlarms() async {
        let due = state.withLock { state in
            defer { state.alarms.removeAll { $0.due <= state.now } }
            return state.alarms.filter { $0.due <= state.now }
        }
        for alarm in due {
            alarm.ring.yield()
            await alarm.task.value
        }
    }
}
