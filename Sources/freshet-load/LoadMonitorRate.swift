import ArgumentParser
import CommandShell
import Foundation
import Histogram
import LoadGenerator
import LoadTransport
import Quantities

/// Load on a monitor at a rate: runs it, shows and writes what came of it.
struct LoadMonitorRate: Sendable {
    let target: LoadMonitorTarget
    let options: LoadMonitorRateOptions
    let seed: UInt64
    let connections: Int
    let maxFailures: Int
    let output: String?
    let quiet: Bool

    func run() async throws {
        let span = try options.span()
        let duration = Double(span.microseconds) / 1e6
        var load = MonitorLoad(
            monitor: target.url,
            secret: target.secret,
            authority: target.authority,
            plan: try plan(over: span),
            operations: MonitorOperations(instances: options.instances ?? 1000, seed: seed)
        )
        load.connections = connections
        let (total, quiet, ready) = (load.plan.total, quiet, load)
        let tally = try await Interruption.guarding(kept: "nothing was written") {
            let tally = try await ready.run { answered in
                if !quiet { ProgressLine.tell("\(answered) of \(total) requests answered") }
            }
            if !quiet { ProgressLine.clear() }
            try Task.checkCancellation()
            return tally
        }
        print(table(tally, over: duration, asked: Double(total) / duration), terminator: "")
        if let output { try writeOrExit(csv(tally), to: "\(output)/summary.csv") }
        let failures = tally.shares.reduce(tally.notSent) { sum, entry in
            sum + entry.share.failed + entry.share.statuses.reduce(0) { $0 + (Self.isFailure($1.key) ? $1.value : 0) }
        }
        guard failures <= maxFailures else {
            let strangers = tally.shares.reduce(0) { $0 + ($1.share.statuses[401] ?? 0) }
            printError(
                "\(failures) requests failed; \(maxFailures) are allowed"
                    + (strangers > 0 ? " (401: the secret of --bearer-token-file is not the monitor's)" : "")
            )
            throw Failure.checkFailed
        }
    }

    /// Whether an answer says that the monitor did not do what it was asked; that an instance is over is no failure.
    private static func isFailure(_ status: Int) -> Bool { status == 401 || status == 403 || status >= 500 }

    private func plan(over total: TimeSpan) throws -> RatePlan {
        do {
            if let ramp = options.ramp {
                let (span, low, high) = try LoadOptions.ramp(ramp, named: "--ramp")
                return try .ramp(from: low, to: high, over: span, for: total)
            }
            return try .constant(perSecond: try options.perSecond(), for: total)
        } catch let error as RatePlanError {
            throw ValidationError("\(error)")
        }
    }

    private static let quantiles: [(name: String, percent: Double)] = [
        ("p50", 50), ("p95", 95), ("p99", 99), ("p999", 99.9), ("max", 100),
    ]

    private func table(_ tally: MonitorTally, over duration: Double, asked: Double) -> String {
        var text = "request     count       p50       p95       p99     p99.9       max  [ms from when due]  statuses\n"
        for (kind, share) in tally.shares where share.latency.totalCount > 0 {
            let times = LoadMonitorRate.quantiles.map { quantile in
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
        let rate = Double(tally.requests) / duration
        text += String(format: "%.0f requests/s of %.0f/s asked for; not sent: %d; ", rate, asked, tally.notSent)
        text += String(format: "the generator itself was late by %.2f ms at most\n", Double(tally.latestStart) / 1000)
        return text
    }

    private func csv(_ tally: MonitorTally) -> String {
        var lines = ["scope,metric,stat,unit,value,ci_low,ci_high,n"]
        for (kind, share) in tally.shares where share.latency.totalCount > 0 {
            let (scope, count) = ("request:\(kind.rawValue)", share.latency.totalCount)
            lines.append("\(scope),monitor_requests_count,total,1,\(count),,,\(count)")
            for quantile in LoadMonitorRate.quantiles {
                let value = share.latency.valueAtPercentile(quantile.percent)
                lines.append("\(scope),request_latency_us,\(quantile.name),us,\(value),,,\(count)")
            }
            for (status, number) in share.statuses.sorted(by: { $0.key < $1.key }) {
                lines.append("\(scope);status:\(status),monitor_response_count,total,1,\(number),,,\(count)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
