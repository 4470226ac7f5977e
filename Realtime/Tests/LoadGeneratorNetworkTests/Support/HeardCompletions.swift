import LoadGenerator
import Synchronization

/// A handler that records outcomes.
final class HeardCompletions: APNsCompletionHandler {
    private let heard = Mutex<[APNsCompletion]>([])

    var all: [APNsCompletion] { heard.withLock { $0 } }

    /// The number and outcome of each request, in the order of arrival.
    var outcomes: [String] { all.map { "\($0.number) \(Self.text($0.outcome))" } }

    func completed(_ completions: [APNsCompletion]) {
        heard.withLock { $0 += completions }
    }

    private static func text(_ outcome: APNsOutcome) -> String {
        switch outcome {
        case .answered(let answer): "\(answer.status)" + (answer.reason.map { " \($0)" } ?? "")
        case .timedOut: "timedOut"
        case .notSent: "notSent"
        case .connectionLost: "connectionLost"
        case .notProcessed: "notProcessed"
        }
    }
}
