import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import Quantities
import Studies
import Synchronization
import TestSupport
import Wire

@testable import LoadGenerator
@testable import MonitorServer
@testable import ServiceLoad

/// The service over HTTP, in virtual time: its requests arrive through a socket, its tokens are in SQLite, its pushes
/// go to a ``VirtualAPNs``.
///
/// Its clock stops between events. So each line of the log has its exact instant, however slow the machine is. A kill
/// drops the process and leaves the data on its disk; another process continues from there.
final class ServiceAtWork {
    private static let epoch = TimeSpan.seconds(1_700_000_000)

    /// The status of a request's response; `nil` for none yet.
    private final class Status: Sendable {
        let code = Mutex<Int?>(nil)
    }

    private let world: World
    private let scratch = Scratch()
    private var now = Instant.start {
        didSet { process.clock.now = now + Self.epoch }
    }
    private var process: Process
    private var apns: VirtualAPNs
    private var counts = MonitorCounts()
    private var log: [String] = []

    private init(_ world: World, namesUnprocessed: Bool) async throws {
        self.world = world
        apns = VirtualAPNs(world, epoch: Self.epoch, namesUnprocessed: namesUnprocessed)
        process = try await Process(world, registry: scratch.path("tokens.sqlite"), at: .start + Self.epoch)
    }

    /// Runs the scenario of a history and returns its log.
    static func log(of history: ServiceHistory) async throws -> [String] {
        let world = try ScenarioLoader.world(history.scenario())
        let host = try await ServiceAtWork(world, namesUnprocessed: history.namesUnprocessed)
        var failure: (any Error)?
        do { try await host.live(restartingAt: history.restartsAt) } catch { failure = error }
        try await host.process.end()
        if let failure { throw failure }
        return host.log
    }

    private func live(restartingAt second: Int64?) async throws {
        var cell = CellSimulation(world: world, cell: 0, remote: .withMonitor)
        if let second {
            let restart = Instant.start + .seconds(second)
            try await drive(&cell, through: restart)
            now = restart
            try await self.restart()
        }
        try await drive(&cell, through: world.horizon)
    }

    /// Kills the process and starts another with the data left on disk.
    private func restart() async throws {
        note("restart", at: now)
        let killed = process
        // The copy is made first, so that later writes of the old process are not in it.
        let left = scratch.path("left.sqlite")
        try Fixture.copyRegistry(scratch.path("tokens.sqlite"), to: left)
        apns.forgetAnswers()
        counts = MonitorCounts()
        process = try await Process(world, registry: left, at: now + Self.epoch)
        try await killed.end()
    }

    private func note(_ text: String, at now: Instant) {
        log.append("\(now.seconds) \(text)")
    }

    /// Runs a cell and the service up to an instant, from one event to the next.
    private func drive(_ cell: inout CellSimulation, through limit: Instant) async throws {
        while true {
            while apns.nextDue == now, let happening = apns.takeNext() {
                switch happening {
                case .arrives(let push, _): cell.hear(.pushed(push), at: now)
                case .answered(let push, let answer):
                    process.outbox.answer(answer)
                    await look(after: (push, answer))
                case .connected(let isConnected):
                    process.outbox.connected(isConnected)
                    await look()
                }
            }
            while cell.step(through: now) {
                for news in cell.takeOutbox() { try await hear(news) }
            }
            try await settle()
            let wake = process.clock.nextAlarm
            let due = min(
                apns.nextDue,
                wake == .never ? .never : Instant(microseconds: wake.microseconds - Self.epoch.microseconds)
            )
            let border = due == .never ? Instant.never : Instant(microseconds: due.microseconds - 1)
            if cell.step(through: min(border, limit)) {
                now = cell.now
                for news in cell.takeOutbox() { try await hear(news) }
            } else if due <= limit {
                now = due
            } else {
                return
            }
        }
    }

    private func hear(_ news: OutgoingNews) async throws {
        switch news {
        case .tokenDied(let ride, let number, let since): apns.died(ride: ride, number: number, since: since, at: since)
        case .request, .givenUp, .disconnected, .channel:
            preconditionFailure("a cell whose monitor is elsewhere sends nothing")
        case .server(let news):
            if case .token(_, let shown) = news.message {
                note("token", at: news.at)
                // A retry then has content to send, as in the simulation.
                if let shown {
                    try await ask(news.instance, .content(shown, priority: .immediate, bytes: 0), at: news.at)
                }
            }
            try await ask(news.instance, news.message, at: news.at)
        }
    }

    private func ask(
        _ instance: ServerNews.Instance,
        _ message: ServerNews.Message,
        at now: Instant
    ) async throws {
        let request = MonitorMessage(
            ServerNews(instance: instance, message: message, at: now),
            epoch: Self.epoch.microseconds,
            timeToLive: world.scenario.content.ttl,
            dismissal: world.scenario.devices.dismissal
        )
        let status = Status()
        let (client, monitor) = (process.client, process.monitor)
        Task {
            let answer = try? await client.send(request.route, of: request.instance, body: request.body)
            status.code.withLock { $0 = answer?.status ?? 0 }
        }
        // A withdrawal is acknowledged once all pushes to the token are answered, and time must advance for that.
        let isTaken = await eventually {
            if status.code.withLock({ $0 != nil }) { return true }
            guard case .withdrawal = message else { return false }
            return await monitor.report().waitingWithdrawals > 0
        }
        guard isTaken, status.code.withLock({ $0.map { (200..<300).contains($0) } ?? true }) else {
            throw Fixture.Broken()
        }
    }

    /// Waits for writes to disk, and logs their results.
    private func settle() async throws {
        let isSettled = await eventually {
            await look()
            let report = await process.monitor.report()
            return report.waitingWrites == 0 && report.waitingDecisions == 0
        }
        guard isSettled else { throw Fixture.Broken() }
        // Events between the last check and the question.
        await look()
    }

    /// Lets the monitor do its due work and logs the results; for an answer, also whether the sender used it.
    private func look(after answer: (OutgoingPush, PushAnswer)? = nil) async {
        await process.clock.ringAlarms()
        await process.monitor.work()
        let report = await process.monitor.report().counts
        if let (push, answer) = answer {
            for line in ServiceHistory.answered(push, answer, from: counts, to: report) { note(line, at: now) }
        }
        for line in ServiceHistory.lines(from: counts, to: report) { note(line, at: now) }
        counts = report
        for push in process.outbox.take() {
            note(ServiceHistory.sent(push), at: now)
            apns.received(push, at: now)
        }
    }
}
