import ArgumentParser
import Experiments
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
        try await Interruption.endingEarly(kept: "nothing was written") { end in
            let tally = try await ready.run(endingWith: end) { tally in
                if !quiet { ProgressLine.tell("\(tally.requests) of \(total) requests answered") }
            }
            if !quiet { ProgressLine.clear() }
            try Task.checkCancellation()
            try conclude(tally, of: ready, target, directory, began: began)
        }
    }

    /// Shows and writes what came of it.
    private func conclude(
        _ tally: MonitorTally,
        of load: MonitorLoad,
        _ target: LoadMonitorTarget,
        _ directory: RunDirectory?,
        began: ContinuousClock.Instant
    ) throws {
        let (span, mark) = (load.plan.duration, tally.earlyEnd)
        let outcome = LoadMonitorRateOutcome(
            tally: tally,
            span: mark?.ran ?? span,
            planned: mark.map { load.plan.dueCount(at: $0.ran.microseconds * 1000 - 1) } ?? load.plan.total
        )
        if let mark { print("\(mark.sentence). \(EarlyEndMark.meaning)\n") }
        print(outcome.table, terminator: "")
        if let directory {
            let asked: [(name: String, value: String)] = [
                ("monitor", target.url), ("instances", "\(rate.instances ?? 1000)"),
                ("requests", "\(load.plan.total)"),
                ("duration_us", "\(span.microseconds)"), ("connections", "\(connections)"),
            ]
            var results = LoadResults(
                name: "load monitor --rate",
                seed: seed ?? 1,
                settings: asked,
                rows: outcome.rows
            )
            results.earlyEnd = mark
            try results.write(to: directory, events: tally.requests, jobs: connections, began: began)
        }
        if outcome.failures > maxFailures {
            printError(
                "\(outcome.failures) requests failed; \(maxFailures) are allowed"
                    + (outcome.unauthorized > 0 ? " (401: the secret of --bearer-token-file is not the monitor's)" : "")
            )
        }
        try mark?.endCommand(quiet: quiet)
        guard outcome.failures <= maxFailures else { throw Failure.checkFailed }
    }
}
