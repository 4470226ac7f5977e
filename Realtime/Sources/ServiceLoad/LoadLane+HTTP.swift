import LoadGenerator
import NIOCore
import NIOHTTP1

extension LoadLane {
    /// Sends a request over HTTP; the lane receives its outcome.
    ///
    /// - Parameter answer: The meaning of a status.
    func send(
        _ request: LoadRequest,
        over client: HTTPClient,
        _ method: String,
        _ path: String,
        headers: HTTPHeaders,
        body: String?,
        answer: @escaping @Sendable (_ status: Int) -> APNsAnswer
    ) {
        client.start(method, path, headers: headers, body: body) { result in
            let (outcome, cause): (APNsOutcome, String?) =
                switch result {
                case .success(let response): (.answered(answer(response.status)), nil)
                case .failure(let error): (APNsOutcome(withoutAnswer: error), ConnectionCause.text(error))
                }
            let completion = APNsCompletion(
                number: request.number,
                outcome: outcome,
                due: request.due,
                sent: request.now,
                done: .now()
            )
            self.loop.execute { self.completed(completion, cause: cause) }
        }
    }
}

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
