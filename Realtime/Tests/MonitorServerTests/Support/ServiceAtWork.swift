import CommandTestSupport
import Experiments
import FreshnessCore
import Hummingbird
import LiveActivityModel
import Logging
import Quantities
import ServiceLifecycle
import Synchronization
import Wire

@testable import LoadGenerator
@testable import MonitorServer

/// The service over HTTP, in virtual time: its requests come through a socket, its tokens lie in SQLite, its pushes go to a
/// ``VirtualAPNs``.
///
/// Its clock stands until the next thing happens. So however slow the machine is, each line of the log has its instant.
final class ServiceAtWork {
    private static let epoch = TimeSpan.seconds(1_700_000_000)

    /// Takes pushes until the host looks at them.
    private final class Outbox: PushSender {
        private struct State {
            var handler: (@Sendable ([PushAnswer]) -> Void)?
            var pushes: [OutgoingPush] = []
        }

        private let state = Mutex(State())

        func start(_ handler: @escaping @Sendable ([PushAnswer]) -> Void) {
            state.withLock { $0.handler = handler }
        }

        func send(_ pushes: [OutgoingPush]) {
            state.withLock { $0.pushes += pushes }
        }

        func take() -> [OutgoingPush] {
            state.withLock { state in
                defer { state.pushes = [] }
                return state.pushes
            }
        }

        func answer(_ answer: PushAnswer) {
            state.withLock(\.handler)?([answer])
        }

        var waitingCount: Int { 0 }

        func shutDown() async {}
    }

    /// What a request was answered; nil: nothing yet.
    private final class Status: Sendable {
        let code = Mutex<Int?>(nil)
    }

    private let history: MonitorHistory
    private let world: World
    private let time = SetTime(.start + ServiceAtWork.epoch)
    private let outbox = Outbox()
    private let monitor: Monitor
    private var apns: VirtualAPNs
    private var counts = MonitorCounts()
    private var log: [String] = []
    private var pushes: [UInt64] = []

    private init(_ history: MonitorHistory, _ world: World, registry: String) throws {
        self.history = history
        self.world = world
        apns = VirtualAPNs(world, epoch: Self.epoch)
        let clock = MonitorClock(time)
        monitor = try Monitor(
            brain: MonitorBrain(world.scenario.monitor, seed: world.scenario.seed, at: clock.now),
            registry: Registry(path: registry),
            sender: outbox,
            clock: clock
        )
    }

