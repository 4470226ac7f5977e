import FreshnessCore
import HTTPTypes
package import LiveActivityModel
package import LoadGenerator
import Quantities
import Wire

/// The shell around ``MonitorStateMachine``: it makes changes durable, sends pushes, passes answers on, and wakes the
/// state machine in time.
///
/// One actor owns all state. Requests wait for the registry outside it, so that many share one commit.
///
/// The order of operations makes this safe. A publication reaches memory after it is on disk. A withdrawal first
/// removes the token from memory and then goes to disk. It is acknowledged once all pushes in flight to that token have
/// their answers or are abandoned. So after a kill at any moment, every acknowledged token is on disk, and neither this
/// process nor the next sends to a token whose invalidation was acknowledged.
package actor Monitor {
    /// A withdrawal that waits for the last of its pushes.
    private final class Drain {
        var missing: Int
        let continuation: CheckedContinuation<Void, Never>

        init(missing: Int, continuation: CheckedContinuation<Void, Never>) {
            self.missing = missing
            self.continuation = continuation
        }
    }

    private var machine: MonitorStateMachine
    private let registry: Registry
    private let transport: any PushTransport
    private let clock: any MonitorClock
    private let instanceLimit: Int
    private let log: (@Sendable ([ServerEvent]) -> Void)?
    private let inbox = AnswerInbox()
    private var drains: [UInt64: [Drain]] = [:]
    private var timer: (due: Instant, task: Task<Void, Never>)?
    private var isStopping = false
    /// The last generation time that was assigned to content without one.
    private var lastGeneration = Instant.start
    private var slowestScan = Duration.zero
    private var lastScan = Duration.zero

    /// Creates a monitor that continues from the registry's state.
    ///
    /// - Parameters:
    ///   - transport: Sends pushes; not started yet.
    ///   - clock: The clock with which `machine` was created.
    ///   - instanceLimit: The maximum number of known instances.
    ///   - shard: The instances that the registry may hold.
    ///   - log: Takes rows of the event log in the order of time, and returns at once; `nil` to keep none.
    package init(
        machine: MonitorStateMachine,
        registry: Registry,
        transport: any PushTransport,
        clock: any MonitorClock,
        instanceLimit: Int = 2_000_000,
        shard: LoadShare = .whole,
        log: (@Sendable ([ServerEvent]) -> Void)? = nil
    ) throws(RegistryError) {
        self.registry = registry
        self.transport = transport
        self.clock = clock
        self.instanceLimit = instanceLimit
        self.log = log
        var restored = machine
        restored.isLogged = log != nil
        // Nothing is sent before a connection is known to exist.
        restored.connected(false, at: clock.now)
        let now = clock.now
        for stored in try registry.load(of: shard) { restored.restore(stored, at: now) }
        self.machine = restored
    }

    // MARK: - Running

    /// Runs until ``finish()``.
    func run() async {
        transport.start { [inbox] news in inbox.put(news) }
        work()
        for await _ in inbox.signals { work() }
    }

    /// Ends ``run()`` soon.
    nonisolated func finish() { inbox.finish() }

    /// Waits for answers to pushes in flight, for a limited time, and closes everything.
    func close(patience: Duration = .seconds(10)) async {
        isStopping = true
        timer?.task.cancel()
        let limit = ContinuousClock.now + patience
        while machine.inFlightCount > 0, ContinuousClock.now < limit {
            work()
            try? await Task.sleep(for: .milliseconds(10))
        }
        await transport.shutDown()
        work()
        await registry.close()
    }

    /// Processes answers and due work.
    func work() {
        let news = inbox.take()
        // First, because the answers may make room for pushes that have no connection.
        if !news.isConnected { machine.connected(false, at: clock.now) }
        for answer in news.answers where machine.answered(answer, at: clock.now) {
            guard let waiting = drains.removeValue(forKey: answer.number) else { continue }
            for drain in waiting {
                drain.missing -= 1
                if drain.missing == 0 { drain.continuation.resume() }
            }
        }
        machine.connected(news.isConnected, at: clock.now)
        if !isStopping {
            let scans = machine.counts.scans
            let began = ContinuousClock.now
            machine.advance(to: clock.now)
            if machine.counts.scans != scans {
                lastScan = began.duration(to: .now)
                slowestScan = max(slowestScan, lastScan)
            }
        }
        perform()
    }

    /// Performs the state machine's actions.
    private func perform() {
        let actions = machine.takeActions()
        for change in actions.changes { record(change) }
        if !actions.pushes.isEmpty { transport.send(actions.pushes) }
        if let log, !actions.rows.isEmpty { log(actions.rows) }
        rearm()
    }

    /// Writes a change for which no request waits; a change that delays pushes is retried until it is durable.
    private func record(_ change: RegistryChange) {
        registry.submit(change) { [weak self] result in
            switch (change, result) {
            case (.end(let id, _, _, _), .success):
                Task { await self?.endRecorded(id) }
            case (.end, .failure(.notWritten)), (.retire, .failure(.notWritten)):
                Task { await self?.recordLater(change) }
            default:
                break
            }
        }
    }

    private func recordLater(_ change: RegistryChange) {
        _ = clock.wake(at: clock.now + .seconds(1)) { [weak self] in await self?.record(change) }
    }

    private func endRecorded(_ id: InstanceID) {
        machine.endRecorded(id, at: clock.now)
        work()
    }

    /// Schedules the next wake-up of the monitor.
    private func rearm() {
        let due = machine.nextWake
        guard !isStopping, due != .never else { return }
        if let timer, timer.due <= due, !timer.task.isCancelled { return }
        timer?.task.cancel()
        timer = (
            due,
            clock.wake(at: due) { [weak self, inbox] in
                await self?.timerFired()
                inbox.wake()
            }
        )
    }

    private func timerFired() { timer = nil }

    // MARK: - Requests

    /// Publishes or replaces a token or a channel.
    func publish(
        _ address: PushAddress,
        for id: InstanceID,
        shown: ContentStamp?
    ) async throws -> MonitorStateMachine.Publication {
        try checkLimit(id)
        guard !machine.isOver(id) else { return .refused }
        let now = clock.now
        let revision = try await registry.write(.publish(id, address, shown: shown, at: now))
        defer { work() }
        return machine.tokenPublished(
            PublishedToken(address: address, revision: revision, publishedAt: now),
            for: id,
            shown: shown,
            at: clock.now
        )
    }

    /// Invalidates a token and returns once no push can reach it; `false` for an unknown instance.
    func withdraw(_ id: InstanceID) async throws -> Bool {
        guard machine.view(of: id, at: clock.now) != nil else { return false }
        _ = machine.tokenWithdrawn(from: id, at: clock.now)
        work()
        let revision = try await registry.write(.withdraw(id, at: clock.now))
        var underWay = machine.tokenWithdrawn(from: id, revision: revision, at: clock.now)
        work()
        // Some may have their answer already, and no further answer would arrive for them.
        underWay.removeAll { !machine.isUnderWay($0) }
        guard !underWay.isEmpty else { return true }
        await withCheckedContinuation { continuation in
            let drain = Drain(missing: underWay.count, continuation: continuation)
            for number in underWay { drains[number, default: []].append(drain) }
        }
        return true
    }

    /// Announces content.
    func announce(_ body: ContentAnnouncement, for id: InstanceID) async throws -> RemoteMonitorStation.Reception {
        try checkLimit(id)
        let content = AnnouncedContent(
            stamp: ContentStamp(
                generatedAt: body.generatedAt ?? nextGeneration(of: id),
                staleDate: body.staleDate ?? .never
            ),
            state: body.state,
            priority: body.priority ?? .immediate,
            renewal: body.renewal,
            alert: body.alert,
            relevanceScore: body.relevanceScore
        )
        let reception = machine.reception(of: content, for: id)
        guard case .new = reception else { return reception }
        _ = try await registry.write(.announce(id, content, at: clock.now))
        // Other content may have been announced first while this was written.
        defer { work() }
        let result = machine.contentAnnounced(content, for: id, at: clock.now)
        // Content without a generation time is not refused: content that has overtaken it was announced after it.
        if case .older = result, body.generatedAt == nil { return .repeated }
        return result
    }

    /// Returns the generation time for content without one: now, and later than all before it even if the clock has
    /// gone back.
    private func nextGeneration(of id: InstanceID) -> Instant {
        let known = machine.view(of: id, at: clock.now)?.announcedAt ?? .start
        lastGeneration = max(clock.now, max(known, lastGeneration) + TimeSpan(microseconds: 1))
        return lastGeneration
    }

    /// Ends an instance because its ride is over; returns `false` for an unknown instance.
    func end(_ id: InstanceID, dismissalDate: Int64?) async throws -> Bool {
        guard machine.view(of: id, at: clock.now) != nil else { return false }
        _ = try await registry.write(.end(id, .rideOver, dismissalDate: dismissalDate, at: clock.now))
        machine.rideOver(id, dismissalDate: dismissalDate, at: clock.now)
        work()
        return true
    }

    /// Returns an instance; `nil` if it is unknown.
    func view(of id: InstanceID) -> InstanceView? { machine.view(of: id, at: clock.now) }

    /// Returns a page of instances.
    func page(of wanted: FreshnessClass?, from start: Int, limit: Int) -> InstancePage {
        machine.page(of: wanted, from: start, limit: limit, at: clock.now)
    }

    /// Returns the state for metrics.
    package func report() -> MonitorReport {
        machine.countClasses(at: clock.now)
        return MonitorReport(
            counts: machine.counts,
            classes: machine.classes,
            instances: machine.instanceCount,
            inFlight: machine.inFlightCount,
            waiting: machine.waitingCount + transport.waitingCount,
            isConnected: machine.sender.isConnected,
            writes: registry.writes,
            waitingWrites: registry.waitingCount,
            waitingDecisions: machine.unrecordedCount,
            waitingWithdrawals: drains.count,
            lastScan: lastScan,
            slowestScan: slowestScan
        )
    }

    private func checkLimit(_ id: InstanceID) throws(RequestProblem) {
        guard machine.instanceCount < instanceLimit || machine.view(of: id, at: clock.now) != nil else {
            throw RequestProblem(
                .full,
                what: "instances",
                got: "one more",
                allowed: "\(instanceLimit)"
            )
        }
    }
}
