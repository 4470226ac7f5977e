import AsyncHTTPClient
package import Experiments
package import LoadGenerator
import NIOCore
import NIOHTTP1
package import Quantities
package import Reporting
import Synchronization
import Wire

/// Open-loop load on a service that takes Netmera's REST calls for Live Activities.
///
/// First, unmeasured, its users and groups are made known by their tokens, and a notification is defined. The calls of a
/// backend are those of Netmera's article; how an app's events come in is not published, so they are for the stand-in's
/// gateway only: see ``registers``.
package struct NetmeraLoad: Sendable {
    /// Where the service is: `http://HOST:PORT` or `https://HOST:PORT`.
    package var endpoint: String
    /// What `X-netmera-api-key` says.
    package var key: String
    /// When requests are due.
    package var plan: RatePlan
    /// What they ask.
    package var operations: NetmeraOperations
    /// What is due in this time at the beginning is not measured.
    package var warmUp = TimeSpan.zero
    /// Whether tokens are made known by events; without, the groups `ride-0`, `ride-1`… must be there already.
    package var registers = true
    /// Whether all users get an activity by `sendBulkNotification` before the load begins; on a real service they do.
    package var startsAll = false
    /// `priority` of updates: 5 or 10.
    package var priority: UInt8 = 10
    /// How long a `contentState` is [bytes], more or less.
    package var contentBytes = 300
    /// A certificate authority to trust in place of the system's (PEM).
    package var authority: String?
    /// The most connections.
    package var connections = 4
    /// How long a call may wait for one of them; one that waits longer is not sent.
    package var connectionWait = TimeSpan.seconds(5)
    /// How long a request may take.
    package var timeout = TimeSpan.seconds(10)

    /// A load.
    package init(endpoint: String, key: String, plan: RatePlan, operations: NetmeraOperations) {
        self.endpoint = endpoint
        self.key = key
        self.plan = plan
        self.operations = operations
    }

    /// What came of a load.
    package struct Outcome: Sendable {
        /// Requests and their times; those that were not begun count among those that were never sent.
        package var tally = PushTally()
        /// Measured requests by kind, in the order of all kinds.
        package var kinds = NetmeraOperations.Kind.allCases.map { (kind: $0, count: 0) }
        /// How late the latest request was begun, as the generator's own fault [µs].
        package var latestStart: Int64 = 0
        /// Requests that were not sent since too many were without an answer.
        package var notSent = 0
        /// That it was ended before its time.
        package var earlyEnd: EarlyEndMark?
        /// How many calls are due and have no answer yet, of a load that runs.
        package var open = 0
    }

    /// Runs the load, or as much of it as there is before an early end or before the task is cancelled, and waits for the
    /// answers.
    ///
    /// - Parameters:
    ///   - end: What may ask for an early end.
    ///   - progress: Is told once a second what has come of the load so far, and how long it has been running.
    /// - Throws: ``NetmeraLoadError`` when the service cannot be reached or does not take the registrations.
    package func run(
        endingWith end: EarlyEnd = EarlyEnd(),
        progress: @escaping @Sendable (Outcome, TimeSpan) -> Void
    ) async throws -> Outcome {
        let wire = NetmeraWire(self)
        do {
            let notification = try await register(over: wire)
            let outcome = await run(over: wire, notification: notification, endingWith: end, progress: progress)
            try await wire.close()
            return outcome
        } catch {
            try? await wire.close()
            throw error
        }
    }

    /// - Returns: The key of the notification by which activities start.
    private func register(over wire: NetmeraWire) async throws -> String {
        guard registers else { return "" }
        let users = 0..<operations.groups
        let calls = users.lazy.map(wire.starterToken) + users.lazy.map(wire.updateToken)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, call) in calls.enumerated() {
                if place >= connections { try await group.next() }
                group.addTask { _ = try await wire.demand(call) }
            }
            try await group.waitForAll()
        }
        guard let key = try await wire.demand(.define(wire.start)) else { throw NetmeraLoadError.noNotificationKey }
        if startsAll { _ = try await wire.demand(.startAll(wire.start)) }
        return key
    }

    private func run(
        over wire: NetmeraWire,
        notification: String,
        endingWith end: EarlyEnd,
        progress: @escaping @Sendable (Outcome, TimeSpan) -> Void
    ) async -> Outcome {
        let book = Mutex(Outcome())
        let loop = OpenLoop(plan: plan)
        let began = await loop.run(endingWith: end) { elapsed, open, mark in
            var outcome = book.withLock { $0 }
            outcome.open = open
            outcome.earlyEnd = mark
            progress(outcome, elapsed)
        } request: { number, due in
            let operation = operations.operation(number)
            let sent = NIODeadline.now()
            let due = sent - .nanoseconds(due.duration(to: .now).nanoseconds)
            let outcome = await wire.outcome(of: wire.call(operation, notification: notification))
            let done = NIODeadline.now()
            return APNsCompletion(number: UInt64(number), outcome: outcome, due: due, sent: sent, done: done)
        } record: { completion in
            let kind = operations.operation(Int(completion.number)).kind
            book.withLock { record(completion, kind, in: &$0) }
        }
        return book.withLock { book in
            let now = NIODeadline.now()
            for number in began.notBegun {
                let id = UInt64(number)
                let completion = APNsCompletion(number: id, outcome: .notSent, due: now, sent: nil, done: now)
                record(completion, operations.operation(number).kind, in: &book)
            }
            book.latestStart = began.latestStart.nanoseconds / 1000
            book.notSent = began.notBegun.count
            book.earlyEnd = began.earlyEnd
            return book
        }
    }

    private func record(_ completion: APNsCompletion, _ kind: NetmeraOperations.Kind, in book: inout Outcome) {
        let offset = plan.due(Int(completion.number))
        guard offset >= warmUp.microseconds * 1000 else { return }
        book.tally.record(completion, dueAfter: offset, isRetry: false, firstDue: completion.due)
        // What was never sent is in no count of what was sent.
        if completion.outcome == .notSent { return }
        if let place = book.kinds.firstIndex(where: { $0.kind == kind }) { book.kinds[place].count += 1 }
    }
}

/// Why a load on a service in Netmera's manner cannot begin.
package enum NetmeraLoadError: Error, Hashable, CustomStringConvertible {
    /// A call before the load was not taken; nil: not answered.
    case refused(call: String, status: Int?)
    /// The definition of a notification was taken, and no key came back.
    case noNotificationKey

    /// In words.
    package var description: String {
        switch self {
        case .refused(let call, let status?):
            "\(call): got status \(status) before the load, allowed is 200"
        case .refused(let call, nil):
            "\(call): got no answer before the load, allowed is 200"
        case .noNotificationKey:
            "createNotificationDefinition: got no notificationKey, allowed is a text"
        }
    }
}
