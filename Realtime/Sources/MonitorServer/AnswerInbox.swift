import Synchronization

/// Passes answers and connection changes from event loops to the monitor, which takes all pending ones at once.
final class AnswerInbox: Sendable {
    private struct State {
        var answers: [PushAnswer] = []
        /// Nothing is sent before a connection is known to exist.
        var isConnected = false
    }

    /// One element for any number of messages and wake-ups since the last.
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

    /// Takes the pending answers, together with the state of the connection.
    func take() -> (answers: [PushAnswer], isConnected: Bool) {
        state.withLock { state in
            defer { state.answers = [] }
            return (state.answers, state.isConnected)
        }
    }

    /// Ends the signals.
    func finish() { source.finish() }
}
