import Hummingbird
import LiveActivityModel
import Logging
import Quantities
import ServiceLifecycle
import Synchronization
import TestSupport

@testable import LoadGenerator
@testable import MonitorServer
@testable import ServiceLoad

extension ServiceAtWork {
    /// One process of the service, with its own client.
    struct Process {
        let monitor: Monitor
        let clock: VirtualClock
        let outbox = Outbox()
        let client: ServiceLoad.MonitorClient
        private let group: ServiceGroup
        private let serving: Task<Void, any Error>
        private let working: Task<Void, Never>

        init(_ world: World, registry: String, at now: Instant) async throws {
            let clock = VirtualClock(now)
            let monitor = try Monitor(
                machine: MonitorStateMachine(world, at: clock.now),
                registry: Registry(path: registry),
                transport: outbox,
                clock: clock
            )
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let (ports, listening) = AsyncStream.makeStream(of: Int.self)
            let application = Application(
                responder: try MonitorAPI(monitor: monitor, limits: MonitorLimits(), clock: clock)
                    .router(secret: Fixture.secret, logger: logger)
                    .buildResponder(),
                configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { channel in listening.yield(channel.localAddress?.port ?? 0) },
                logger: logger
            )
            let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
            self.monitor = monitor
            self.clock = clock
            self.group = group
            serving = Task { try await group.run() }
            working = Task { await monitor.run() }
            var iterator = ports.makeAsyncIterator()
            let port = await iterator.next() ?? 0
            client = try ServiceLoad.MonitorClient(
                monitor: "http://127.0.0.1:\(port)",
                secret: Fixture.secret,
                authority: nil,
                connections: 1
            )
            let outbox = outbox
            let isStarted = await eventually { outbox.isStarted }
            guard isStarted else { throw Fixture.Broken() }
        }

        /// Frees the resources of the process.
        func end() async throws {
            // The server would wait for requests, and these for pushes.
            outbox.giveUp()
            await client.shutDown()
            await group.triggerGracefulShutdown()
            try await serving.value
            monitor.finish()
            await working.value
            await monitor.close(patience: .zero)
        }
    }

    /// Collects pushes until the host reads them.
    final class Outbox: PushTransport {
        private struct State {
            var hear: (@Sendable (PushNews) -> Void)?
            var pushes: [OutgoingPush] = []
            var taken: [UInt64] = []
        }

        private let state = Mutex(State())

        func start(_ hear: @escaping @Sendable (PushNews) -> Void) {
            state.withLock { $0.hear = hear }
            hear(.connected(true))
        }

        func send(_ pushes: [OutgoingPush]) {
            state.withLock { $0.pushes += pushes }
        }

        func take() -> [OutgoingPush] {
            state.withLock { state in
                defer { state.pushes = [] }
                state.taken += state.pushes.map(\.number)
                return state.pushes
            }
        }

        func answer(_ answer: PushAnswer) {
            state.withLock(\.hear)?(.answers([answer]))
        }

        func connected(_ isConnected: Bool) {
            state.withLock(\.hear)?(.connected(isConnected))
        }

        /// Answers the pushes whose answers would never arrive.
        func giveUp() {
            for number in state.withLock(\.taken) { answer(PushAnswer(number: number, outcome: .unanswered)) }
        }

        var isStarted: Bool { state.withLock { $0.hear != nil } }

        var waitingCount: Int { 0 }

        func shutDown() async {}
    }
}
