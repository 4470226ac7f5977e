import ArgumentParser
import Dashboard
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
        let thresholds = try ride.thresholds()
        try thresholds.judgedOrExit(by: LoadMonitorRateOutcome.names)
        try await Interruption.endingEarly(kept: "nothing was written") { end in
            try await page.showing("load monitor --rate") { dashboard in
                let tally = try await ready.run(endingWith: end) { tally, elapsed in
                    dashboard?.board
                        .offer {
                            let ran = tally.earlyEnd?.ran ?? elapsed
                            var results = results(of: tally, ready, target, after: ran)
                            results.judge(thresholds)
                            return LoadSnapshot(Self.progress(of: tally, ready.plan, at: elapsed), results)
                        }
                    if !quiet {
                        ProgressLine.tell(Self.line(tally.requests, notSent: tally.notSent, of: total, after: elapsed))
                    }
                }
                if !quiet { ProgressLine.clear() }
                try Task.checkCancellation()
                end.workIsOver()
                try await conclude(tally, of: ready, target, directory, began: began, end, on: dashboard)
            }
        }
    }

    /// How far a load has come, in a line.
    ///
    /// - Parameters:
    ///   - done: Requests that were sent, and are answered or given up.
    ///   - notSent: Requests that could not be sent; against a monitor that is not there these are all.
    static func line(_ done: Int, notSent: Int, of total: Int, after elapsed: TimeSpan) -> String {
        let share = Double(done + notSent) / Double(max(1, total))
        let rest = notSent > 0 ? ", \(ProgressLine.count(notSent)) not sent" : ""
        return
            "\(ProgressLine.percent(share))  \(ProgressLine.count(done)) of \(ProgressLine.count(total)) requests done\(rest)"
            + ProgressLine.left(after: Double(elapsed.microseconds) / 1e6, share: share)
    }

    private static func progress(of tally: MonitorTally, _ plan: RatePlan, at now: TimeSpan) -> LoadSnapshot.Progress {
        LoadSnapshot.Progress(
            stage: now < plan.duration && tally.earlyEnd == nil ? .running : .draining,
            elapsed: now,
            planned: plan.duration
        )
    }

    private func outcome(_ tally: MonitorTally, _ load: MonitorLoad, after ran: TimeSpan) -> LoadMonitorRateOutcome {
        let span = min(ran, load.plan.duration)
        return LoadMonitorRateOutcome(
            tally: tally,
            span: span,
            planned: load.plan.dueCount(at: span.microseconds * 1000 - 1)
        )
    }

    /// What came of it, as it is written.
    private func results(
        of tally: MonitorTally,
        _ load: MonitorLoad,
        _ target: LoadMonitorTarget,
        after ran: TimeSpan
    ) -> LoadResults {
        let asked: [(name: String, value: String)] = [
            ("monitor", target.url), ("instances", "\(rate.instances ?? 1000)"), ("requests", "\(load.plan.total)"),
            ("duration_us", "\(load.plan.duration.microseconds)"), ("connections", "\(connections)"),
        ]
        let outcome = outcome(tally, load, after: ran)
        var results = LoadResults(name: "load monitor --rate", seed: seed ?? 1, settings: asked, rows: outcome.rows)
        outcome.describe(&results, plan: load.plan)
        results.earlyEnd = tally.earlyEnd
        return results
    }

    /// Shows and writes what came of it.
    private func conclude(
        _ tally: MonitorTally,
        of load: MonitorLoad,
        _ target: LoadMonitorTarget,
        _ directory: RunDirectory?,
        began: ContinuousClock.Instant,
        _ end: EarlyEnd,
        on dashboard: Dashboard?
    ) async throws {
        let mark = tally.earlyEnd
        let outcome = outcome(tally, load, after: mark?.ran ?? load.plan.duration)
        var results = results(of: tally, load, target, after: mark?.ran ?? load.plan.duration)
        results.outcomes = try ride.thresholds().judgedOrExit(by: results.rows)
        if let mark { print("\(mark.sentence). \(mark.meaning)\n") }
        print(outcome.table, terminator: "")
        if !results.outcomes.isEmpty { print("\n" + results.thresholdTable, terminator: "") }
        if let directory {
            try results.write(to: directory, events: tally.requests, jobs: connections, began: began)
            end.keeps("the results are in \(directory.path)")
        }
        await dashboard?.finish(RunFiles(results), in: directory?.path)
        if let directory { try rendering.render(directory.path, quiet: quiet) }
        if outcome.failures > maxFailures {
            printError(
                "\(outcome.failures) requests failed; \(maxFailures) are allowed"
                    + (outcome.unauthorized > 0 ? " (401: the secret of --bearer-token-file is not the monitor's)" : "")
            )
        }
        try mark?.endCommand(quiet: quiet)
        guard outcome.failures <= maxFailures, !results.hasFailures else { throw Failure.checkFailed }
    }
}
