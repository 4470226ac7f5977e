import LoadGenerator

/// The outcome of an HTTP request, as a load counts it.
struct HTTPOutcome: Hashable, Sendable {
    let outcome: APNsOutcome
    /// The reason why it had no answer, in words; nil if it had one.
    let cause: String?

    /// The outcome of a request that was answered or failed with an error.
    ///
    /// A request without a connection was never sent: the server could not be reached, or every connection was in use.
    init(_ result: Result<APNsAnswer, any Error>) {
        switch result {
        case .success(let answer): (outcome, cause) = (.answered(answer), nil)
        case .failure(let error):
            outcome =
                switch error {
                case HTTPClientError.noConnection: .notSent
                case HTTPClientError.noAnswer: .timedOut
                default: .connectionLost
                }
            cause = ConnectionCause.text(error)
        }
    }
}
