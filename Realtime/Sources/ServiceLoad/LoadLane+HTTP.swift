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
            let result: HTTPOutcome =
                switch result {
                case .success(let response): HTTPOutcome(answer(response.status))
                case .failure(let error): HTTPOutcome(withoutAnswer: error)
                }
            let completion = APNsCompletion(
                number: request.number,
                outcome: result.outcome,
                due: request.due,
                sent: request.now,
                done: .now()
            )
            self.loop.execute { self.completed(completion, cause: result.cause) }
        }
    }
}
