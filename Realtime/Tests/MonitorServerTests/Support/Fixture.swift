import APNsProtocol
import CommandTestSupport
import Foundation
import FreshnessCore
import Hummingbird
import HummingbirdTesting
import Logging
import Quantities

@testable import MonitorServer

/// Policies and names for tests.
enum Fixture {
    static let secret = "a-secret-of-some-length"

    /// Fresh for 2 min past the stale date, three attempts 20 s apart and more, severe after 5 min.
    static func policy(jitter: Jitter = .none) throws -> FreshnessPolicy {
        try FreshnessPolicy(
            freshLimit: .minutes(2),
            recoveryWindow: .minutes(5),
            retry: RetryPolicy(
                maxAttempts: 3,
                base: .seconds(20),
                factorThousandths: 2000,
                cap: .minutes(2),
                jitter: jitter
            ),
            endSchedule: [.zero, .seconds(30), .minutes(2)]
        )
    }

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

    struct Broken: Error {}
}

/// A whole monitor without a socket.
struct MonitorFixture {
    let scratch: Scratch
    let sender = FakeSender()
    let monitor: Monitor
    let registry: Registry
    private let running: Task<Void, Never>
    private let responder: RouterResponder<MonitorContext>

    init(
        scratch: Scratch,
        policy: FreshnessPolicy? = nil,
        limits: MonitorLimits = MonitorLimits()
    ) throws {
        self.scratch = scratch
        let clock = MonitorClock()
        let brain = try MonitorBrain(
            policy: try policy ?? Fixture.policy(),
            scanInterval: nil,
            budget: nil,
            seed: 1,
            at: clock.now
        )
        registry = try Registry(path: scratch.path("tokens.sqlite"))
        let monitor = try Monitor(
            brain: brain,
            registry: registry,
            sender: sender,
            clock: clock,
            instanceLimit: limits.instances
        )
        self.monitor = monitor
        responder = try MonitorAPI(monitor: monitor, limits: limits, clock: clock)
            .router(secret: Fixture.secret, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            .buildResponder()
        running = Task { await monitor.run() }
    }

    /// Lets a client talk to the interface, then closes everything.
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

/// Waits until something is so, or 20 s.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let limit = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < limit {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}
