import FreshnessCore
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
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

    @Test("A life in requests: token, content, alarm, acknowledgement, end")
    func life() async throws {
        let clock = Mutex(Instant.start)
        let outbox = Outbox()
        let service = RideService(
            monitor: RideMonitor(policy: try EmbeddedMonitor.policy(), budget: nil),
            sender: outbox
        ) { clock.withLock { $0 } }
        let application = Application(router: EmbeddedMonitor.router(service), logger: Logger(label: "test"))
        try await application.test(.router) { client in
            func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "{}") async throws -> Int {
                let headers: HTTPFields = [.contentType: "application/json"]
                return try await client.execute(
                    uri: path,
                    method: method,
                    headers: headers,
                    body: ByteBuffer(string: body)
                ) { $0.status.code }
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
            let text = try await client.execute(uri: "/rides/r", method: .get) { String(buffer: $0.body) }
            #expect(text == #"{"freshness":"recoverable"}"#)
            #expect(try await send(.delete, "/rides/r") == 202)
            #expect(outbox.pushes.withLock { $0.map(\.kind) } == [.update, .retry, .end])
            #expect(try await send(.post, "/pushes/3") == 204)
            #expect(try await send(.get, "/rides/r") == 404)
        }
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