    /// Goes through a history and tells what happened, in its words.
    static func log(of history: MonitorHistory) async throws -> [String] {
        let scratch = try Scratch()
        let world = try ScenarioLoader.world(history.scenario)
        let host = try ServiceAtWork(history, world, registry: scratch.path("tokens.sqlite"))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: try MonitorAPI(monitor: host.monitor, limits: MonitorLimits(), clock: MonitorClock(host.time))
                .router(secret: Fixture.secret, logger: logger)
                .buildResponder(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in listening.yield(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        let serving = Task { try await group.run() }
        let monitor = host.monitor
        let working = Task { await monitor.run() }
        var iterator = ports.makeAsyncIterator()
        let port = await iterator.next() ?? 0
        let client = try LoadGenerator.MonitorClient(
            monitor: "http://127.0.0.1:\(port)",
            secret: Fixture.secret,
            authority: nil,
            connections: 1
        )
        var failure: (any Error)?
        do { try await host.drive(client) } catch { failure = error }
        // What waits for answers that never come gets one now, or the server would wait with it.
        for push in host.pushes { host.outbox.answer(PushAnswer(number: push, outcome: .unanswered)) }
        await client.shutDown()
        await group.triggerGracefulShutdown()
        try await serving.value
        monitor.finish()
        await working.value
        await monitor.close(patience: .zero)
        if let failure { throw failure }
        return host.log
    }

    private func note(_ text: String, at now: Instant) {
        log.append("\(MonitorHistory.seconds(now)) \(text)")
    }

    private func set(_ now: Instant) {
        time.set(now + Self.epoch)
    }

    /// Lets a cell and the service live on to the horizon, instant by instant.
    private func drive(_ client: LoadGenerator.MonitorClient) async throws {
        var cell = CellSimulation(world: world, cell: 0, remote: .withMonitor)
        var now = Instant.start
        while true {
            set(now)
            while apns.nextDue == now, let happening = apns.takeNext() {
                switch happening {
                case .arrives(let push): cell.hear(.pushed(push), at: now)
                case .answered(let kind, let answer):
                    note("\(answer.outcome == .accepted ? "accepted" : "refused") \(kind)", at: now)
                    outbox.answer(answer)
                    await look(at: now)
                }
            }
            while cell.step(through: now) {
                for news in cell.takeOutbox() { try await hear(news, client) }
            }
            await settle(at: now)
            let wake = await monitor.nextWake
            let due = min(
                apns.nextDue,
                wake == .never ? .never : Instant(microseconds: wake.microseconds - Self.epoch.microseconds)
            )
            let border = due == .never ? Instant.never : Instant(microseconds: due.microseconds - 1)
            if cell.step(through: border) {
                now = cell.now
                set(now)
                for news in cell.takeOutbox() { try await hear(news, client) }
            } else if due <= world.horizon {
                now = due
            } else {
                return
            }
        }
    }

    private func hear(_ news: OutgoingNews, _ client: LoadGenerator.MonitorClient) async throws {
        switch news {
        case .tokenDied(let ride, let number, let since): apns.died(ride: ride, number: number, since: since, at: since)
        case .request, .givenUp, .disconnected: preconditionFailure("a cell whose monitor is elsewhere sends nothing")
        case .server(let news):
            if case .token(_, let shown) = news.message {
                note("token", at: news.at)
                // A retry has something to carry then, as in the simulation.
                if let shown {
                    try await ask(news.instance, .content(shown, priority: .immediate, bytes: 0), at: news.at, client)
                }
            }
            try await ask(news.instance, news.message, at: news.at, client)
        }
    }

    private func ask(
        _ instance: ServerNews.Instance,
        _ message: ServerNews.Message,
        at now: Instant,
        _ client: LoadGenerator.MonitorClient
    ) async throws {
        let request = MonitorMessage(
            ServerNews(instance: instance, message: message, at: now),
            epoch: Self.epoch.microseconds,
            timeToLive: world.scenario.content.ttl
        )
        let status = Status()
        Task {
            let answer = try? await client.send(request.route, of: request.instance, body: request.body)
            status.code.withLock { $0 = answer?.status ?? 0 }
        }
        // A withdrawal is acknowledged once all pushes to the token are answered, and time has to go on for that.
        let isTaken = await eventually {
            if status.code.withLock({ $0 != nil }) { return true }
            guard case .withdrawal = message else { return false }
            return await monitor.awaitedPushes > 0
        }
        guard isTaken, status.code.withLock({ $0.map { (200..<300).contains($0) } ?? true }) else {
            throw Fixture.Broken()
        }
    }

    /// Waits until all has happened that the history has for an instant: what is to be on disk first is written meanwhile.
    private func settle(at now: Instant) async {
        let expected = history.log.filter { (Double($0.prefix { $0 != " " }) ?? 0) * 1e6 <= Double(now.microseconds) }
        _ = await eventually {
            await look(at: now)
            return log.count >= expected.count
        }
    }

    /// Has the monitor do what is due, and writes down what came of it.
    private func look(at now: Instant) async {
        await monitor.work()
        let report = await monitor.report().counts
        let changes = [
            (\MonitorCounts.episodes, "class stale"), (\.endedSevere, "class severe"), (\.recovered, "class fresh"),
            (\.invalidated, "token invalidated"), (\.discarded, "token discarded"),
        ]
        for (count, text) in changes where report[keyPath: count] > counts[keyPath: count] { note(text, at: now) }
        counts = report
        for push in outbox.take() {
            note("send \(push.kind)", at: now)
            pushes.append(push.number)
            apns.received(push, at: now)
        }
    }
}
