package import Experiments
import Histogram
package import LoadGenerator
import NIOCore
package import Quantities
package import Shell
import Synchronization
package import Wire

/// An open-loop load on a Freshness Monitor: each request is sent at its due time, whether earlier ones are answered or not.
package struct MonitorLoad: Sendable {
    /// The monitor's address, in the form `https://HOST:PORT`.
    package var monitor: String
    /// The bearer token of requests.
    package var secret: String
    /// A file (PEM) of certificate authorities to trust instead of the system's.
    package var authority: String?
    /// The due times of requests.
    package var plan: RatePlan
    /// The requests.
    package var operations: MonitorOperations
    /// The TTL of content [s].
    var timeToLive: Int64 = 120
    /// The most connections.
    package var connections = 64

    /// A load.
    package init(monitor: String, secret: String, authority: String?, plan: RatePlan, operations: MonitorOperations) {
        self.monitor = monitor
        self.secret = secret
        self.authority = authority
        self.plan = plan
        self.operations = operations
    }

    /// Runs the plan until its end, an early end, or the task's cancellation, and waits for the answers.
    ///
    /// - Parameters:
    ///   - end: The request for an early end.
    ///   - progress: Called once a second with the results so far and the elapsed time.
    package func run(
        endingWith end: EarlyEnd = EarlyEnd(),
        progress: @escaping @Sendable (MonitorTally, TimeSpan) -> Void
    ) async throws -> MonitorTally {
        let client = try MonitorClient(monitor: monitor, secret: secret, authority: authority, connections: connections)
        let book = Mutex(MonitorTally())
        let epoch = WallClock.microseconds
        let loop = OpenLoop(plan: plan)
        let outcome = await loop.run(endingWith: end) { elapsed, open, mark in
            var tally = book.withLock { $0 }
            tally.open = open
            tally.earlyEnd = mark
            progress(tally, elapsed)
        } request: { number, due in
            let operation = operations.operation(number)
            let result = await send(operation, generatedAt: epoch + plan.due(number) / 1000, over: client)
            let latency = due.duration(to: .now).nanoseconds / 1000
            return (kind: operation.kind, result: result, latency: latency, offset: plan.due(number))
        } record: { done in
            book.withLock { book in
                book.add(done.kind, done.result.outcome, microseconds: done.latency, dueAfter: done.offset)
                book.note(done.result.cause)
            }
        }
        await client.shutDown()
        return book.withLock { tally in
            tally.latestStart = outcome.latestStart.nanoseconds / 1000
            for number in outcome.notBegun {
                tally.add(operations.operation(number).kind, .notSent, microseconds: 0, dueAfter: plan.due(number))
            }
            tally.earlyEnd = outcome.earlyEnd
            return tally
        }
    }

    private func send(
        _ operation: MonitorOperations.Operation,
        generatedAt: Int64,
        over client: MonitorClient
    ) async -> MonitorClient.Result {
        var body: String?
        switch operation.kind {
        case .publish:
            body = operation.token.map { TokenPublication(token: $0).json }
        case .announce:
            body =
                ContentAnnouncement(
                    state: RideContent.state(generatedAt: generatedAt),
                    generatedAt: Instant(microseconds: generatedAt),
                    staleDate: Instant(microseconds: generatedAt + timeToLive * 1_000_000)
                )
                .json
        default:
            break
        }
        return await client.result(of: operation.kind, about: "ride-\(operation.instance)", body: body)
    }
}

