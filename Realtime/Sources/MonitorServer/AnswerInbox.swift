import Synchronization

/// Where event loops leave news of APNs for the monitor, which takes all that have come at once.
final class AnswerInbox: Sendable {
    private struct State {
        var answers: [PushAnswer] = []
        /// Nothing begins before it is known that there is a connection.
        var isConnected = false
    }

    /// One element for any number of news or wake-ups since the last.
    let signals: AsyncStream<Void>
    private let source: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    init() {
        (signals, source) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ news: PushNews) {
        let mustWake = state.withLock { state in
            switch news {
            case .answers(let answers):
                defer { state.answers.append(contentsOf: answers) }
                return state.answers.isEmpty
            case .connected(let isConnected):
                defer { state.isConnected = isConnected }
                return state.isConnected != isConnected
            }
        }
        if mustWake { source.yield() }
    }

    func wake() { source.yield() }

    /// Takes the answers that have come, and says whether there is a connection.
    func take() -> (answers: [PushAnswer], isConnected: Bool) {
        state.withLock { state in
            defer { state.answers = [] }
            return (state.answers, state.isConnected)
        }
    }

    /// No signal comes after this.
    func finish() { source.finish() }
}
