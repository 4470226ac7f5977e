import APNsStandIn
import NIOConcurrencyHelpers
import NIOCore

/// A wall clock that stands until a test moves it on.
final class TestWall: Sendable {
    private struct Alarm {
        let deadline: NIODeadline
        let loop: any EventLoop
        let work: @Sendable () -> Void
    }

    private struct State {
        var now: NIODeadline
        /// In the order in which they were set.
        var alarms: [Alarm] = []
    }

    /// The moment that it shows at first.
    let begin = NIODeadline.uptimeNanoseconds(1 << 40)
    private let state: NIOLockedValueBox<State>

    init() {
        state = NIOLockedValueBox(State(now: begin))
    }

    /// The clock as a stand-in has it.
    var time: WallTime {
        WallTime(
            now: { [state] in state.withLockedValue { $0.now } },
            schedule: { [state] deadline, loop, work in
                let isDue = state.withLockedValue { state in
                    if deadline > state.now { state.alarms.append(Alarm(deadline: deadline, loop: loop, work: work)) }
                    return deadline <= state.now
                }
                if isDue { loop.execute(work) }
            }
        )
    }

    /// The moment of the next alarm; nil: none is set.
    var nextAlarm: NIODeadline? { state.withLockedValue { $0.alarms.map(\.deadline).min() } }

    /// Moves on to a moment, and does what is due until then, each at its moment.
    func advance(to moment: NIODeadline) async throws {
        while let next = nextAlarm, next <= moment {
            let due = state.withLockedValue { state in
                state.now = max(state.now, next)
                defer { state.alarms.removeAll { $0.deadline == next } }
                return state.alarms.filter { $0.deadline == next }
            }
            for alarm in due { try await alarm.loop.submit(alarm.work).get() }
        }
        state.withLockedValue { $0.now = max($0.now, moment) }
    }

    /// Moves on by a time.
    func advance(by span: TimeAmount) async throws { try await advance(to: time.now() + span) }
}
