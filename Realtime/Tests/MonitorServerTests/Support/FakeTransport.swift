import LiveActivityModel
import Synchronization

@testable import MonitorServer

/// A transport with scripted answers; nothing leaves the process.
final class FakeTransport: PushTransport {
    /// An event that the sender sees or that is reported to it.
    enum Event: Hashable, Sendable {
        case sent(StoryLine.PushKind)
        case answered(StoryLine.PushKind)
        /// The app has its response.
        case acknowledged
    }

    private struct State {
        var hear: (@Sendable (PushNews) -> Void)?
        var pushes: [OutgoingPush] = []
        var events: [Event] = []
    }

    private let state = Mutex(State())
    /// The immediate answer to each push; `nil` for none yet.
    let outcome = Mutex<PushOutcome?>(.accepted)

    func start(_ hear: @escaping @Sendable (PushNews) -> Void) {
        state.withLock { $0.hear = hear }
        hear(.connected(true))
    }

    /// Reports that APNs is reachable, or not.
    func connected(_ isConnected: Bool) { state.withLock(\.hear)?(.connected(isConnected)) }

    func send(_ pushes: [OutgoingPush]) {
        state.withLock {
            $0.pushes += pushes
            $0.events += pushes.map { .sent($0.kind) }
        }
        if let outcome = outcome.withLock({ $0 }) { answer(pushes, outcome) }
    }

    func answer(_ pushes: [OutgoingPush], _ outcome: PushOutcome) {
        let hear = state.withLock {
            $0.events += pushes.map { .answered($0.kind) }
            return $0.hear
        }
        hear?(.answers(pushes.map { PushAnswer(number: $0.number, outcome: outcome) }))
    }

    /// Records that the app has the response to a request.
    func acknowledged() {
        state.withLock { $0.events.append(.acknowledged) }
    }

    /// The events in order.
    var events: [Event] { state.withLock(\.events) }

    /// All pushes that were sent.
    var pushes: [OutgoingPush] { state.withLock(\.pushes) }

    var waitingCount: Int { 0 }

    func shutDown() async {}
}
