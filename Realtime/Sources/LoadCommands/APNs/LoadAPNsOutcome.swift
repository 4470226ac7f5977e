import Experiments
import Histogram
import LoadGenerator
import Quantities
import Reporting

/// What came of a load on an APNs endpoint, as metrics.
///
/// Where the simulator measures the same, the name is the simulator's.
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
        /// Which.
        let share: LoadShare
        /// How long new pushes of it came.
        let ran: TimeSpan
    }

    var tally = PushTally()
    /// How long new pushes came.
    var duration = TimeSpan.zero
    /// How much of that is not measured.
    var warmUp = TimeSpan.zero
    /// Nil where they are not known.
    var connections: APNsPoolNotes?
    /// When pushes were due; nil for a closed loop, which asks for as many as can be.
    var plan: RatePlan?
    /// Whose pushes these are, where the load was shared; empty for a generator that had all of them.
    var shares: [Share] = []
    /// The search for the limit, if there was one.
    var trials: [Trial] = []
    /// What was sent, by kind; empty: updates only.
    var kinds: [(name: String, count: Int)] = []
    /// What is to be said besides.
    var remarks: [String] = []
    /// That it was ended before its time.
    var earlyEnd: EarlyEndMark?

    /// That of a load that did not begin: its rows are those of any other, so it tells which there are.
    static func nothing(sent kinds: [String]) -> LoadAPNsOutcome {
        LoadAPNsOutcome(connections: kinds.isEmpty ? APNsPoolNotes() : nil, kinds: kinds.map { ($0, 0) })
    }

    /// That nothing was answered, in words; nil where something was, or nothing was asked.
    var silence: String? {
        let learnt = tally.learnt
        guard learnt.answered == 0, learnt.missing > 0 else { return nil }
        return
            "none of \(learnt.missing) requests was answered: \(learnt.timedOut) timed out, \(learnt.notSent) never sent, "
            + "\(learnt.connectionLost) lost with their connection, \(learnt.notProcessed) not processed"
            + (connections?.lastError.map { "; \($0)" } ?? "")
    }

    /// What requests that were never sent mean, in words; nil where there were none.
    var unsent: String? {
        guard tally.learnt.notSent > 0 else { return nil }
        return
            "Never sent: \(tally.learnt.notSent) of \(tally.requests) requests. No stream was free for them within the time-out, or "
            + "there was no connection: the sender was short of streams, and the endpoint was not asked. More --connections or "
            + "--streams help where the endpoint allows them; else it answers too slowly for this rate."
    }

    /// Answers per second that came while pushes did: one that comes after the last push is late, and shows no rate kept.
    ///
    /// By whole seconds. The first one after a warm-up is left out, as answers to pushes of the warm-up are not among those
    /// that are counted. A load without a whole second has the answers that there are, over its measured time.
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
            .count("apns_response_count", tally.learnt.answered),
        ]
        let kinds = kinds.isEmpty ? [("update", tally.firstAttempts), ("retry", tally.retries)] : kinds
        rows.insert(contentsOf: kinds.map { .count("pushes_sent_count", $1, scope: "kind:\($0)") }, at: 1)
        rows += tally.statuses.sorted { $0.key < $1.key }
            .map { .count("apns_response_count", $0.value, scope: "status:\($0.key)") }
        rows += tally.learnt.reasons.sorted { $0.key < $1.key }
            .map { .count("apns_response_count", $0.value, scope: "reason:\($0.key)") }
        rows += [
            .count("apns_response_missing_count", tally.learnt.missing),
            .count("apns_response_missing_count", tally.learnt.timedOut, scope: "why:timed_out"),
            .count("apns_response_missing_count", tally.learnt.notSent, scope: "why:not_sent"),
            .count("apns_response_missing_count", tally.learnt.connectionLost, scope: "why:connection_lost"),
            .count("apns_response_missing_count", tally.learnt.notProcessed, scope: "why:not_processed"),
            .number("requests_per_second", "mean", "1/s", answersPerSecond),
            .number("requests_asked_per_second", "mean", "1/s", asked),
            .number("errors_ratio", "ratio", "1", errors),
        ]
        if let connections {
            rows += [
                .count("connections_made_count", connections.connections),
                .count("connections_lost_count", connections.lostConnections),
                .count("goaways_count", connections.goAways),
            ]
        }
        for (name, times) in times { rows += SummaryRow.times(name, times) }
        return rows
    }

    /// Counts of what may be answered and was not: tables are shorter without, but a threshold may ask that it never comes.
    ///
    /// - Parameter thresholds: What may name statuses that APNs does not give, as a proxy does.
    func absentRows(asked thresholds: [String]) -> [SummaryRow] {
        let named = thresholds.compactMap { text in
            text.firstMatch(of: #/\{status:([1-5][0-9]{2})\}/#).flatMap { Int($0.1) }
        }
        let statuses = Set(tally.statusesNotGiven + named).subtracting(tally.statuses.keys).sorted()
        return statuses.map { .count("apns_response_count", 0, scope: "status:\($0)") }
            + tally.reasonsNotGiven.map { .count("apns_response_count", 0, scope: "reason:\($0)") }
    }

    /// The share of requests that were not accepted; nil when there were none.
    var errors: Double? {
        tally.requests > 0 ? Double(tally.requests - tally.learnt.accepted) / Double(tally.requests) : nil
    }

    /// Pushes per second that were asked for, on average.
    private var asked: Double? {
        guard let plan, duration > .zero else { return nil }
        return Double(dueCount(of: plan, at: duration.microseconds * 1000 - 1)) / (Double(duration.microseconds) / 1e6)
    }

    /// How many pushes were due at a time [ns since the beginning of the load] or before, of those that are its own.
    func dueCount(of plan: RatePlan, at nanoseconds: Int64) -> Int {
        guard !shares.isEmpty else { return plan.dueCount(at: nanoseconds) }
        return shares.reduce(0) { sum, part in
            sum + part.share.count(among: plan.dueCount(at: min(nanoseconds, part.ran.microseconds * 1000 - 1)))
        }
    }

    /// How late the generator was itself; nil where nothing was due at an instant.
    var lateness: DriverLateness? { Self.lateness(of: tally) }

    /// How late the generator was that has counted these.
    static func lateness(of tally: PushTally) -> DriverLateness? {
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

    /// What the 99th percentile of the generator's own lateness may be [µs]: more than the system's usual wait for a turn on a
    /// processor that others use too, some 4 ms.
    private static let allowedLateness = 10_000

    /// Adds the time series, the histograms, what charts show and what is to be said in words.
    func describe(_ results: inout LoadResults) {
        let windows = windows
        results.course = course(windows)
        results.seriesColumns = [
            "pushes_asked_count", "pushes_sent_count", "responses_accepted_count", "responses_refused_count",
            "responses_missing_count", "pushes_not_sent_count", "answers_count", "request_latency_p50_us",
            "request_latency_p99_us",
            "request_latency_max_us",
        ]
        results.series = windows.map { window in
            func quantile(_ percent: Double) -> Int64? {
                window.due.latency.totalCount > 0 ? Int64(window.due.latency.valueAtPercentile(percent)) : nil
            }
            let due = window.due.learnt
            let values: [Int64?] = [
                window.asked.map { Int64($0) }, Int64(due.total - due.notSent), Int64(due.accepted),
                Int64(due.refused), Int64(due.missing), Int64(due.notSent), Int64(window.learnt.answered),
                quantile(50), quantile(99), quantile(100),
            ]
            return (start: window.start, length: window.length, values: values)
        }
        results.histograms = times.map { LoadResults.Histogram(metric: $0, $1) }
        results.notes = notes
        results.earlyEnd = earlyEnd
        results.lateness = lateness
    }

    private var notes: [String] {
        var notes = [
            "Latency counts from the instant at which a request was due, whether it could be sent then or not; the service "
                + "time from when it was sent. A 200 says that the endpoint has accepted the push, not that it was seen."
        ]
        if warmUp > .zero {
            notes.append("What was due in the first \(warmUp.microseconds / 1000) ms is not measured.")
        }
        if let unsent { notes.append(unsent) }
        notes += remarks
        if let reason = connections?.lastGoAwayReason { notes.append("The last GOAWAY gave the reason \(reason).") }
        let search = trials.map { trial in
            "\(Int(trial.rate))/s asked: \(Int(trial.done))/s answered, p99 \(ProgressLine.span(Int64(trial.percentile99))), "
                + (trial.holds ? "holds" : "does not hold")
        }
        return notes + LoadResults.searchNote(search)
    }

    private var times: [(name: String, times: PushTally.Times)] {
        [
            ("push_latency_us", tally.timeToAcceptance), ("request_latency_us", tally.latency),
            ("send_time_us", tally.serviceTime), ("send_wait_us", tally.sendWait),
        ]
    }
}
