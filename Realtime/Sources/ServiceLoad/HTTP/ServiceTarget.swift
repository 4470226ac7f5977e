import LoadGenerator
import NIOCore
import NIOHTTP1
import Quantities

/// A service under a load over HTTP/1.1, whose requests wait for a connection of a client.
final class ServiceTarget: LoadTarget {
    /// A request to the service.
    struct Call {
        var method = "POST"
        let path: String
        let body: String?
    }

    let kinds: [String]
    /// The most requests without an answer; a server that is so far behind is overloaded.
    let limit = 20_000
    private let client: HTTPClient
    private let headers: HTTPHeaders
    private let kind: (Int) -> Int?
    private let call: (Int, Instant) -> Call
    private let answer: @Sendable (Int) -> APNsAnswer
    private var begin = NIODeadline.distantFuture
    private var unixMicrosecondsAtBegin: Int64 = 0

    /// A service that a client can reach.
    ///
    /// - Parameters:
    ///   - headers: The headers of every request.
    ///   - kind: The index in `kinds` of an arrival's request.
    ///   - call: The request of an arrival, with its due time since 1970.
    ///   - answer: The answer that a load counts for a status.
    init(
        _ client: HTTPClient,
        headers: HTTPHeaders,
        kinds: [String],
        kind: @escaping (_ arrival: Int) -> Int?,
        call: @escaping (_ arrival: Int, _ due: Instant) -> Call,
        answer: @escaping @Sendable (_ status: Int) -> APNsAnswer
    ) {
        (self.client, self.headers, self.kinds) = (client, headers, kinds)
        (self.kind, self.call, self.answer) = (kind, call, answer)
    }

    var waiting: Int { client.waitingCount }

    func begin(_ lane: LoadLane<ServiceTarget>, at begin: NIODeadline, unixMicroseconds: Int64) {
        (self.begin, unixMicrosecondsAtBegin) = (begin, unixMicroseconds)
    }

    func kind(of arrival: Int) -> Int? { kind(arrival) }

    func submit(_ request: LoadRequest, for lane: LoadLane<ServiceTarget>) {
        let due = Instant(microseconds: unixMicrosecondsAtBegin + (request.due - begin).nanoseconds / 1000)
        let call = call(request.arrival, due)
        client.start(call.method, call.path, headers: headers, body: call.body) { [answer] result in
            let result = HTTPOutcome(result.map { answer($0.status) })
            let completion = APNsCompletion(
                number: request.number,
                outcome: result.outcome,
                due: request.due,
                sent: request.now,
                done: .now()
            )
            lane.loop.execute { lane.completed(completion, cause: result.cause) }
        }
    }
}
