import ArgumentParser
import Dashboard
import Experiments
import LoadGenerator
import Quantities
import Reporting
import Synchronization

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
            try await page.showing("load monitor --rate") { dashboard in
                let watch = Mutex(LoadMonitorRateCourse(plan: ready.plan))
                let tally = try await ready.run(endingWith: end) { tally, recent, elapsed in
                    if let dashboard {
                        let (progress, course) = watch.withLock { ($0.append(tally, recent, at: elapsed), $0.course) }
                        dashboard.board.offer {
                            var results = results(of: tally, ready, target, after: elapsed)
                            results.course = course
                            return LoadSnapshot(progress, results)
                        }
                    }
                    if !quiet { ProgressLine.tell("\(tally.requests) of \(total) requests answered") }
                }
                if !quiet { ProgressLine.clear() }
                try Task.checkCancellation()
                try await conclude(tally, of: ready, target, directory, began: began, on: dashboard)
            }
        }
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
        let rows = outcome(tally, load, after: ran).rows
        var results = LoadResults(name: "load monitor --rate", seed: seed ?? 1, settings: asked, rows: rows)
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
        on dashboard: Dashboard?
    ) async throws {
        let mark = tally.earlyEnd
        let outcome = outcome(tally, load, after: mark?.ran ?? load.plan.duration)
        let results = results(of: tally, load, target, after: mark?.ran ?? load.plan.duration)
        if let mark { print("\(mark.sentence). \(EarlyEndMark.meaning)\n") }
        print(outcome.table, terminator: "")
        if let directory {
            try results.write(to: directory, events: tally.requests, jobs: connections, began: began)
        }
        await dashboard?.finish(RunFiles(results))
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
