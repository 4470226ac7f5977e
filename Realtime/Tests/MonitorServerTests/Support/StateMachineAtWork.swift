import Dispatch
import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import Quantities
import Synchronization
import Testing
import Wire

@testable import MonitorServer

/// A state machine in virtual time, with a ``VirtualAPNs`` behind it.
struct StateMachineAtWork {
    private(set) var machine: MonitorStateMachine
    private let timeToLive: TimeSpan
    private let world: World
    private var apns: VirtualAPNs
    /// The registry that a restart reads; `nil` for a state machine without restarts.
    private let registry: Registry?
    /// The log, in the words of ``ServiceHistory``.
    private(set) var log: [String] = []
    private var revision: Int64 = 0

    init(_ world: World, registry: Registry? = nil, namesUnprocessed: Bool = false) throws {
        self.world = world
        self.registry = registry
        apns = VirtualAPNs(world, namesUnprocessed: namesUnprocessed)
        machine = try MonitorStateMachine(world, at: .start)
        timeToLive = world.scenario.content.ttl
    }

    /// Kills and restarts the process: requests in flight are forgotten, and the data on disk is read.
    mutating func restart(at now: Instant) throws {
        log.append("\(now.seconds) restart")
        machine = try MonitorStateMachine(world, at: now)
        apns.forgetAnswers()
        for instance in try #require(registry).load() { machine.restore(instance, at: now) }
        perform(at: now)
    }

    private mutating func note(_ text: String, at now: Instant) {
        log.append("\(now.seconds) \(text)")
    }

    /// Logs the changes of a call of the state machine.
    private mutating func noting(at now: Instant, _ call: (inout MonitorStateMachine) -> Void) {
        let before = machine.counts
        call(&machine)
        for line in ServiceHistory.lines(from: before, to: machine.counts) { note(line, at: now) }
    }

    /// An answer that the sender no longer uses is not logged.
    private mutating func answered(_ push: OutgoingPush, _ answer: PushAnswer, at now: Instant) {
        let before = machine.counts
        machine.answered(answer, at: now)
        let after = machine.counts
        for line in ServiceHistory.answered(push, answer, from: before, to: after) { note(line, at: now) }
        for line in ServiceHistory.lines(from: before, to: after) { note(line, at: now) }
    }

    /// Runs a cell and the state machine up to an instant.
    mutating func drive(_ cell: inout CellSimulation, through horizon: Instant) {
        while true {
            let due = min(apns.nextDue, machine.nextWake)
            let border = due == .never ? Instant.never : Instant(microseconds: due.microseconds - 1)
            if cell.step(through: min(border, horizon)) {
                for news in cell.takeOutbox() { hear(news) }
            } else if due > horizon {
                return
            } else if apns.nextDue == due, let happening = apns.takeNext() {
                switch happening {
                case .arrives(let push, _): cell.hear(.pushed(push), at: due)
                case .answered(let push, let answer): answered(push, answer, at: due)
                case .connected(let isConnected): noting(at: due) { $0.connected(isConnected, at: due) }
                }
                perform(at: due)
            } else {
                noting(at: due) { $0.advance(to: due) }
                perform(at: due)
            }
        }
    }

    private mutating func hear(_ news: OutgoingNews) {
        switch news {
        case .server(let news): hear(news)
        case .tokenDied(let ride, let number, let since): apns.died(ride: ride, number: number, since: since, at: since)
        case .request, .givenUp, .disconnected, .channel:
            preconditionFailure("a cell whose monitor is remote sends nothing")
        }
    }

    private mutating func hear(_ news: ServerNews) {
        guard let id = InstanceID("ride-\(news.instance.ride).\(news.instance.life)") else { return }
        switch news.message {
        case .token(let number, let shown):
            let token = DeviceToken(ride: news.instance.ride, number: number)
            if let shown { announce(shown, .immediate, alerts: false, to: id, at: news.at) }
            let revision = record(.publish(id, .token(token), shown: shown, at: news.at))
            let published = PublishedToken(address: .token(token), revision: revision, publishedAt: news.at)
            note("token", at: news.at)
            noting(at: news.at) { $0.tokenPublished(published, for: id, shown: shown, at: news.at) }
        case .content(let stamp, let priority, _, let alerts):
            announce(stamp, priority, alerts: alerts, to: id, at: news.at)
        case .withdrawal:
            noting(at: news.at) { _ = $0.tokenWithdrawn(from: id, at: news.at) }
            let revision = record(.withdraw(id, at: news.at))
            noting(at: news.at) {
                _ = $0.tokenWithdrawn(from: id, revision: revision, at: news.at)
            }
        case .rideOver:
            _ = record(.end(id, .rideOver, dismissalDate: nil, at: news.at))
            noting(at: news.at) { $0.rideOver(id, dismissalDate: nil, at: news.at) }
        }
        perform(at: news.at)
    }

    /// Announces content, including an activity's first content: a retry then has content to send, as in the
    /// simulation.
    private mutating func announce(
        _ stamp: ContentStamp,
        _ priority: PushPriority,
        alerts: Bool,
        to id: InstanceID,
        at now: Instant
    ) {
        let content = AnnouncedContent(
            stamp: stamp,
            state: Array("{}".utf8),
            priority: priority,
            renewal: timeToLive,
            alert: alerts ? RideContent.alert : nil
        )
        _ = record(.announce(id, content, at: now))
        noting(at: now) { $0.contentAnnounced(content, for: id, at: now) }
    }

    /// Makes a change durable, if it can be read again; returns its revision.
    private mutating func record(_ change: RegistryChange) -> Int64 {
        guard let registry else {
            revision += 1
            return revision
        }
        let isDone = DispatchSemaphore(value: 0)
        let result = Mutex<Int64?>(nil)
        registry.submit(change) { written in
            result.withLock { $0 = try? written.get() }
            isDone.signal()
        }
        isDone.wait()
        guard let revision = result.withLock(\.self) else { preconditionFailure("not written: \(change)") }
        return revision
    }

    /// Makes pending changes durable, and sends pushes.
    private mutating func perform(at now: Instant) {
        var actions = machine.takeActions()
        while !actions.changes.isEmpty || !actions.pushes.isEmpty {
            for change in actions.changes {
                _ = record(change)
                if case .end(let id, _, _, _) = change { machine.endRecorded(id, at: now) }
            }
            for push in actions.pushes {
                note(ServiceHistory.sent(push), at: now)
                apns.received(push, at: now)
            }
            actions = machine.takeActions()
        }
    }
}