/// The results of requests to a monitor.
package struct MonitorTally: Sendable {
    /// The results of requests of one kind.
    package struct Share: Sendable {
        /// Times from due time to answer [µs], to three digits and up to a minute; requests without an answer are left out.
        package var latency = PushTally.Times(
            highestTrackableValue: UInt64(MonitorTally.longestMicroseconds),
            numberOfSignificantValueDigits: .three
        )
        /// Answers by status.
        package var statuses: [Int: Int] = [:]
        /// Requests without an answer, by reason.
        package var missing = PushTally.Outcomes()

        /// The number of requests sent.
        package var requests: Int { Int(latency.totalCount) + missing.missing - missing.notSent }
        /// `true` if there were no requests at all, sent or not.
        package var isEmpty: Bool { latency.totalCount == 0 && missing.missing == 0 }

        mutating func add(_ outcome: APNsOutcome, microseconds: Int64) {
            guard case .answered(let answer) = outcome else { return missing.count(outcome) }
            latency.record(UInt64(max(0, min(microseconds, MonitorTally.longestMicroseconds))))
            statuses[answer.status, default: 0] += 1
        }

        fileprivate mutating func add(_ other: Share) {
            latency.add(other.latency)
            statuses.merge(other.statuses, uniquingKeysWith: +)
            missing.add(other.missing)
        }
    }

    /// A tally without requests.
    package init() {}

    /// The results by kind, in the order of ``MonitorOperations/kinds``.
    package private(set) var shares = MonitorOperations.kinds.map { (kind: $0, share: Share()) }
    /// All requests of a load at a rate, second by second.
    package private(set) var course = PushTally()
    /// The largest delay between a request's due time and its start, which the generator causes itself [µs].
    package internal(set) var latestStart: Int64 = 0
    /// The early end; nil for a load that ran to the end of its plan.
    package internal(set) var earlyEnd: EarlyEndMark?

    /// The number of requests in flight while the load runs.
    package internal(set) var open = 0
    /// The number of requests without an answer, by reason in words.
    package private(set) var causes: [String: Int] = [:]

    /// The number of requests that were sent and then answered or given up.
    package var requests: Int { shares.reduce(0) { $0 + $1.share.requests } }

    /// The number of requests never sent, because there was no connection or too many were in flight.
    package var notSent: Int { shares.reduce(0) { $0 + $1.share.missing.notSent } }

    /// All kinds together.
    package var all: Share { shares.reduce(into: Share()) { $0.add($1.share) } }

    fileprivate static let longestMicroseconds: Int64 = 60_000_000

    /// Counts the reason why a request had no answer; nil: it had one.
    package mutating func note(_ cause: String?) {
        if let cause { causes[cause, default: 0] += 1 }
    }

    /// The reason why all requests failed, in words; nil if some succeeded or reasons differ.
    package var soleCause: String? {
        let statuses = all.statuses
        let reasons = causes.map { ($0.key, $0.value) } + statuses.map { ("status \($0.key)", $0.value) }
        guard reasons.count == 1, let (reason, count) = reasons.first, count == requests + notSent,
            statuses.keys.allSatisfy(Self.isFailure)
        else { return nil }
        return reason
    }

    /// `true` if a status means that the monitor did not do what the request asked.
    ///
    /// 409 (the instance is over) and 404 (the instance is no longer known) are not failures. Apps whose ride has ended
    /// elsewhere ask about such instances, and both are the right answers.
    package static func isFailure(_ status: Int) -> Bool {
        !(200..<300).contains(status) && status != 404 && status != 409
    }

    /// Records a request.
    ///
    /// - Parameter offset: Its due time since the beginning of the load [ns]; nil if no time series is kept.
    package mutating func add(
        _ kind: MonitorRoute,
        _ outcome: APNsOutcome,
        microseconds: Int64,
        dueAfter offset: Int64? = nil
    ) {
        guard let index = shares.firstIndex(where: { $0.kind == kind }) else { return }
        shares[index].share.add(outcome, microseconds: microseconds)
        guard let offset else { return }
        let done = NIODeadline.now()
        let due = done - .microseconds(microseconds)
        let drawn = Self.drawn(outcome)
        let completion = APNsCompletion(number: 0, outcome: drawn, due: due, sent: nil, done: done)
        course.record(completion, dueAfter: offset, isRetry: false, firstDue: due)
    }

    /// An outcome as time series of loads record it: every answer that is no failure becomes a 200.
    private static func drawn(_ outcome: APNsOutcome) -> APNsOutcome {
        guard case .answered(let answer) = outcome else { return outcome }
        let (status, hasFailed) = (answer.status, isFailure(answer.status))
        return .answered(APNsAnswer(status: hasFailed ? status : 200, reason: hasFailed ? "status \(status)" : nil))
    }
}
