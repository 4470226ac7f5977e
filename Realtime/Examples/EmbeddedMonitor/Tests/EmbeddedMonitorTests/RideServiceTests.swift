import FreshnessCore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Quantities
import Synchronization
import Testing

@testable import EmbeddedMonitor

@Suite("The embedded monitor, over its API")
struct RideServiceTests {
    /// Keeps pushes instead of sending them.
    private final class Outbox: PushSender {
        let pushes = Mutex<[RideMonitor.Push]>([])

        func send(_ push: RideMonitor.Push) { pushes.withLock { $0.append(push) } }
    }

    /// The body of a response.
    private final class Text: ResponseBodyWriter {
        let value = Mutex("")

        func write(_ buffer: ByteBuffer) { value.withLock { $0 += String(buffer: buffer) } }
        func finish(_ trailers: HTTPFields?) {}
    }

    @Test("A life in requests: token, content, alarm, acknowledgement, end")
    func life() async throws {
        let clock = Mutex(Instant.start)
        let outbox = Outbox()
        let service = RideService(
            monitor: RideMonitor(policy: try EmbeddedMonitor.policy(), budget: nil),
            sender: outbox
        ) { clock.withLock { $0 } }
        let responder = EmbeddedMonitor.router(service).buildResponder()
        func ask(_ method: HTTPRequest.Method, _ path: String, _ body: String = "{}") async throws -> (
            status: Int, text: String
        ) {
            let fields: HTTPFields = [.contentType: "application/json", .contentLength: "\(body.utf8.count)"]
            let head = HTTPRequest(
                method: method,
                scheme: "http",
                authority: "localhost",
                path: path,
                headerFields: fields
            )
            let response = try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))),
                context: BasicRequestContext(
                    source: ApplicationRequestContextSource(
                        channel: NIOAsyncTestingChannel(),
                        logger: Logger(label: "test")
                    )
                )
            )
            let text = Text()
            try await response.body.write(text)
            return (response.status.code, text.value.withLock { $0 })
        }
        func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "{}") async throws -> Int {
            try await ask(method, path, body).status
        }
        #expect(try await send(.get, "/rides/r") == 404)
        #expect(try await send(.put, "/rides/r", #"{"token":"a","staleAfterSeconds":60}"#) == 204)
        #expect(try await send(.put, "/rides/r", #"{"token":"a"}"#) == 400)
        let content = #"{"content":"4 min","staleAfterSeconds":60}"#
        #expect(try await send(.put, "/rides/other/content", content) == 404)
        #expect(try await send(.put, "/rides/r/content", content) == 202)
        #expect(try await send(.post, "/pushes/1", #"{"refusal":"TooManyRequests"}"#) == 204)
        #expect(try await send(.post, "/pushes/1") == 404)
        clock.withLock { $0 = .start + .seconds(180) }
        await service.look()
        #expect(try await ask(.get, "/rides/r").text == #"{"freshness":"recoverable"}"#)
        #expect(try await send(.delete, "/rides/r") == 202)
        #expect(outbox.pushes.withLock { $0.map(\.kind) } == [.update, .retry, .end])
        #expect(try await send(.post, "/pushes/3") == 204)
        #expect(try await send(.get, "/rides/r") == 404)
    }

    @Test("The alarm fires on its own", .timeLimit(.minutes(2)))
    func alarm() async throws {
        let start = ContinuousClock.now
        let outbox = Outbox()
        let policy = try FreshnessPolicy(
            freshLimit: .milliseconds(20),
            recoveryWindow: .seconds(60),
            retry: RetryPolicy(schedule: [.zero]),
            endSchedule: [.zero]
        )
        let service = RideService(monitor: RideMonitor(policy: policy, budget: nil), sender: outbox) {
            Instant(microseconds: Int64(start.duration(to: .now) / .microseconds(1)))
        }
        await service.register("r", token: "a", staleAfter: .milliseconds(20))
        while outbox.pushes.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(outbox.pushes.withLock { $0.map(\.kind) } == [.retry])
    }
}
