package import Experiments
package import LoadGenerator
import NIOCore
package import Quantities
package import Shell
import Synchronization
import Wire

/// An open-loop load on a service that accepts Netmera's REST calls for Live Activities.
///
/// Before the measured load, the tokens of users and groups are registered and a notification is defined. The calls of a
/// backend follow Netmera's article. How apps send their events is not published, so registration works with the stand-in's
/// gateway only; see ``registers``.
package struct NetmeraLoad: Sendable {
    /// The address of the service, in the form `http://HOST:PORT` or `https://HOST:PORT`.
    package var endpoint: String
    /// The value of `X-netmera-api-key`.
    package var key: String
    /// The due times of requests.
    package var plan: RatePlan
    /// The requests.
    package var operations: NetmeraOperations
    /// The warm-up: requests due in this time at the beginning are not measured.
    package var warmUp = TimeSpan.zero
    /// `true` if tokens are registered by events; otherwise the groups `ride-0`, `ride-1`… must exist already.
    package var registers = true
    /// `true` if `sendBulkNotification` starts an activity for all users first; a real service does so for all of its users.
    package var startsAll = false
    /// `priority` of updates: 5 or 10.
    package var priority: UInt8 = 10
    /// The approximate length of a `contentState` [bytes].
    package var contentBytes = 300
    /// A file (PEM) of certificate authorities to trust instead of the system's.
    package var authority: String?
    /// The most connections.
    package var connections = 4
    /// The longest wait of a call for a connection; a call that waits longer is not sent.
    package var connectionWait = TimeSpan.seconds(5)
    /// The timeout of a request.
    package var timeout = TimeSpan.seconds(10)

    /// A load.
    package init(endpoint: String, key: String, plan: RatePlan, operations: NetmeraOperations) {
        self.endpoint = endpoint
        self.key = key
        self.plan = plan
        self.operations = operations
    }

    /// The results of a load.
    package struct Outcome: Sendable {
        /// Requests and their times; requests that were not started count as not sent.
        package var tally = PushTally()
        /// The number of measured requests by kind, in the order of all kinds.
        package var kinds = NetmeraOperations.Kind.allCases.map { (kind: $0, count: 0) }
        /// The largest delay between a request's due time and its start, which the generator causes itself [µs].
        package var latestStart: Int64 = 0
        /// The number of requests that were not sent because too many were in flight.
        package var notSent = 0
        /// The early end; nil for a load that ran to the end of its plan.
        package var earlyEnd: EarlyEndMark?
        /// The number of calls in flight while the load runs.
        package var open = 0
    }

    /// Runs the plan until its end, an early end, or the task's cancellation, and waits for the answers.
    ///
    /// - Parameters:
    ///   - end: The request for an early end.
    ///   - progress: Called once a second with the results so far and the elapsed time.
    /// - Throws: ``NetmeraLoadError`` if the service cannot be reached or rejects the registrations.
    package func run(
        endingWith end: EarlyEnd = EarlyEnd(),
        progress: @escaping @Sendable (Outcome, TimeSpan) -> Void
    ) async throws -> Outcome {
        let wire = try NetmeraWire(self)
        do {
            let notification = try await register(over: wire)
            let outcome = await run(over: wire, notification: notification, endingWith: end, progress: progress)
            await wire.close()
            return outcome
        } catch {
            await wire.close()
            throw error
        }
    }

    /// Registers tokens and defines the notification.
    ///
    /// - Returns: The key of the notification that starts activities.
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
        // The kinds count only requests that were sent.
        if completion.outcome == .notSent { return }
        if let place = book.kinds.firstIndex(where: { $0.kind == kind }) { book.kinds[place].count += 1 }
    }
}

/// The reason why a load on a service with Netmera's calls cannot begin.
package enum NetmeraLoadError: Error, Hashable, CustomStringConvertible {
    /// A call before the load was rejected; a status of nil means that it had no answer.
    case refused(call: String, status: Int?)
    /// The definition of a notification was accepted without returning a key.
    case noNotificationKey

    /// The call, its answer and what is allowed.
    package var description: String {
        switch self {
        case .refused(let call, let status?):
            "\(call): got status \(status) before the load; allowed: 200"
        case .refused(let call, nil):
            "\(call): got no answer before the load; allowed: 200"
        case .noNotificationKey:
            "createNotificationDefinition: got no notificationKey; allowed: a text"
        }
    }
}
