import CommandTestSupport
import Experiments
import Foundation
import FreshnessCore
import Hummingbird
import HummingbirdTesting
import LiveActivityModel
import Logging
import Quantities
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
    private let responder: RouterResponder<MonitorContext>

    init(
        scratch: Scratch,
        limits: MonitorLimits = MonitorLimits()
    ) throws {
        self.scratch = scratch
        let clock = SystemClock()
        let machine = try Fixture.machine(at: clock.now)
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
        responder = try MonitorAPI(monitor: monitor, limits: limits, clock: clock)
            .router(secret: Fixture.secret, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            .buildResponder()
        running = Task { await monitor.run() }
    }

    /// Serves the API to a client, then closes everything.
    func whileServing(_ work: @escaping @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        let application = Application(responder: responder)
        try await application.test(.router) { try await work($0) }
        await close()
    }

    func close() async {
        monitor.finish()
        await running.value
        await monitor.close(patience: .milliseconds(100))
    }
}
