import ArgumentParser
import Dashboard
import Experiments
import LoadGenerator
import Quantities
import Reporting
import ServiceLoad
import Shell

/// A load on a monitor at a rate: runs it, and shows and writes the results.
extension LoadMonitorCommand {
    func loadAtRate(_ target: LoadMonitorTarget) async throws {
        let began = ContinuousClock.now
        let directory = output.map { RunDirectory(path: $0) }
        // Before the load, so that it does not run in vain.
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
                let tell = try abort.telling(dashboard, endingWith: end) { (soFar: (MonitorTally, TimeSpan)) in
                    let (tally, elapsed) = soFar
                    let ran = tally.earlyEnd?.ran ?? elapsed
                    var results = results(of: tally, ready, target, after: ran)
                    let failures = outcome(tally, ready, after: ran).failures
                    results.judge(thresholds, failures: failures, atMost: maxFailures)
                    return results
                }
                let tally = try await ready.run(endingWith: end) { tally, elapsed in
                    tell?((tally, elapsed), Self.progress(of: tally, ready.plan, at: elapsed))
                    if !quiet {
                        ProgressLine.show(Self.line(of: tally, outOf: total, after: elapsed, of: ready.plan.duration))
                    }
                }
                if !quiet { ProgressLine.clear() }
                try Task.checkCancellation()
                end.workIsOver()
                try await conclude(tally, of: ready, target, directory, began: began, end, on: dashboard)
            }
        }
    }

    /// The progress of a load as one line.
    ///
    /// - Parameters:
    ///   - done: The number of requests that were sent and then answered or given up.
    ///   - notSent: The number of requests that could not be sent; all of them if there is no monitor.
    ///   - inFlight: The number of requests in flight.
    ///   - planned: The planned length of the load, from which the time left follows.
    static func line(
        _ done: Int,
        notSent: Int,
        inFlight: Int,
        of total: Int,
        after elapsed: TimeSpan,
        of planned: TimeSpan
    ) -> String {
        let share = Double(done + notSent) / Double(max(1, total))
        let left = max(0, planned.microseconds - elapsed.microseconds) / 1_000_000 * 1_000_000
        return "\(ProgressLine.percent(share))  \(ProgressLine.count(done)) of \(ProgressLine.count(total)) done"
            + (notSent > 0 ? ", \(ProgressLine.count(notSent)) not sent" : "")
            + (inFlight > 0 ? ", \(ProgressLine.count(inFlight)) in flight" : "")
            + (elapsed < planned ? "  \(ProgressLine.span(left)) left" : "  last answers awaited")
    }

    private static func line(
        of tally: MonitorTally,
        outOf total: Int,
        after elapsed: TimeSpan,
        of planned: TimeSpan
    ) -> String {
        line(
            tally.requests,
            notSent: tally.notSent,
            inFlight: tally.open,
            of: total,
            after: elapsed,
            of: tally.earlyEnd == nil ? planned : .zero
        )
    }

    private static func progress(of tally: MonitorTally, _ plan: RatePlan, at now: TimeSpan) -> LoadSnapshot.Progress {
        var progress = LoadSnapshot.Progress(
            stage: now < plan.duration && tally.earlyEnd == nil ? .running : .draining,
            elapsed: now,
            planned: plan.duration,
            inFlight: tally.open
        )
        progress.countsUnsent = true
        return progress
    }

    private func outcome(_ tally: MonitorTally, _ load: MonitorLoad, after ran: TimeSpan) -> LoadMonitorRateOutcome {
        let span = min(ran, load.plan.duration)
        return LoadMonitorRateOutcome(
            tally: tally,
            span: span,
            planned: load.plan.dueCount(at: span.microseconds * 1000 - 1)
        )
    }

    /// The results in the form of the result files.
    private func results(
        of tally: MonitorTally,
        _ load: MonitorLoad,
        _ target: LoadMonitorTarget,
        after ran: TimeSpan
    ) -> LoadResults {
        let asked: [(name: String, value: String)] = [
            ("monitor", target.url), ("instances", "\(rate.instances ?? 1000)"), ("requests", "\(load.plan.total)"),
            ("duration", rate.duration ?? LoadMonitorRateOptions.usualDuration), ("connections", "\(connections)"),
        ]
        let outcome = outcome(tally, load, after: ran)
        var results = LoadResults(name: "load monitor --rate", seed: seed ?? 1, settings: asked, rows: outcome.rows)
        outcome.describe(&results, plan: load.plan)
        results.earlyEnd = tally.earlyEnd
        return results
    }

    /// Shows and writes the results.
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
        results.outcomes.append(.failures(outcome.failures, atMost: maxFailures))
        if let mark { print("\(mark.announcement)\n") }
        print(outcome.table, terminator: "")
        print("\n" + VerdictColours.text(results.thresholdTable), terminator: "")
        if let directory {
            try results.write(to: directory, events: tally.requests, jobs: connections, began: began)
            end.keeps("the results are in \(directory.path)")
        }
        await dashboard?.finish(RunFiles(results), in: directory?.path)
        if let directory { try rendering.render(directory.path, quiet: quiet) }
        if outcome.failures > maxFailures {
            printError(
                "\(outcome.failures) requests failed; \(maxFailures) are allowed"
                    + (outcome.soleCause.map { "; all of them: \($0)" } ?? "")
                    + (outcome.unauthorized > 0 ? " (401: the secret of --bearer-token-file is not the monitor's)" : "")
            )
        }
        try mark?.endCommand(quiet: quiet)
        guard !results.hasFailures else { throw Failure.checkFailed }
    }
}
