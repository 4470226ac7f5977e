import Evaluation
import Foundation
import Histogram
import LoadGenerator
import Quantities
import Reporting
import Results
import ServiceLoad
import Shell
import Wire

/// The results of a load on a monitor at a rate, as a table and as metrics.
struct LoadMonitorRateOutcome: Sendable {
    let tally: LoadTally
    /// The length of the load.
    let span: TimeSpan
    /// The number of requests in the plan.
    let planned: Int

    /// The number of requests that were not sent, had no answer, or were not done by the monitor.
    var failures: Int { tally.learnt.missing + tally.learnt.refused }

    /// The number of answers saying that the secret is wrong.
    var unauthorized: Int { tally.statuses[401] ?? 0 }

    /// The load in the form of a load on an endpoint, second by second.
    private var asLoad: LoadAPNsOutcome { LoadAPNsOutcome(tally: tally, duration: span) }

    /// Answers per second as a load on an endpoint defines them: all answers, rejections too, while requests were sent.
    var answersPerSecond: Double? { asLoad.answersPerSecond }

    /// The mean rate of the plan [requests/s].
    private var askedPerSecond: Double { Double(planned) / (Double(max(1, span.microseconds)) / 1e6) }

    /// A line for each kind of request, and a line about the rate; ends with a newline.
    var table: String {
        var text = "request     count       p50       p95       p99     p99.9       max  [ms from when due]  statuses\n"
        for kind in tally.kinds where kind.learnt.total > 0 {
            let times = SummaryRow.quantiles.map { quantile -> String in
                guard kind.latency.totalCount > 0 else { return "        –" }
                return String(format: "%9.2f", Double(kind.latency.valueAtPercentile(quantile.percent)) / 1000)
            }
            let (missing, notSent) = (kind.learnt.missing, kind.learnt.notSent)
            let ends =
                kind.statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
                + [("no answer", missing - notSent), ("not sent", notSent)].filter { $1 > 0 }.map { "\($0): \($1)" }
            let name = kind.name.padding(toLength: 9, withPad: " ", startingAt: 0)
            text += name + String(format: "%8d ", kind.sent) + times.joined(separator: " ")
            text += "                      " + ends.joined(separator: ", ") + "\n"
        }
        let (rate, notSent) = (answersPerSecond ?? 0, tally.learnt.notSent)
        text += String(format: "%.0f answers/s of %.0f/s targeted; not sent: %d; ", rate, askedPerSecond, notSent)
        text += String(
            format: "the generator itself was late by %.2f ms at most\n",
            Double(tally.lateness.maxRecorded) / 1000
        )
        return text
    }

    /// The rows of a load with one request of each kind, which name all metrics.
    static var names: [SummaryRow] {
        var tally = LoadTally.ofMonitor
        for kind in MonitorOperations.kinds {
            tally.record(kind, .answered(APNsAnswer(monitor: 200)), microseconds: 0, dueAfter: 0)
        }
        return LoadMonitorRateOutcome(tally: tally, span: .seconds(1), planned: 0).rows
    }

    /// Every metric, with the names of runs with a scenario; requests by kind.
    var rows: [SummaryRow] {
        let asked = tally.requests
        var rows: [SummaryRow] = [
            .number("requests_asked_per_second", "mean", askedPerSecond),
            .number("requests_per_second", "mean", answersPerSecond),
            .number("errors_ratio", "ratio", asked > 0 ? Double(failures) / Double(asked) : nil),
            .count("monitor_requests_count", tally.sent),
        ]
        rows += tally.learnt.missingRows("monitor_response_missing_count")
        rows += SummaryRow.times("request_latency_us", tally.latency)
        for kind in tally.kinds where kind.learnt.total > 0 {
            let scope = "request:\(kind.name)"
            rows.append(.count("monitor_requests_count", kind.sent, scope: scope))
            rows += SummaryRow.times("request_latency_us", kind.latency, scope: scope)
            rows += kind.learnt.missingRows("monitor_response_missing_count", scope: scope)
            rows += kind.statuses.sorted { $0.key < $1.key }
                .map { .count("monitor_response_count", $0.value, scope: "\(scope);status:\($0.key)") }
        }
        return rows
    }

    /// A warning that no announcement was due; nil if one was, or without any request.
    var withoutAnnouncement: String? {
        let announced = tally.kinds.first { $0.name == MonitorRoute.announce.rawValue }?.learnt.total ?? 0
        guard announced == 0, tally.requests > 0 else { return nil }
        return
            "No announcement of content was sent: a load first publishes a token for each instance, and this one ended before any "
            + "announcement. Its results and thresholds are about the publication of tokens alone. Use fewer --instances, a "
            + "higher --rate or a longer --duration."
    }

    /// Adds the time series, the histogram, the data of charts and the notes.
    func describe(_ results: inout LoadReport, plan: RatePlan?) {
        var course = asLoad
        course.plan = plan
        let windows = course.windows
        results.course = course.course(windows, done: "answered without failure")
        results.setSeries(
            of: windows,
            [
                ("requests_asked_count", \.asked), ("answers_count", \.learnt.answered),
                ("request_latency_p50_us", { $0.latency(50) }), ("request_latency_p99_us", { $0.latency(99) }),
            ]
        )
        results.histograms = [MetricHistogram(metric: "request_latency_us", tally.latency)]
        results.cause = tally.soleCause
        results.notes = [
            "Latency counts from the instant at which a request was due, whether it could be sent then or not; requests without "
                + "an answer have no latency.",
            "Failures are requests without an answer and requests that the monitor did not do. A 409 (the instance is over) or a "
                + "404 (the instance is not known) is no failure but the right answer: the generator still sends requests about "
                + "instances that it has withdrawn, as apps do whose ride has ended elsewhere.",
            "\(tally.latestRequest); never sent, because there was no connection or too many earlier requests were in flight: "
                + "\(tally.learnt.notSent).",
        ]
        results.warning = withoutAnnouncement
    }
}

extension LoadMonitorRateOutcome {
    /// The results of a load so far.
    init(_ progress: LoadProgress, of schedule: LoadSchedule) {
        let span = progress.ran(of: schedule)
        self.init(
            tally: progress.tally,
            span: span,
            planned: schedule.plan?.dueCount(at: span.microseconds * 1000 - 1) ?? 0
        )
    }
}
