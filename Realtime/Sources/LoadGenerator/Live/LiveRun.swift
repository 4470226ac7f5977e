import Evaluation
import Foundation
import Histogram
package import LiveActivityModel
package import Quantities
package import Shell
import Synchronization

/// A run of all cells of one history in real time.
///
/// Rides, phones, sender and monitor are the model's, and APNs is at the other end of a wire. Alternatively the monitor and
/// the sender are at the other end, too. One thread has all cells. In each round it passes on the news from the wire, runs the
/// events that have become due, and hands over the cells' requests:
///
/// ```
///   inbox ─► cells: hear ─► run through now ─► outbox ─► wire
///     ▲                                                    │
///     └────────────────── threads of the network ◄─────────┘
/// ```
package final class LiveRun: Sendable {
    /// The pause between two rounds without work.
    private static var pause: TimeInterval { 0.000_2 }

    let world: World
    let speed: Double
    private let remote: RemoteStations
    let wire: any LiveWire
    private let log: EventLogTaker?
    private let isCancelled = Atomic<Bool>(false)
    private let isLookWanted = Atomic<Bool>(false)
    let newestLook = Mutex<LiveLook?>(nil)
    let requestSeconds = Mutex(RequestSeconds())
    private let state = Mutex(LiveProgress())

    /// A run that has not begun.
    ///
    /// - Parameters:
    ///   - speed: The speed relative to the wall clock.
    ///   - remote: The stations at the other end of the wire.
    ///   - wire: The wire to APNs or to a monitor.
    ///   - log: Takes rows of the event log; nil: none is kept.
    /// - Throws: ``LiveRunError`` if the scenario cannot run in real time.
    package init(
        world: World,
        speed: Double,
        remote: RemoteStations,
        wire: any LiveWire,
        log: EventLogTaker? = nil
    ) throws(LiveRunError) {
        try LiveRunError.check(world.scenario, remote: remote)
        self.world = world
        self.speed = speed
        self.remote = remote
        self.wire = wire
        self.log = log
    }

    /// The progress of the run.
    package var progress: LiveProgress { state.withLock { $0 } }

    /// Requests one sample from the thread of the cells.
    package func askForLook() { isLookWanted.store(true, ordering: .relaxed) }

    /// Removes and returns the requested sample; nil until it has been taken.
    package func takeLook() -> LiveLook? {
        newestLook.withLock { look in
            defer { look = nil }
            return look
        }
    }

    /// Runs to the horizon, to an early end, or until no event is left.
    ///
    /// - Parameter end: The request for an early end. Pushes and activities in progress then count as at the horizon.
    /// - Throws: `CancellationError` if the task is cancelled.
    package func run(endingWith end: EarlyEnd = EarlyEnd()) async throws -> LiveOutcome {
        end.workBegins()
        defer { end.workIsOver() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let thread = Thread {
                    continuation.resume(with: Result { try self.runCells(endingWith: end) })
                }
                thread.name = "cells"
                thread.start()
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }

    private func runCells(endingWith end: EarlyEnd) throws -> LiveOutcome {
        let count = world.scenario.cells
        let assignment = RideCells(world, replication: 0)
        let cells = UnsafeMutablePointer<CellSimulation>.allocate(capacity: count)
        for cell in 0..<count {
            let watch = log == nil ? Watch.none : .serverLog(withScreens: false)
            let simulation = CellSimulation(world: world, cell: cell, remote: remote, watch: watch)
            (cells + cell).initialize(to: simulation)
        }
        defer {
            cells.deinitialize(count: count)
            cells.deallocate()
        }
        let clock = LiveClock(speed: speed, epochMicroseconds: WallClock.microseconds)
        let inbox = LiveInbox()
        wire.begin(clock, inbox)
        var lateness = LiveOutcome.Lateness()
        var items: ContiguousArray<LiveInbox.Item> = []
        var rows: [ServerEvent] = []
        // If no event is left, the measurements still end at the horizon.
        var (last, mark): (Instant, EarlyEndMark?) = (world.horizon, nil)
        while true {
            guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
            let now = min(clock.now, world.horizon)
            wire.proceed(to: now)
            inbox.take(into: &items)
            for item in items { cells[assignment.cell(ofRide: item.news.ride)].hear(item.news, at: item.at) }
            var requests = 0
            for cell in 0..<count {
                _ = cells[cell].run(through: now)
                if log != nil { cells[cell].takeServerEvents(into: &rows) }
                guard cells[cell].hasOutgoing else { continue }
                let news = cells[cell].takeOutbox()
                wire.send(news, at: now)
                let sentAt = clock.now
                requestSeconds.withLock { seconds in
                    for news in news {
                        guard let due = news.due else { continue }
                        requests += 1
                        lateness.record(clock.wall(sentAt - due))
                        seconds.count(due: wall(due), sent: wall(sentAt))
                    }
                }
            }
            state.withLock { $0.advance(to: now, requests: requests, news: items.count) }
            if let log, rows.count >= Self.mostRows {
                log(rows, now)
                rows.removeAll(keepingCapacity: true)
            }
            if isLookWanted.exchange(false, ordering: .relaxed) { look(at: cells, now, lateness) }
            if now == world.horizon { break }
            if let cause = end.cause {
                let planned = world.scenario.clock.duration
                last = now
                mark = EarlyEndMark(by: cause, ran: min(now - .start, planned), planned: planned)
                mark?.warmUp = world.scenario.clock.warmUp
                break
            }
            if requests == 0, items.isEmpty {
                if (0..<count).allSatisfy({ cells[$0].isIdle }) { break }
                Thread.sleep(forTimeInterval: LiveRun.pause)
            }
        }
        wire.end()
        log?(rows, .never)
        let results = (0..<count)
            .map { cell in
                cells[cell].finish(at: last)
                return CellResult(
                    replication: 0,
                    cell: cell,
                    measurements: cells[cell].measurements,
                    fingerprint: cells[cell].fingerprint
                )
            }
        return LiveOutcome(
            result: RunResult(scenario: world.scenario, cells: results),
            lateness: lateness,
            speed: speed,
            progress: progress,
            earlyEnd: mark,
            epochMicroseconds: clock.epochMicroseconds
        )
    }

    /// The number of rows of the event log that are handed over together.
    private static var mostRows: Int { 4096 }
}

/// The progress of a scenario's load.
package struct LiveProgress: Hashable, Sendable {
    /// The virtual instant up to which all events have been run.
    package private(set) var now = Instant.start
    /// The number of requests sent.
    package private(set) var requests = 0
    /// The number of pieces of news from APNs and phones.
    package private(set) var news = 0

    mutating func advance(to instant: Instant, requests: Int, news: Int) {
        now = instant
        self.requests += requests
        self.news += news
    }
}

/// The reason why a scenario cannot run in real time.
package enum LiveRunError: Error, Hashable, CustomStringConvertible {
    case scripted
    case resumesRequests
    case startsByPush(Scenario.Starter)
    case withoutMonitor
    case seesScreens
    case wakesApp
    case cohorts(set: String, reason: String)
    case groups
    case startTokensRotate
    case contentEndpoint
    case renews

    /// Checks that a scenario can run in real time with these remote stations.
    package static func check(_ scenario: Scenario, remote: RemoteStations) throws(LiveRunError) {
        guard scenario.apns.script == nil else { throw .scripted }
        guard scenario.content.wakeApp == nil else { throw .wakesApp }
        try check(cohortsOf: scenario, remote: remote)
        guard scenario.devices.start.tokenRotation == nil else { throw .startTokensRotate }
        guard remote == .withMonitor else {
            guard scenario.sender.preempt != .resume else { throw .resumesRequests }
            return
        }
        guard scenario.groups == nil else { throw .groups }
        let starter = scenario.devices.start.by
        guard starter == .app else { throw .startsByPush(starter) }
        guard scenario.content.renewBefore == nil else { throw .renews }
        guard scenario.content.endpoint == nil else { throw .contentEndpoint }
        guard scenario.monitor.enabled else { throw .withoutMonitor }
        guard scenario.monitor.feedback == .acceptance else { throw .seesScreens }
    }

    /// Checks that no cohort has values that a part outside the cells has once for all rides.
    private static func check(cohortsOf scenario: Scenario, remote: RemoteStations) throws(LiveRunError) {
        let all = scenario.cohorts.compactMap(\.sections)
        guard all.allSatisfy({ $0.content.wakeApp == nil }) else { throw .wakesApp }
        guard all.allSatisfy({ $0.devices.start.tokenRotation == nil }) else { throw .startTokensRotate }
        guard all.allSatisfy({ $0.devices.dismissal == scenario.devices.dismissal }) else {
            throw .cohorts(set: "devices.dismissal", reason: "loads send one dismissal date for all rides")
        }
        guard remote == .withMonitor else { return }
        guard all.allSatisfy({ $0.monitor == scenario.monitor }) else {
            throw .cohorts(set: "values under monitor", reason: "the monitor has one policy for all rides")
        }
        guard all.allSatisfy({ $0.content.renewBefore == nil && $0.devices.start.by == .app }) else {
            throw .cohorts(set: "starts or renewals by push", reason: "the monitor does not support push-to-start")
        }
    }

    /// The key, the value that was given and what is allowed.
    package var description: String {
        switch self {
        case .scripted:
            "apns.script is for golden traces and cannot be run in real time, got a script; allowed: none"
        case .resumesRequests:
            "sender.preempt cannot be `resume` in real time, because no request over HTTP/2 can pause, got resume; "
                + "allowed: none, replace"
        case .startsByPush(let starter):
            "devices.start.by must be app, because the monitor does not support push-to-start, got "
                + "\(starter.rawValue); allowed: app"
        case .withoutMonitor:
            "monitor.enabled must be true in a test of a monitor, got false; allowed: true"
        case .wakesApp:
            "content.wake_app must be off in real time, because loads send no background pushes, got a section; allowed: off"
        case .cohorts(let values, let reason):
            "cohorts must not set \(values) in real time, because \(reason), got a cohort that does; allowed: the scenario's values"
        case .groups:
            "groups must be off in a test of a monitor, because it watches each card alone, got a section; allowed: off"
        case .startTokensRotate:
            "devices.start.token_rotation must be off in real time, because starts carry no number of their token, got times; "
                + "allowed: off"
        case .contentEndpoint:
            "content.endpoint must be off in a test of a monitor, which gets content when it is needed, got a section; "
                + "allowed: off"
        case .renews:
            "content.renew_before must be off, because the monitor does not support push-to-start, got a duration; "
                + "allowed: off"
        case .seesScreens:
            "monitor.feedback must be what a real monitor can know, got delivery; allowed: acceptance"
        }
    }
}

extension OutgoingNews {
    /// The due time of a request; nil for other news.
    fileprivate var due: Instant? {
        switch self {
        case .request(let request): request.sentAt
        case .server(let news): news.at
        case .givenUp, .disconnected, .tokenDied, .channel: nil
        }
    }
}
