import Experiments
import Foundation
import Histogram
import LoadGenerator
import Quantities
import Wire

/// What came of a load on a monitor at a rate: a table for people, a file for scripts, and what failed.
struct LoadMonitorRateOutcome: Sendable {
    let tally: MonitorTally
    /// How long the load took.
    let span: TimeSpan
    /// How many requests the plan had.
    let planned: Int

    /// Requests that were not sent, that had no answer, or one that says that the monitor did not do what it was asked.
    var failures: Int {
        tally.shares.reduce(tally.notSent) { sum, entry in
            sum + entry.share.failed + entry.share.statuses.reduce(0) { $0 + (Self.isFailure($1.key) ? $1.value : 0) }
        }
    }

    /// Answers that the secret is wrong.
    var unauthorized: Int { tally.all.statuses[401] ?? 0 }

    /// Whether an answer says that the monitor did not do what it was asked; that an instance is over is no failure.
    static func isFailure(_ status: Int) -> Bool { status == 401 || status == 403 || status >= 500 }

    /// A line for each kind of request that was made, and one about the rate; ends with a newline.
    var table: String {
        var text = "request     count       p50       p95       p99     p99.9       max  [ms from when due]  statuses\n"
        for (kind, share) in tally.shares where share.latency.totalCount > 0 {
            let times = SummaryRow.quantiles.map { quantile in
                String(format: "%9.2f", Double(share.latency.valueAtPercentile(quantile.percent)) / 1000)
            }
            let statuses = share.statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            let name = kind.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
            text += name + String(format: "%8d ", share.latency.totalCount) + times.joined(separator: " ")
            text +=
                "                      "
                + (statuses + (share.failed > 0 ? ["no answer: \(share.failed)"] : []))
                .joined(separator: ", ") + "\n"
        }
        let seconds = Double(span.microseconds) / 1e6
        let (rate, asked) = (Double(tally.requests) / seconds, Double(planned) / seconds)
        text += String(format: "%.0f requests/s of %.0f/s asked for; not sent: %d; ", rate, asked, tally.notSent)
        text += String(format: "the generator itself was late by %.2f ms at most\n", Double(tally.latestStart) / 1000)
        return text
    }

    /// Every metric, by the names of the monitor's runs with a scenario.
    var rows: [SummaryRow] {
        var rows: [SummaryRow] = []
        for (kind, share) in tally.shares where share.latency.totalCount > 0 {
            let scope = "request:\(kind.rawValue)"
            rows.append(.count("monitor_requests_count", Int(share.latency.totalCount), scope: scope))
            rows += SummaryRow.times("request_latency_us", share.latency, scope: scope)
            rows += share.statuses.sorted { $0.key < $1.key }
                .map { .count("monitor_response_count", $0.value, scope: "\(scope);status:\($0.key)") }
        }
        return rows
    }
}
