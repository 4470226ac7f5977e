import Evaluation
import Histogram
import LoadGenerator
import Quantities
import Reporting
import Results
import Shell

/// The results of a load on an APNs endpoint, as metrics.
///
/// Metrics that the simulator measures too have the simulator's names.
struct LoadAPNsOutcome: Sendable {
    /// A step of the search for the limit.
    struct Trial: Sendable {
        let rate: Double
        let done: Double
        let percentile99: UInt64
        let holds: Bool
    }

    /// A share of the load.
    struct Share: Hashable, Sendable {
        /// Its number and the number of shares.
        let share: LoadShare
        /// The time for which it sent new pushes.
        let ran: TimeSpan
    }

    var tally = LoadTally()
    /// The time for which new pushes were sent.
    var duration = TimeSpan.zero
    /// The warm-up, which is not measured.
    var warmUp = TimeSpan.zero
    /// The connections; nil if nothing is known about them.
    var connections: APNsPoolNotes?
    /// The due times of pushes; nil for a closed loop.
    var plan: RatePlan?
    /// The shares that these results are of; empty for a load by one generator.
    var shares: [Share] = []
    /// The search for the limit, if there was one.
    var trials: [Trial] = []
    /// The number of requests sent, by kind; empty: updates only.
    var kinds: [(name: String, count: Int)] = []
    /// `true` if the pushes are those of a log, whatever their kinds.
    var isReplay = false
    /// Further notes for the report.
    var remarks: [String] = []
    /// The early end; nil for a load that ran to the end of its plan.
    var earlyEnd: EarlyEndMark?
    /// The wall-clock time at the beginning of the load [µs since 1970].
    var beganAt: Int64 = 0
    /// The faults of the endpoint, since the beginning of the load; empty if it plays or states none.
    var faults: [FaultSpan] = []

    /// The results of a load that has not begun, whose rows name all metrics.
    static func nothing(sent kinds: [String]) -> LoadAPNsOutcome {
        LoadAPNsOutcome(connections: kinds.isEmpty ? APNsPoolNotes() : nil, kinds: kinds.map { ($0, 0) })
    }

    /// Returns the outcome with the faults that the endpoint plays in wall-clock time.
    func meeting(_ faults: [ReadyFile.Fault]) -> LoadAPNsOutcome {
        var outcome = self
        outcome.faults = faults.map { $0.span(since: beganAt) }
        return outcome
    }

    /// A sentence saying that no request was answered; nil if one was, or if there were no requests.
    var silence: String? {
        let learnt = tally.learnt
        guard learnt.answered == 0, learnt.missing > 0 else { return nil }
        return
            "none of \(learnt.missing) requests was answered: \(learnt.timedOut) timed out, \(learnt.notSent) never sent, "
            + "\(learnt.connectionLost) lost with their connection, \(learnt.notProcessed) not processed"
            + (connections?.lastError.map { "; \($0)" } ?? "")
    }

    /// An explanation of the requests that were never sent; nil if there were none.
    var unsent: String? {
        guard tally.learnt.notSent > 0 else { return nil }
        return
            "Never sent: \(tally.learnt.notSent) of \(tally.requests) requests. No stream was free for them within the timeout, or "
            + "there was no connection. The sender was short of streams, and the endpoint did not see these requests. More "
            + "--connections or --streams help if the endpoint allows them; otherwise it answers too slowly for this rate."
    }

    /// Answers per second while pushes were sent; answers after the last push do not count.
    ///
    /// Whole seconds count. The first second after a warm-up is left out, because answers to pushes of the warm-up are not
    /// counted. A load without a whole second has all of its answers over its measured time.
    var answersPerSecond: Double? {
        let first = warmUp == .zero ? 0 : Int((warmUp.microseconds + 999_999) / 1_000_000) + 1
        let seconds = first..<max(first, Int(duration.microseconds / 1_000_000))
        guard seconds.isEmpty else {
            let answered = tally.outcomes.prefix(seconds.upperBound).dropFirst(first).reduce(0) { $0 + $1.answered }
            return Double(answered) / Double(seconds.count)
        }
        let measured = duration - warmUp
        return measured > .zero ? Double(tally.learnt.answered) / (Double(measured.microseconds) / 1e6) : nil
    }

