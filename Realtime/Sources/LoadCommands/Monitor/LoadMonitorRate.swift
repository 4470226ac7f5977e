import ArgumentParser
import LoadGenerator
import Quantities
import Reporting

/// Load on a monitor at a rate: runs it, shows and writes what came of it.
extension LoadMonitorCommand {
    func loadAtRate(_ target: LoadMonitorTarget) async throws {
        let began = ContinuousClock.now
        let directory = output.map { RunDirectory(path: $0) }
        // Better now than after the load.
        try directory?.prepareOrExit()
        let (span, seed, instances) = (try rate.span(), seed ?? 1, rate.instances ?? 1000)
        var load = MonitorLoad(
            monitor: target.url,
            secret: target.secret,
            authority: target.authority,
            plan: try rate.plan(over: span),
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
        let outcome = LoadMonitorRateOutcome(tally: tally, span: span, planned: total)
        print(outcome.table, terminator: "")
        if let directory {
            let asked: [(name: String, value: String)] = [
                ("monitor", target.url), ("instances", "\(instances)"), ("requests", "\(total)"),
                ("duration_us", "\(span.microseconds)"), ("connections", "\(connections)"),
            ]
            try LoadResults(name: "load monitor --rate", seed: seed, settings: asked, rows: outcome.rows)
                .write(to: directory, events: tally.requests, jobs: connections, began: began)
        }
        guard outcome.failures <= maxFailures else {
            printError(
                "\(outcome.failures) requests failed; \(maxFailures) are allowed"
                    + (outcome.unauthorized > 0 ? " (401: the secret of --bearer-token-file is not the monitor's)" : "")
            )
            throw Failure.checkFailed
        }
    }
}
