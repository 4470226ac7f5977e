import LoadGenerator

extension APNsOutcome {
    /// The outcome of an HTTP request that failed with an error.
    ///
    /// A request without a connection was never sent: the server could not be reached, or every connection was in use.
    init(withoutAnswer error: any Error) {
        self =
            switch error {
            case HTTPClientError.noConnection: .notSent
            case HTTPClientError.noAnswer: .timedOut
            default: .connectionLost
            }
    }
}
