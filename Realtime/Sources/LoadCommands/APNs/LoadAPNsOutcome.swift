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

    let tally: PushTally
    /// How long new pushes came.
    let duration: TimeSpan
    /// How much of that is not measured.
    let warmUp: TimeSpan
    /// Nil where nobody knows.
    let connections: APNsPoolNotes?
    /// When pushes were due; nil for a closed loop, which asks for as many as can be.
    let plan: RatePlan?
    /// The search for the limit, if there was one.
    var trials: [Trial] = []
    /// What was sent, by kind; empty: updates only.
    var kinds: [(name: String, count: Int)] = []
    /// What is to be said besides.
    var remarks: [String] = []

    /// That of a load that did not begin: its rows are those of any other, so it tells which there are.
    static func nothing(sent kinds: [String]) -> LoadAPNsOutcome {
        var outcome = LoadAPNsOutcome(
            tally: PushTally(),
            duration: .zero,
            warmUp: .zero,
            connections: kinds.isEmpty ? APNsPoolNotes() : nil,
            plan: nil
        )
        outcome.kinds = kinds.map { ($0, 0) }
        return outcome
    }

    /// Answers per second of the measured time.
    var answersPerSecond: Double? {
        let measured = duration - warmUp
        return measured > .zero ? Double(tally.answered) / (Double(measured.microseconds) / 1e6) : nil
    }

    /// Every metric.
    var rows: [SummaryRow] {
        var rows = [
            row("pushes_sent_count", "total", tally.requests),
            row("pushes_given_up_count", "total", tally.givenUp),
            row("repeats_withheld_count", "total", tally.withheld),
            row("apns_response_count", "total", tally.answered),
        ]
        let kinds = kinds.isEmpty ? [("update", tally.firstAttempts), ("retry", tally.retries)] : kinds
        rows.insert(contentsOf: kinds.map { row("pushes_sent_count", "total", $1, scope: "kind:\($0)") }, at: 1)
        for (status, count) in tally.statuses.sorted(by: { $0.key < $1.key }) {
            rows.append(row("apns_response_count", "total", count, scope: "status:\(status)"))
        }
        for (reason, count) in tally.reasons.sorted(by: { $0.key < $1.key }) {
            rows.append(row("apns_response_count", "total", count, scope: "reason:\(reason)"))
        }
        rows += [
            row("apns_response_missing_count", "total", tally.missing),
            row("apns_response_missing_count", "total", tally.timedOut, scope: "why:timed_out"),
            row("apns_response_missing_count", "total", tally.connectionLost, scope: "why:connection_lost"),
            row("apns_response_missing_count", "total", tally.notProcessed, scope: "why:not_processed"),
            row("requests_per_second", "mean", "1/s", answersPerSecond.map { .decimal($0) }),
            row("requests_asked_per_second", "mean", "1/s", asked.map { .decimal($0) }),
            row("errors_ratio", "ratio", "1", errors.map { .decimal($0) }),
        ]
        if let connections {
            rows += [
                row("connections_made_count", "total", connections.connections),
                row("connections_lost_count", "total", connections.lostConnections),
                row("goaways_count", "total", connections.goAways),
            ]
        }
        for (name, times) in times { rows += statistics(name, times) }
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
        return statuses.map { row("apns_response_count", "total", 0, scope: "status:\($0)") }
            + tally.reasonsNotGiven.map { row("apns_response_count", "total", 0, scope: "reason:\($0)") }
    }

    /// The share of requests that were not accepted; nil when there were none.
    var errors: Double? {
        tally.requests > 0 ? Double(tally.requests - tally.accepted) / Double(tally.requests) : nil
    }

    /// Pushes per second that were asked for, on average.
    private var asked: Double? {
        plan.map { Double($0.total) / (Double($0.duration.microseconds) / 1e6) }
    }

    /// Adds the time series, the histograms, what charts show and what is to be said in words.
    func describe(_ results: inout LoadResults) {
        let windows = windows
        results.course = course(windows)
        results.seriesColumns = [
            "pushes_asked_count", "pushes_sent_count", "responses_accepted_count", "responses_refused_count",
            "responses_missing_count", "answers_count", "request_latency_p50_us", "request_latency_p99_us",
            "request_latency_max_us",
        ]
        results.series = windows.map { window in
            func quantile(_ percent: Double) -> Int64? {
                window.due.latency.totalCount > 0 ? Int64(window.due.latency.valueAtPercentile(percent)) : nil
            }
            let values: [Int64?] = [
                window.asked.map { Int64($0) }, Int64(window.due.requests), Int64(window.due.accepted),
                Int64(window.due.refused), Int64(window.due.missing), Int64(window.learnt.answered), quantile(50),
                quantile(99), quantile(100),
            ]
            return (start: window.start, length: window.length, values: values)
        }
        results.histograms = times.map { name, times in
            LoadResults.Histogram(
                metric: name,
                buckets: times.recordedValues()
                    .map { step in
                        let range = times.equivalentRangeForValue(step.value)
                        return (Double(range.lowerBound), Double(range.upperBound), Int(step.count))
                    }
            )
        }
        results.notes = notes
    }

    private var notes: [String] {
        var notes = [
            "Latency counts from the instant at which a request was due, whether it could be sent then or not; the service "
                + "time from when it was sent. A 200 says that the endpoint has accepted the push, not that anybody has seen "
                + "it."
        ]
        if warmUp > .zero {
            notes.append("What was due in the first \(warmUp.microseconds / 1000) ms is not measured.")
        }
        notes += remarks
        if let reason = connections?.lastGoAwayReason { notes.append("The last GOAWAY gave the reason \(reason).") }
        if !trials.isEmpty {
            let lines = trials.map { trial in
                "- \(Int(trial.rate))/s asked: \(Int(trial.done))/s answered, p99 \(trial.percentile99) µs, "
                    + (trial.holds ? "holds" : "does not hold")
            }
            notes.append("The search:\n\n" + lines.joined(separator: "\n"))
        }
        return notes
    }

    private var times: [(name: String, times: PushTally.Times)] {
        [
            ("push_latency_us", tally.timeToAcceptance), ("request_latency_us", tally.latency),
            ("send_time_us", tally.serviceTime), ("send_wait_us", tally.sendWait),
        ]
    }

    private func statistics(_ name: String, _ times: PushTally.Times) -> [SummaryRow] {
        let isDefined = times.totalCount > 0
        func quantile(_ percent: Double) -> SummaryRow.Value? {
            isDefined ? .integer(Int64(times.valueAtPercentile(percent))) : nil
        }
        return [
            row(name, "mean", "us", isDefined ? .decimal(times.mean) : nil), row(name, "p50", "us", quantile(50)),
            row(name, "p95", "us", quantile(95)), row(name, "p99", "us", quantile(99)),
            row(name, "p999", "us", quantile(99.9)), row(name, "max", "us", quantile(100)),
        ]
    }

    private func row(_ metric: String, _ stat: String, _ count: Int, scope: String = "all") -> SummaryRow {
        SummaryRow(scope: scope, metric: metric, stat: stat, unit: "count", value: .integer(Int64(count)))
    }

    private func row(_ metric: String, _ stat: String, _ unit: String, _ value: SummaryRow.Value?) -> SummaryRow {
        SummaryRow(scope: "all", metric: metric, stat: stat, unit: unit, value: value)
    }
}
