import LiveActivityModel
import Synchronization

@testable import MonitorServer

/// Takes pushes and answers as it is told; nothing leaves the process.
final class FakeTransport: PushTransport {
    /// What has happened, as far as the sender sees it or is told.
    enum Event: Hashable, Sendable {
        case sent(StoryLine.PushKind)
        case answered(StoryLine.PushKind)
        /// The app has its answer.
        case acknowledged
    }

    private struct State {
        var hear: (@Sendable (PushNews) -> Void)?
        var pushes: [OutgoingPush] = []
        var events: [Event] = []
    }

    private let state = Mutex(State())
    /// What each push is answered with at once; nil: nothing yet.
    let outcome = Mutex<PushOutcome?>(.accepted)

    func start(_ hear: @escaping @Sendable (PushNews) -> Void) {
        state.withLock { $0.hear = hear }
        hear(.connected(true))
    }

    /// APNs can be reached, or not.
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

    /// The app has its answer to a request.
    func acknowledged() {
        state.withLock { $0.events.append(.acknowledged) }
    }

    /// What has happened, in its order.
    var events: [Event] { state.withLock(\.events) }

    /// All that was sent.
    var pushes: [OutgoingPush] { state.withLock(\.pushes) }

    var waitingCount: Int { 0 }

    func shutDown() async {}
}
