package import Histogram
package import NIOCore
import Wire

/// The measured outcomes of a load's requests.
package struct LoadTally: Sendable {
    /// Times in whole microseconds, with counts of a type.
    package typealias Buckets<Count: FixedWidthInteger & Codable & Sendable> = Histogram<Count>
    /// Times in whole microseconds, to three digits, up to an hour.
    package typealias Times = Buckets<UInt64>

    /// Times from due time to answer [µs], the sender's own delays included.
    package internal(set) var latency = LoadTally.times
    /// Times from sending to answer [µs].
    package internal(set) var serviceTime = LoadTally.times
    /// Times from due time to sending [µs].
    package internal(set) var sendWait = LoadTally.times
    /// Times from the first due time of a request to its acceptance, retries included [µs].
    package internal(set) var timeToAcceptance = LoadTally.times
    /// Times from due time until the generator handled the request [µs], which are its own part of the latencies.
    package internal(set) var lateness = LoadTally.times
    /// The number of first attempts that were sent and have an outcome.
    package internal(set) var firstAttempts = 0
    /// The number of retries that were sent and have an outcome.
    package internal(set) var retries = 0
    /// The number of requests given up after their last attempt.
    package internal(set) var givenUp = 0
    /// The number of retries not made because the budget was spent.
    package internal(set) var withheld = 0
    /// The number of pushes that were not accepted and have no further attempt.
    package internal(set) var notAccepted = 0
    /// Their shortest and their longest wait, from the first due time [µs]; nil if there are none.
    package internal(set) var notAcceptedWaits: ClosedRange<UInt64>?
    /// The number of requests that did not begin because too many were in flight; they count as never sent.
    package internal(set) var notBegun = 0
    /// The number of requests without an answer, by reason in words; empty if the target does not report reasons.
    package internal(set) var causes: [String: Int] = [:]
    /// The results by kind, in the order of reports; empty if all requests are of one kind.
    package internal(set) var kinds: [Kind]
    /// The number of answers by status.
    package internal(set) var statuses: [Int: Int] = [:]
    /// The outcomes of all requests.
    package internal(set) var learnt = Outcomes()
    /// The outcomes by the second in which requests were due, from the beginning of the load.
    package internal(set) var seconds: [Second] = []
    /// The outcomes by the second in which they became known.
    package internal(set) var outcomes: [Outcomes] = []
    /// The times of the endpoint's faults since the beginning of the load; empty if none are known.
    package var faults = FaultPeriods([])
    /// The outcomes of the requests that were due before, during and after the faults; empty without faults.
    package internal(set) var phases: [FaultPeriods.Phase: Second] = [:]

    /// The results of requests of one kind.
    package struct Kind: Sendable {
        /// Its name in reports.
        package let name: String
        /// Times from due time to answer [µs]; requests without an answer have none.
        package internal(set) var latency = LoadTally.times
        /// The number of answers by status.
        package internal(set) var statuses: [Int: Int] = [:]
        /// The outcomes.
        package internal(set) var learnt = Outcomes()

        /// The number of requests sent.
        package var sent: Int { learnt.total - learnt.notSent }

        mutating func add(_ other: Kind) {
            latency.add(other.latency)
            statuses.merge(other.statuses, uniquingKeysWith: +)
            learnt.add(other.learnt)
        }
    }

    /// The counts of outcomes.
    package struct Outcomes: Hashable, Sendable {
        /// The number of accepted requests.
        package var accepted = 0
        /// The number of rejected requests by reason.
        package var reasons: [String: Int] = [:]
        /// The number of requests that were sent and had no answer in time.
        package var timedOut = 0
        /// The number of requests that were never sent, because no stream was free in time, or too many were open.
        package var notSent = 0
        /// The number of requests that were lost with their connection or stream.
        package var connectionLost = 0
        /// The number of requests on which the other side has certainly not acted.
        package var notProcessed = 0
        /// The shortest and the longest wait of requests without an answer: from the due time until they were given up [µs].
        package internal(set) var waits: ClosedRange<UInt64>?

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

        /// Counts a request.
        ///
        /// - Parameter wait: The time from its due time to its outcome [µs].
        package mutating func count(_ outcome: APNsOutcome, after wait: UInt64) {
            if case .answered = outcome {} else { include(wait...wait) }
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
            if let waits = other.waits { include(waits) }
        }

        private mutating func include(_ more: ClosedRange<UInt64>) { waits = waits?.including(more) ?? more }
    }

    /// The outcomes of the requests that were due in one second.
    package struct Second: Sendable {
        /// Their outcomes, whenever these became known.
        package var learnt = Outcomes()
        /// Times from due time to answer [µs], to two digits.
        package var latency = Histogram<UInt32>(
            highestTrackableValue: LoadTally.longestMicroseconds,
            numberOfSignificantValueDigits: .two
        )

        /// A second without requests.
        package init() {}

        /// Adds the requests of another second.
        package mutating func add(_ other: Second) {
            learnt.add(other.learnt)
            latency.add(other.latency)
        }
    }

    /// A tally without requests.
    ///
    /// - Parameter kinds: The names of the kinds of requests; empty if all are of one kind.
    package init(kinds: [String] = []) { self.kinds = kinds.map { Kind(name: $0) } }

    /// The longest time that is recorded [µs].
    static let longestMicroseconds: UInt64 = 3_600_000_000

    /// Times without a record.
    static var times: Times {
        Times(highestTrackableValue: longestMicroseconds, numberOfSignificantValueDigits: .three)
    }

    /// The number of requests that were sent and have an outcome.
    package var sent: Int { firstAttempts + retries }
    /// The number of requests with an outcome, including requests that were never sent.
    package var requests: Int { sent + learnt.notSent }
    /// The reason why all requests failed, in words; nil if some succeeded or reasons differ.
    package var soleCause: String? {
        let reasons = causes.map { ($0.key, $0.value) } + statuses.map { ("status \($0.key)", $0.value) }
        guard learnt.accepted == 0, reasons.count == 1, reasons[0].1 == requests else { return nil }
        return reasons[0].0
    }
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
    ///   - kind: The index of its kind; nil if all requests are of one kind.
    ///   - dueAfter: The due time since the beginning of the load [ns]; nil for a request outside of the time series.
    ///   - firstDue: The due time of the first attempt; nil if this is it.
    package mutating func record(
        _ completion: APNsCompletion,
        kind: Int? = nil,
        dueAfter: Int64?,
        isRetry: Bool = false,
        firstDue: NIODeadline? = nil
    ) {
        switch (completion.outcome, isRetry) {
        case (.notSent, _): break
        case (_, true): retries += 1
        case (_, false): firstAttempts += 1
        }
        let second = dueAfter.map { Int($0 / 1_000_000_000) }
        let latency = LoadTally.microseconds(from: completion.due, to: completion.done)
        learnt.count(completion.outcome, after: latency)
        if let kind { kinds[kind].learnt.count(completion.outcome, after: latency) }
        if let dueAfter, let second {
            while seconds.count <= second { seconds.append(Second()) }
            let took = max(0, (completion.done - completion.due).nanoseconds)
            let doneSecond = Int((dueAfter + took) / 1_000_000_000)
            while outcomes.count <= doneSecond { outcomes.append(Outcomes()) }
            seconds[second].learnt.count(completion.outcome, after: latency)
            if !faults.isEmpty {
                let phase = faults.phase(at: dueAfter / 1000)
                phases[phase, default: Second()].learnt.count(completion.outcome, after: latency)
                if case .answered = completion.outcome { phases[phase]?.latency.record(latency) }
            }
            outcomes[doneSecond].count(completion.outcome, after: latency)
        }
        // The wait for a stream is known for every request that was sent, with or without an answer.
        if let sent = completion.sent { sendWait.record(LoadTally.microseconds(from: completion.due, to: sent)) }
        guard case .answered(let answer) = completion.outcome else { return }
        self.latency.record(latency)
        if let second { seconds[second].latency.record(latency) }
        if let kind {
            kinds[kind].latency.record(latency)
            kinds[kind].statuses[answer.status, default: 0] += 1
        }
        if let sent = completion.sent { serviceTime.record(LoadTally.microseconds(from: sent, to: completion.done)) }
        statuses[answer.status, default: 0] += 1
        if answer.isAccepted {
            timeToAcceptance.record(LoadTally.microseconds(from: firstDue ?? completion.due, to: completion.done))
        }
    }

    /// Counts a push that was not accepted and has no further attempt.
    ///
    /// - Parameters:
    ///   - firstDue: The due time of its first attempt.
    ///   - end: The instant of its last outcome, or of the stop before its retry.
    package mutating func recordNotAccepted(from firstDue: NIODeadline, to end: NIODeadline) {
        notAccepted += 1
        let wait = LoadTally.microseconds(from: firstDue, to: end)
        notAcceptedWaits = notAcceptedWaits?.including(wait...wait) ?? wait...wait
    }

    /// Counts the reason why a request had no answer, in words; nil: it had one, or the reason is unknown.
    package mutating func note(_ cause: String?) { if let cause { causes[cause, default: 0] += 1 } }

    /// Records how late the generator handles a request.
    package mutating func recordLateness(from due: NIODeadline, to now: NIODeadline) {
        lateness.record(LoadTally.microseconds(from: due, to: now))
    }

    /// Adds the tally of another lane or another share of the load, with the same kinds.
    package mutating func add(_ other: LoadTally) {
        for (_, times) in LoadTally.histograms { self[keyPath: times].add(other[keyPath: times]) }
        for (_, count) in LoadTally.counts { self[keyPath: count] += other[keyPath: count] }
        if let waits = other.notAcceptedWaits { notAcceptedWaits = notAcceptedWaits?.including(waits) ?? waits }
        notBegun += other.notBegun
        causes.merge(other.causes, uniquingKeysWith: +)
        for (index, kind) in other.kinds.enumerated() { kinds[index].add(kind) }
        statuses.merge(other.statuses, uniquingKeysWith: +)
        learnt.add(other.learnt)
        while seconds.count < other.seconds.count { seconds.append(Second()) }
        for (index, second) in other.seconds.enumerated() { seconds[index].add(second) }
        if faults.isEmpty { faults = other.faults }
        for phase in FaultPeriods.Phase.allCases {
            if let part = other.phases[phase] { phases[phase, default: Second()].add(part) }
        }
        while outcomes.count < other.outcomes.count { outcomes.append(Outcomes()) }
        for (index, second) in other.outcomes.enumerated() { outcomes[index].add(second) }
    }

    private static func microseconds(from start: NIODeadline, to end: NIODeadline) -> UInt64 {
        let nanoseconds = (end - start).nanoseconds
        return nanoseconds > 0 ? min(longestMicroseconds, UInt64(nanoseconds) / 1000) : 0
    }
}

extension ClosedRange<UInt64> {
    /// Returns the shortest range that contains this one and another.
    fileprivate func including(_ other: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
