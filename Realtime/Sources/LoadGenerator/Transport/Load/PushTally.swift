package import Histogram
package import NIOCore
import Wire

/// The measured outcomes of a load's pushes.
package struct PushTally: Sendable {
    /// Times in whole microseconds, to three digits, up to an hour.
    package typealias Times = Histogram<UInt64>

    /// Times from due time to answer [µs], the sender's own delays included.
    package internal(set) var latency = PushTally.times
    /// Times from sending to answer [µs].
    package internal(set) var serviceTime = PushTally.times
    /// Times from due time to sending [µs].
    package internal(set) var sendWait = PushTally.times
    /// Times from the first due time of a push to its acceptance, retries included [µs].
    package internal(set) var timeToAcceptance = PushTally.times
    /// Times from due time until the generator handled the push [µs], which are its own part of the latencies.
    package internal(set) var lateness = PushTally.times
    /// The number of first attempts that were sent and have an outcome.
    package internal(set) var firstAttempts = 0
    /// The number of retries that were sent and have an outcome.
    package internal(set) var retries = 0
    /// The number of pushes given up after their last attempt.
    package internal(set) var givenUp = 0
    /// The number of retries not made because the budget was spent.
    package internal(set) var withheld = 0
    /// The number of answers by status.
    package internal(set) var statuses: [Int: Int] = [:]
    /// The outcomes of all requests.
    package internal(set) var learnt = Outcomes()
    /// The outcomes by the second in which requests were due, from the beginning of the load.
    package internal(set) var seconds: [Second] = []
    /// The outcomes by the second in which they became known.
    package internal(set) var outcomes: [Outcomes] = []

    /// The counts of outcomes.
    package struct Outcomes: Hashable, Sendable {
        /// The number of accepted requests.
        package var accepted = 0
        /// The number of rejected requests by reason.
        package var reasons: [String: Int] = [:]
        /// The number of requests that were sent and had no answer in time.
        package var timedOut = 0
        /// The number of requests that were never sent, because no stream was free in time.
        package var notSent = 0
        /// The number of requests that were lost with their connection or stream.
        package var connectionLost = 0
        /// The number of requests on which APNs has certainly not acted.
        package var notProcessed = 0

        /// Counts of zero.
        package init() {}

        /// The number of rejected requests.
        package var refused: Int { reasons.values.reduce(0, +) }
        /// The number of answered requests.
        package var answered: Int { accepted + refused }
        /// The number of requests without an answer.
        package var missing: Int { timedOut + notSent + connectionLost + notProcessed }
        /// The number of requests.
        package var total: Int { answered + missing }

        package mutating func count(_ outcome: APNsOutcome) {
            switch outcome {
            case .answered(let answer) where answer.isAccepted: accepted += 1
            case .answered(let answer): reasons[answer.reason ?? "unknown", default: 0] += 1
            case .timedOut: timedOut += 1
            case .notSent: notSent += 1
            case .connectionLost: connectionLost += 1
            case .notProcessed: notProcessed += 1
            }
        }

        /// Adds other counts.
        package mutating func add(_ other: Outcomes) {
            accepted += other.accepted
            reasons.merge(other.reasons, uniquingKeysWith: +)
            timedOut += other.timedOut
            notSent += other.notSent
            connectionLost += other.connectionLost
            notProcessed += other.notProcessed
        }
    }

    /// The outcomes of the requests that were due in one second.
    package struct Second: Sendable {
        /// Their outcomes, whenever these became known.
        package var learnt = Outcomes()
        /// Times from due time to answer [µs], to two digits.
        package var latency = Histogram<UInt32>(
            highestTrackableValue: PushTally.longestMicroseconds,
            numberOfSignificantValueDigits: .two
        )

        /// A second without requests.
        package init() {}

        mutating func add(_ other: Second) {
            learnt.add(other.learnt)
            latency.add(other.latency)
        }
    }

    /// A tally without requests.
    package init() {}

    private static let longestMicroseconds: UInt64 = 3_600_000_000
    private static var times: Times {
        Times(highestTrackableValue: longestMicroseconds, numberOfSignificantValueDigits: .three)
    }

    /// The number of requests with an outcome, including requests that were never sent.
    package var requests: Int { firstAttempts + retries + learnt.notSent }
    /// The reasons of APNs that no answer had.
    package var reasonsNotGiven: [String] {
        APNsResponseReason.allCases.map(\.text).filter { learnt.reasons[$0] == nil }
    }
    /// The statuses of APNs that no answer had, in rising order.
    package var statusesNotGiven: [Int] {
        Set(APNsResponseReason.allCases.map(\.status) + [200]).filter { statuses[$0] == nil }.sorted()
    }

    /// Records the outcome of a request.
    ///
    /// - Parameters:
    ///   - dueAfter: The due time since the beginning of the load [ns].
    ///   - firstDue: The due time of the first attempt.
    package mutating func record(_ completion: APNsCompletion, dueAfter: Int64, isRetry: Bool, firstDue: NIODeadline) {
        switch (completion.outcome, isRetry) {
        case (.notSent, _): break
        case (_, true): retries += 1
        case (_, false): firstAttempts += 1
        }
        let second = Int(dueAfter / 1_000_000_000)
        while seconds.count <= second { seconds.append(Second()) }
        let took = max(0, (completion.done - completion.due).nanoseconds)
        let doneSecond = Int((dueAfter + took) / 1_000_000_000)
        while outcomes.count <= doneSecond { outcomes.append(Outcomes()) }
        learnt.count(completion.outcome)
        seconds[second].learnt.count(completion.outcome)
        outcomes[doneSecond].count(completion.outcome)
        guard case .answered(let answer) = completion.outcome else { return }
        let latency = PushTally.microseconds(from: completion.due, to: completion.done)
        self.latency.record(latency)
        seconds[second].latency.record(latency)
        if let sent = completion.sent {
            serviceTime.record(PushTally.microseconds(from: sent, to: completion.done))
            sendWait.record(PushTally.microseconds(from: completion.due, to: sent))
        }
        statuses[answer.status, default: 0] += 1
        if answer.isAccepted {
            timeToAcceptance.record(PushTally.microseconds(from: firstDue, to: completion.done))
        }
    }

    /// Records how late the generator handles a push.
    mutating func recordLateness(from due: NIODeadline, to now: NIODeadline) {
        lateness.record(PushTally.microseconds(from: due, to: now))
    }

    /// Adds the tally of another lane or another share of the load.
    package mutating func add(_ other: PushTally) {
        latency.add(other.latency)
        serviceTime.add(other.serviceTime)
        sendWait.add(other.sendWait)
        timeToAcceptance.add(other.timeToAcceptance)
        lateness.add(other.lateness)
        firstAttempts += other.firstAttempts
        retries += other.retries
        givenUp += other.givenUp
        withheld += other.withheld
        statuses.merge(other.statuses, uniquingKeysWith: +)
        learnt.add(other.learnt)
        while seconds.count < other.seconds.count { seconds.append(Second()) }
        for (index, second) in other.seconds.enumerated() { seconds[index].add(second) }
        while outcomes.count < other.outcomes.count { outcomes.append(Outcomes()) }
        for (index, second) in other.outcomes.enumerated() { outcomes[index].add(second) }
    }

    private static func microseconds(from start: NIODeadline, to end: NIODeadline) -> UInt64 {
        let nanoseconds = (end - start).nanoseconds
        return nanoseconds > 0 ? min(longestMicroseconds, UInt64(nanoseconds) / 1000) : 0
    }
}
