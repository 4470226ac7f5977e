import MonitorServer
import Synchronization

/// Takes pushes and answers as it is told; nothing leaves the process.
final class FakeSender: PushSender {
    private struct State {
        var handler: (@Sendable ([PushAnswer]) -> Void)?
        var pushes: [Push] = []
    }

    private let state = Mutex(State())
    /// What each push is answered with at once; nil: nothing yet.
    let outcome = Mutex<PushOutcome?>(.accepted)

    func start(_ handler: @escaping @Sendable ([PushAnswer]) -> Void) {
        state.withLock { $0.handler = handler }
    }

    func send(_ pushes: [Push]) {
        state.withLock { $0.pushes += pushes }
        if let outcome = outcome.withLock({ $0 }) { answer(pushes, outcome) }
    }

    func answer(_ pushes: [Push], _ outcome: PushOutcome) {
        let handler = state.withLock(\.handler)
        handler?(pushes.map { PushAnswer(number: $0.number, outcome: outcome) })
    }

    /// All that was sent.
    var pushes: [Push] { state.withLock(\.pushes) }

    var waitingCount: Int { 0 }

    func shutDown() async {}
}
