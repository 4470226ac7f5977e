package import Histogram
package import NIOCore
import Wire

/// What has become of a load's pushes, as far as it is measured.
package struct PushTally: Sendable {
    /// Times in whole microseconds, to three digits, up to an hour.
    package typealias Times = Histogram<UInt64>

    /// From when requests were due to their answers [µs]: what a user of the sender meets, its own delays included.
    package internal(set) var latency = PushTally.times
    /// From when requests were sent to their answers [µs].
    package internal(set) var serviceTime = PushTally.times
    /// From when requests were due to when they were sent [µs].
    package internal(set) var sendWait = PushTally.times
    /// From when pushes were first due to their acceptance, retries included [µs].
    package internal(set) var timeToAcceptance = PushTally.times
    /// From when pushes were due to when the generator turned to them [µs]: its own part of what it measures.
    package internal(set) var lateness = PushTally.times
    /// How many first attempts were sent and have an outcome.
    package internal(set) var firstAttempts = 0
    /// How many retries were sent and have an outcome.
    package internal(set) var retries = 0
    /// How many pushes were given up after their last attempt.
    package internal(set) var givenUp = 0
    /// How many retries were not made because the budget was spent.
    package internal(set) var withheld = 0
    /// How many answers there were, by status.
    package internal(set) var statuses: [Int: Int] = [:]
    /// What was learnt of all requests.
    package internal(set) var learnt = Outcomes()
    /// What became of requests by the second in which they were due, counted from the beginning of the load.
    package internal(set) var seconds: [Second] = []
    /// What was learnt of requests in each second of the load, whenever they were due.
    package internal(set) var outcomes: [Outcomes] = []

    /// What was learnt of requests in one second.
    package struct Outcomes: Hashable, Sendable {
        /// How many were accepted.
        package var accepted = 0
        /// How many were refused, by reason.
        package var reasons: [String: Int] = [:]
        /// How many were sent and had no answer in time.
        package var timedOut = 0
        /// How many were never sent, as no stream was free for them in time.
        package var notSent = 0
        /// How many were lost with their connection or stream.
        package var connectionLost = 0
        /// How many APNs has certainly not acted on.
        package var notProcessed = 0

        /// Nothing so far.
        package init() {}

        /// How many were refused.
        package var refused: Int { reasons.values.reduce(0, +) }
        /// How many were answered.
        package var answered: Int { accepted + refused }
        /// How many had no answer.
        package var missing: Int { timedOut + notSent + connectionLost + notProcessed }
        /// How many there were.
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

        /// Adds what was learnt elsewhere, or afterwards.
        package mutating func add(_ other: Outcomes) {
            accepted += other.accepted
            reasons.merge(other.reasons, uniquingKeysWith: +)
            timedOut += other.timedOut
            notSent += other.notSent
            connectionLost += other.connectionLost
            notProcessed += other.notProcessed
        }
    }

    /// What became of the requests that were due in one second.
    package struct Second: Sendable {
        /// What was learnt of them, whenever that was.
        package var learnt = Outcomes()
        /// From when they were due to their answers [µs], to two digits.
        package var latency = Histogram<UInt32>(
            highestTrackableValue: PushTally.longestMicroseconds,
            numberOfSignificantValueDigits: .two
        )

        /// Nothing so far.
        package init() {}

        mutating func add(_ other: Second) {
            learnt.add(other.learnt)
            latency.add(other.latency)
        }
    }

    /// Nothing so far.
    package init() {}

    private static let longestMicroseconds: UInt64 = 3_600_000_000
    private static var times: Times {
        Times(highestTrackableValue: longestMicroseconds, numberOfSignificantValueDigits: .three)
    }

    /// How many requests have an outcome, those that were never sent among them.
    package var requests: Int { firstAttempts + retries + learnt.notSent }
    /// Reasons that APNs has and that no answer gave.
    package var reasonsNotGiven: [String] {
        APNsResponseReason.allCases.map(\.text).filter { learnt.reasons[$0] == nil }
    }
    /// Statuses that APNs has and that no answer had, rising.
    package var statusesNotGiven: [Int] {
        Set(APNsResponseReason.allCases.map(\.status) + [200]).filter { statuses[$0] == nil }.sorted()
    }

    /// Records the outcome of a request that was due a time after the beginning of the load [ns], its first attempt maybe
    /// earlier.
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

    /// Records how late the generator turns to a push.
    mutating func recordLateness(from due: NIODeadline, to now: NIODeadline) {
        lateness.record(PushTally.microseconds(from: due, to: now))
    }

    /// Adds what another lane has recorded, or another share of the load.
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