    /// Every metric.
    var rows: [SummaryRow] {
        var rows: [SummaryRow] = [
            .count("pushes_sent_count", tally.firstAttempts + tally.retries),
            .count("pushes_given_up_count", tally.givenUp),
            .count("repeats_withheld_count", tally.withheld),
            .count(Unanswered.pushesNotAccepted, tally.notAccepted),
            .count("apns_response_count", tally.learnt.answered),
        ]
        let first = isReplay ? "log" : "update"
        let kinds = kinds.isEmpty ? [(first, tally.firstAttempts), ("retry", tally.retries)] : kinds
        rows.insert(contentsOf: kinds.map { .count("pushes_sent_count", $1, scope: "kind:\($0)") }, at: 1)
        rows += tally.statuses.sorted { $0.key < $1.key }
            .map { .count("apns_response_count", $0.value, scope: "status:\($0.key)") }
        rows += tally.learnt.reasons.sorted { $0.key < $1.key }
            .map { .count("apns_response_count", $0.value, scope: "reason:\($0.key)") }
        rows += tally.learnt.missingRows("apns_response_missing_count")
        rows += SummaryRow.waits(Unanswered.waitOfPushes, tally.notAcceptedWaits)
        rows += [
            .count("apns_response_missing_count", tally.learnt.notProcessed, scope: "why:not_processed"),
            .number("requests_per_second", "mean", answersPerSecond),
            .number("requests_asked_per_second", "mean", asked),
            .number("errors_ratio", "ratio", errors),
        ]
        if let connections {
            rows += [
                .count("connections_made_count", connections.connections),
                .count("connections_lost_count", connections.lostConnections),
                .count("goaways_count", connections.goAways),
            ]
        }
        for (name, times) in times { rows += SummaryRow.times(name, times) }
        return rows + phaseRows
    }

