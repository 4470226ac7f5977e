import Quantities

/// The server's request for content, from the need of a push to the content or to giving up.
///
/// ```
///   asked ─► try ─┬─ content ─► push
///                 └─ failed ─┬─ a try is left: wait ─► try
///                            └─ none is left: no push
/// ```
///
/// The endpoint reads the ride when a try begins, so content is as old as the try that returned it.
struct ContentRequest: Hashable, BitwiseCopyable {
    /// When the current try began; content is generated at this instant.
    private(set) var askedAt: Instant
    /// The number of finished tries.
    private(set) var tries: UInt32 = 0

    /// Creates a request whose first try begins now.
    init(at now: Instant) { askedAt = now }

    /// The rules of all requests.
    struct Rules: Hashable, BitwiseCopyable {
        let failure: Probability
        let tries: UInt32
        let retryAfter: TimeSpan
        let ineligible: Probability

        init(_ endpoint: Scenario.ContentEndpoint) {
            failure = endpoint.failure
            tries = UInt32(endpoint.tries)
            retryAfter = endpoint.retryAfter
            ineligible = endpoint.ineligible
        }
    }

    /// The result of a try.
    enum Outcome: Hashable, BitwiseCopyable {
        /// Content, generated when the try began; it arrives at an instant.
        case content(arrivesAt: Instant)
        /// Another try has begun.
        case triesAgain
        /// No try is left.
        case givesUp
    }

    /// Handles the end of the current try.
    ///
    /// - Parameters:
    ///   - time: The duration of the try.
    ///   - hasFailed: `true` if it returned no content.
    mutating func tried(for time: TimeSpan, hasFailed: Bool, _ rules: Rules) -> Outcome {
        tries += 1
        let end = askedAt + time
        guard hasFailed else { return .content(arrivesAt: end) }
        guard tries < rules.tries else { return .givesUp }
        askedAt = end + rules.retryAfter
        return .triesAgain
    }
}
