package import Experiments
import Histogram
package import LoadGenerator
import NIOCore
package import Quantities
package import Reporting
import Synchronization
package import Wire

/// Open-loop load on a Freshness Monitor: each request is sent when its plan says, whether those before are answered or not.
package struct MonitorLoad: Sendable {
    /// Where the monitor is: `https://HOST:PORT`.
    package var monitor: String
    /// What requests have to show.
    package var secret: String
    /// A certificate authority to trust in place of the system's (PEM).
    package var authority: String?
    /// When requests are due.
    package var plan: RatePlan
    /// What they ask.
    package var operations: MonitorOperations
    /// How long content is good for [s].
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

    /// Runs the plan to its end, to an early one, or until the task is cancelled, and waits for the answers.
    ///
    /// - Parameters:
    ///   - end: What may ask for an early end.
    ///   - progress: Is told once a second what has come of the load so far, and how long it has been running.
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

/// What became of requests to a monitor.
package struct MonitorTally: Sendable {
    /// What became of requests of one kind.
    package struct Share: Sendable {
        /// From when requests were due to their answers [µs], to three digits, up to a minute; of those that had one.
        package var latency = PushTally.Times(
            highestTrackableValue: UInt64(MonitorTally.longestMicroseconds),
            numberOfSignificantValueDigits: .three
        )
        /// Answers by status.
        package var statuses: [Int: Int] = [:]
        /// Requests without an answer, by why.
        package var missing = PushTally.Outcomes()

        /// How many requests were sent.
        package var requests: Int { Int(latency.totalCount) + missing.missing - missing.notSent }
        /// Whether there were any, those that were never sent among them.
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

    /// Nothing so far.
    package init() {}

    /// By what was asked, in the order of ``MonitorOperations/kinds``.
    package private(set) var shares = MonitorOperations.kinds.map { (kind: $0, share: Share()) }
    /// All requests second by second, of a load at a rate.
    package private(set) var course = PushTally()
    /// How late the latest request was sent, as the generator's own fault [µs].
    package internal(set) var latestStart: Int64 = 0
    /// That the load was ended before its time.
    package internal(set) var earlyEnd: EarlyEndMark?

    /// How many requests are due and have no answer yet, of a load that runs.
    package internal(set) var open = 0
    /// Why requests had no answer, in words, and how many for each reason.
    package private(set) var causes: [String: Int] = [:]

    /// How many requests were sent, and are answered or given up.
    package var requests: Int { shares.reduce(0) { $0 + $1.share.requests } }

    /// Requests that were never sent: there was no connection, or too many were without an answer.
    package var notSent: Int { shares.reduce(0) { $0 + $1.share.missing.notSent } }

    /// All kinds together.
    package var all: Share { shares.reduce(into: Share()) { $0.add($1.share) } }

    fileprivate static let longestMicroseconds: Int64 = 60_000_000

    /// Notes why a request had no answer; nil: it had one.
    package mutating func note(_ cause: String?) {
        if let cause { causes[cause, default: 0] += 1 }
    }

    /// Why all requests failed, in words; nil where some did not, or for different reasons.
    package var soleCause: String? {
        let statuses = all.statuses
        let reasons = causes.map { ($0.key, $0.value) } + statuses.map { ("status \($0.key)", $0.value) }
        guard reasons.count == 1, let (reason, count) = reasons.first, count == requests + notSent,
            statuses.keys.allSatisfy(Self.isFailure)
        else { return nil }
        return reason
    }

    /// Whether an answer says that the monitor did not do what it was asked.
    ///
    /// Neither 409, that an instance is over, is a failure, nor 404, that it is not known any more: apps whose ride has ended
    /// elsewhere ask about such instances, and these are the right answers.
    package static func isFailure(_ status: Int) -> Bool {
        !(200..<300).contains(status) && status != 404 && status != 409
    }

    /// Records a request.
    ///
    /// - Parameter offset: When it was due, since the beginning of the load [ns]; nil where no course of time is kept.
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

    /// An answer of a monitor as courses of loads have them: without failure, or how it failed.
    private static func drawn(_ outcome: APNsOutcome) -> APNsOutcome {
        guard case .answered(let answer) = outcome else { return outcome }
        let (status, hasFailed) = (answer.status, isFailure(answer.status))
        return .answered(APNsAnswer(status: hasFailed ? status : 200, reason: hasFailed ? "status \(status)" : nil))
    }
}
