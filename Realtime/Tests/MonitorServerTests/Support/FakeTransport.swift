import LiveActivityModel
import Synchronization
import TestSupport

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

    private struct State: Sendable {
        var hear: (@Sendable (PushNews) -> Void)?
        var pushes: [OutgoingPush] = []
        var events: [Event] = []
    }

    private let state = Observed(State())
    /// The immediate answer to each push; `nil` for none yet.
    let outcome = Mutex<PushOutcome?>(.accepted)

    func start(_ hear: @escaping @Sendable (PushNews) -> Void) {
        state.change { $0.hear = hear }
        hear(.connected(true))
    }

    /// Reports that APNs is reachable, or not.
    func connected(_ isConnected: Bool) { state.value.hear?(.connected(isConnected)) }

    func send(_ pushes: [OutgoingPush]) {
        state.change {
            $0.pushes += pushes
            $0.events += pushes.map { .sent($0.kind) }
        }
        if let outcome = outcome.withLock({ $0 }) { answer(pushes, outcome) }
    }

    func answer(_ pushes: [OutgoingPush], _ outcome: PushOutcome) {
        let hear = state.change {
            $0.events += pushes.map { .answered($0.kind) }
            return $0.hear
        }
        hear?(.answers(pushes.map { PushAnswer(number: $0.number, outcome: outcome) }))
    }

    /// Records that the app has the response to a request.
    func acknowledged() {
        state.change { $0.events.append(.acknowledged) }
    }

    /// The events in order.
    var events: [Event] { state.value.events }

    /// All pushes that were sent.
    var pushes: [OutgoingPush] { state.value.pushes }

    /// Waits until this number of pushes were sent.
    func hasSent(_ count: Int) async -> Bool { await state.reaches { $0.pushes.count == count } }

    var waitingCount: Int { 0 }

    func shutDown() async {}
}
