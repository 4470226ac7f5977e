import APNsStandIn
import NIOConcurrencyHelpers
import NIOCore

/// A wall clock that is stopped until a test advances it.
final class TestWall: Sendable {
    private struct Alarm {
        let deadline: NIODeadline
        let loop: any EventLoop
        let work: @Sendable () -> Void
    }

    private struct State {
        var now: NIODeadline
        /// The alarms, in the order in which they were set.
        var alarms: [Alarm] = []
    }

    /// The initial time.
    let begin = NIODeadline.uptimeNanoseconds(1 << 40)
    private let state: NIOLockedValueBox<State>

    init() {
        state = NIOLockedValueBox(State(now: begin))
    }

    /// The clock in the form that a stand-in uses.
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

    /// The time of the next alarm; `nil` if none is set.
    var nextAlarm: NIODeadline? { state.withLockedValue { $0.alarms.map(\.deadline).min() } }

    /// Advances to a time, and performs the alarms until then, each at its time.
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

    /// Advances by a span.
    func advance(by span: TimeAmount) async throws { try await advance(to: time.now() + span) }
}
