import Foundation
import FreshnessCore
import HTTPTypes
import Hummingbird
import LiveActivityModel
import Logging
import NIOCore
import NIOEmbedded
import Quantities
import Studies
import Synchronization
import TestSupport
import Wire

@testable import MonitorServer

/// Names and content for tests.
enum Fixture {
    static let secret = "a-secret-of-some-length"

    static func id(_ text: String) throws -> InstanceID {
        guard let id = InstanceID(text) else { throw Broken() }
        return id
    }

    static func content(generated: Instant, stale: Instant) -> AnnouncedContent {
        AnnouncedContent(
            stamp: ContentStamp(generatedAt: generated, staleDate: stale),
            state: Array("{}".utf8),
            priority: .immediate
        )
    }

    /// Returns the state machine of a monitor alone, with a sender that is never the bottleneck.
    static func machine(
        _ monitor: Scenario.Monitor = Scenario.Monitor(),
        seed: UInt64 = 1,
        forgetAfter: TimeSpan? = nil,
        at now: Instant
    ) throws -> MonitorStateMachine {
        var scenario = Scenario()
        scenario.monitor = monitor
        scenario.seed = seed
        return try MonitorStateMachine(ScenarioLoader.world(scenario), forgetAfter: forgetAfter, at: now)
    }

    /// Copies the files that a kill leaves of a registry: the file and its log of changes, which no process has merged.
    static func copyRegistry(_ path: String, to copy: String) throws {
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
    }

    struct Broken: Error {}
}

/// A whole monitor without a socket.
struct MonitorFixture {
    let scratch: Scratch
    let transport = FakeTransport()
    let monitor: Monitor
    let registry: Registry
    private let running: Task<Void, Never>
    private let client: Client

    init(
        scratch: Scratch = Scratch(),
        limits: MonitorLimits = MonitorLimits(),
        rules: Scenario.Monitor = Scenario.Monitor()
    ) throws {
        self.scratch = scratch
        let clock = SystemClock()
        let machine = try Fixture.machine(rules, at: clock.now)
        registry = try Registry(path: scratch.path("tokens.sqlite"))
        let monitor = try Monitor(
            machine: machine,
            registry: registry,
            transport: transport,
            clock: clock,
            instanceLimit: limits.instances,
            shard: limits.shard
        )
        self.monitor = monitor
        let responder = try MonitorAPI(monitor: monitor, limits: limits, clock: clock)
            .router(secret: Fixture.secret, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            .buildResponder()
        client = Client(responder: responder)
        running = Task { await monitor.run() }
    }

    /// Serves the API to a client, then closes everything.
    func whileServing(_ work: (Client) async throws -> Void) async throws {
        try await work(client)
        await close()
    }

    func close() async {
        monitor.finish()
        await running.value
        await monitor.close(patience: .milliseconds(100))
    }

    /// A client that calls the API's routes.
    struct Client: Sendable {
        let responder: RouterResponder<MonitorContext>

        func send(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ body: String? = nil,
            secret: String? = Fixture.secret
        ) async throws -> (status: Int, text: String, headers: HTTPFields) {
            var head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
            head.headerFields[.authorization] = secret.map { "Bearer \($0)" }
            head.headerFields[.contentLength] = body.map { "\($0.utf8.count)" }
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let response = try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body ?? ""))),
                context: MonitorContext(
                    source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
                )
            )
            let text = Text()
            try await response.body.write(text)
            return (response.status.code, text.value.withLock { $0 }, response.headers)
        }
    }

    /// The body of a response.
    private final class Text: ResponseBodyWriter {
        let value = Mutex("")

        func write(_ buffer: ByteBuffer) { value.withLock { $0 += String(buffer: buffer) } }
        func finish(_ trailers: HTTPFields?) {}
    }
}