    /// Zero counts of the statuses and reasons that did not occur.
    ///
    /// Tables leave them out, but a threshold may demand that one of them never occurs.
    ///
    /// - Parameter thresholds: Thresholds, which may name statuses that APNs does not use, such as a proxy's.
    func absentRows(asked thresholds: [String]) -> [SummaryRow] {
        let named = thresholds.compactMap { text in
            text.firstMatch(of: #/\{status:([1-5][0-9]{2})\}/#).flatMap { Int($0.1) }
        }
        let statuses = Set(tally.statusesNotGiven + named).subtracting(tally.statuses.keys).sorted()
        return statuses.map { .count("apns_response_count", 0, scope: "status:\($0)") }
            + tally.reasonsNotGiven.map { .count("apns_response_count", 0, scope: "reason:\($0)") }
    }

    /// The share of requests that were not accepted; nil if there were no requests.
    var errors: Double? {
        tally.requests > 0 ? Double(tally.requests - tally.learnt.accepted) / Double(tally.requests) : nil
    }

    /// The mean rate of the plan [pushes/s].
    private var asked: Double? {
        guard let plan, duration > .zero else { return nil }
        return Double(dueCount(of: plan, at: duration.microseconds * 1000 - 1)) / (Double(duration.microseconds) / 1e6)
    }

    /// The number of its own pushes that were due at a time [ns since the beginning of the load] or before.
    func dueCount(of plan: RatePlan, at nanoseconds: Int64) -> Int {
        guard !shares.isEmpty else { return plan.dueCount(at: nanoseconds) }
        return shares.reduce(0) { sum, part in
            sum + part.share.count(among: plan.dueCount(at: min(nanoseconds, part.ran.microseconds * 1000 - 1)))
        }
    }

    /// The generator's own lateness; nil without a plan, and for REST calls, whose remarks state it.
    var lateness: DriverLateness? { kinds.isEmpty ? Self.lateness(of: tally) : nil }

    /// The lateness of the generator that made a tally.
    static func lateness(of tally: LoadTally) -> DriverLateness? {
        let times = tally.lateness
        guard times.totalCount > 0 else { return nil }
        var lateness = DriverLateness(
            median: Int(times.valueAtPercentile(50)),
            p99: Int(times.valueAtPercentile(99)),
            largest: Int(times.max),
            allowed: allowedLateness
        )
        lateness.remedy = "a lower rate, more --threads or more shares (--share) help"
        return lateness
    }

    /// The largest acceptable p99 of the generator's own lateness [µs].
    ///
    /// It is above the usual wait for a shared processor, some 4 ms.
    private static let allowedLateness = 10_000

    /// Adds the time series, the histograms, the data of charts and the notes.
    func describe(_ results: inout LoadReport) {
        let windows = windows
        results.course = course(windows)
        results.course?.faults = faults
        results.setSeries(
            of: windows,
            [
                ("pushes_asked_count", \.asked), ("pushes_sent_count", { $0.due.learnt.total - $0.due.learnt.notSent }),
                ("responses_accepted_count", \.due.learnt.accepted), ("responses_refused_count", \.due.learnt.refused),
                ("responses_missing_count", \.due.learnt.missing), ("pushes_not_sent_count", \.due.learnt.notSent),
                ("answers_count", \.learnt.answered), ("request_latency_p50_us", { $0.latency(50) }),
                ("request_latency_p99_us", { $0.latency(99) }), ("request_latency_max_us", { $0.latency(100) }),
            ]
        )
        results.histograms = times.map { MetricHistogram(metric: $0, $1) }
        results.explanation = explanation
        results.notes = notes
        results.earlyEnd = earlyEnd
        results.lateness = lateness
    }

    private var notes: [String] {
        var notes = [
            "Latency counts from the instant at which a request was due, whether it could be sent then or not; the service "
                + "time counts from when it was sent. A 200 means that the endpoint accepted the push, not that anyone saw it."
        ]
        if warmUp > .zero {
            notes.append("Requests due in the first \(warmUp.microseconds / 1000) ms are not measured.")
        }
        if let note = noteOnPhases { notes.append(note) }
        if let unsent { notes.append(unsent) }
        notes += remarks
        if let reason = connections?.lastGoAwayReason { notes.append("The last GOAWAY gave the reason \(reason).") }
        let search = trials.map { trial in
            "\(Int(trial.rate))/s asked: \(Int(trial.done))/s answered, p99 \(ProgressLine.span(Int64(trial.percentile99))), "
                + (trial.holds ? "holds" : "does not hold")
        }
        if !search.isEmpty { notes.append("The search:\n\n" + search.map { "- \($0)" }.joined(separator: "\n")) }
        return notes
    }

    private var times: [(name: String, times: LoadTally.Times)] {
        [
            ("push_latency_us", tally.timeToAcceptance), ("request_latency_us", tally.latency),
            ("send_time_us", tally.serviceTime), ("send_wait_us", tally.sendWait),
        ]
    }
}

extension LoadAPNsOutcome {
    /// The results of a load so far.
    init(_ progress: LoadProgress, of schedule: LoadSchedule) {
        let (ran, kinds) = (progress.ran(of: schedule), progress.tally.kinds)
        self.init(
            tally: progress.tally,
            duration: ran,
            warmUp: schedule.warmUp,
            connections: progress.connections,
            plan: schedule.plan,
            shares: schedule.share == .whole ? [] : [.init(share: schedule.share, ran: ran)],
            kinds: kinds.map { ($0.name, $0.sent) },
            earlyEnd: progress.earlyEnd,
            beganAt: progress.beganAt
        )
        isReplay = schedule.replay != nil
        guard !kinds.isEmpty else { return }
        remarks = [
            "Each request is a REST call, counted by its kind; the service time includes the wait for a connection.",
            "\(tally.latestRequest); not sent because too many earlier calls were in flight: \(tally.notBegun).",
        ]
    }
}
