import Quantities
import Synchronization

@testable import MonitorServer

/// A time that its owner sets, for a service in virtual time: it wakes nothing by itself.
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

    /// When it is to wake something next; `never` where it is not.
    var nextAlarm: Instant {
        state.withLock { state in
            state.alarms.removeAll(where: \.task.isCancelled)
            return state.alarms.map(\.due).min() ?? .never
        }
    }

    /// Does what is due by now.
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
