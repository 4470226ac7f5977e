import ArgumentParser
import CommandShell
import Foundation
import Histogram
import LoadGenerator
import LoadTransport
import Quantities

/// Load on a Freshness Monitor.
struct LoadMonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Asks a monitor for what apps ask it, at a rate, whatever it answers, and measures.",
        discussion: """
            Example: freshet load monitor --monitor https://localhost:8080 --ca ca.pem \
            --bearer-token-file secret.txt --rate 500 --duration 30

            First a token is published for each instance; then come content, now and then a new token, a withdrawal, a \
            look. Latency counts from when a request was due, so a monitor that stalls pays for all who waited. Exit code \
            99: more than --max-failures requests had no answer or a 5xx.
            """
    )

    @Option(help: "The monitor, as https://HOST:PORT.")
    var monitor: String

    @Option(help: "A file with the secret that the monitor asks for.", completion: .file())
    var bearerTokenFile: String

    @Option(help: "The certificate authority of --monitor (PEM), in place of the system's.", completion: .file())
    var ca: String?

    @Option(help: "Requests per second.")
    var rate = 200.0

    @Option(help: "Seconds that the load takes.")
    var duration = 10.0

    @Option(help: "Instances.")
    var instances = 1000

    @Option(help: "The most connections.")
    var connections = 64

    @Option(help: "The seed of every draw.")
    var seed: UInt64 = 1

    @Option(help: "Failures that are still good.")
    var maxFailures = 0

    @Option(help: "Where to write summary.csv.", completion: .directory)
    var output: String?

    @Flag(help: "No progress.")
    var quiet = false

    func validate() throws {
        guard rate > 0, rate <= 1_000_000 else { throw ValidationError("--rate must be above 0, got \(rate)") }
        guard duration > 0, duration <= 86_400 else {
            throw ValidationError("--duration must be above 0 and at most 86400, got \(duration)")
        }
        guard instances >= 1, connections >= 1, maxFailures >= 0 else {
            throw ValidationError("--instances and --connections must be at least 1, --max-failures at least 0")
        }
        guard monitor.hasPrefix("https://") || monitor.hasPrefix("http://"), !monitor.hasSuffix("/") else {
            throw ValidationError("--monitor must be https://HOST:PORT, got \"\(monitor)\"")
        }
    }

    func run() async throws {
        guard let data = FileManager.default.contents(atPath: bearerTokenFile) else {
            printError("\(bearerTokenFile): cannot be read")
            throw Failure.inputMissing
        }
        var load = MonitorLoad(
            monitor: monitor,
            secret: String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines),
            authority: ca,
            plan: try .constant(perSecond: rate, for: TimeSpan(microseconds: Int64(duration * 1e6))),
            operations: MonitorOperations(instances: instances, seed: seed)
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
        print(table(tally), terminator: "")
        if let output { try writeOrExit(csv(tally), to: "\(output)/summary.csv") }
        let failures = tally.shares.reduce(tally.notSent) { sum, entry in
            sum + entry.share.failed + entry.share.statuses.reduce(0) { $0 + ($1.key >= 500 ? $1.value : 0) }
        }
        guard failures <= maxFailures else {
            printError("\(failures) requests failed; \(maxFailures) are allowed")
            throw Failure.checkFailed
        }
    }

    private static let quantiles: [(name: String, percent: Double)] = [
        ("p50", 50), ("p95", 95), ("p99", 99), ("p999", 99.9), ("max", 100),
    ]

    private func table(_ tally: MonitorTally) -> String {
        var text = "request     count       p50       p95       p99     p99.9       max  [ms from when due]  statuses\n"
        for (kind, share) in tally.shares {
            let times = LoadMonitorCommand.quantiles.map { quantile in
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
        text += String(format: "%.0f requests/s of %.0f/s asked for; not sent: %d; ", rate, self.rate, tally.notSent)
        text += String(format: "the generator itself was late by %.2f ms at most\n", Double(tally.latestStart) / 1000)
        return text
    }

    private func csv(_ tally: MonitorTally) -> String {
        var lines = ["scope,metric,stat,unit,value,ci_low,ci_high,n"]
        for (kind, share) in tally.shares {
            let (scope, count) = ("request:\(kind.rawValue)", share.latency.totalCount)
            lines.append("\(scope),monitor_requests_count,total,1,\(count),,,\(count)")
            for quantile in LoadMonitorCommand.quantiles where count > 0 {
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
