import Synchronization

/// Where event loops leave answers for the monitor, which takes all that have come at once.
final class AnswerInbox: Sendable {
    /// One element for any number of answers or wake-ups since the last.
    let signals: AsyncStream<Void>
    private let source: AsyncStream<Void>.Continuation
    private let answers = Mutex<[PushAnswer]>([])

    init() {
        (signals, source) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ new: [PushAnswer]) {
        let wasEmpty = answers.withLock { answers in
            defer { answers.append(contentsOf: new) }
            return answers.isEmpty
        }
        if wasEmpty { source.yield() }
    }

    func wake() { source.yield() }

    func take() -> [PushAnswer] {
        answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }

    /// No signal comes after this.
    func finish() { source.finish() }
}
