import ArgumentParser
import Dashboard
import Evaluation
import LoadGenerator
import Quantities
import Reporting
import Results
import ScenarioLanguage
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
            schedule: LoadSchedule(.open(try rate.plan(over: span))),
            operations: MonitorOperations(instances: instances, seed: seed),
            prefix: LoadInstances.prefix(of: "\(seed)", beganAt: WallClock.microseconds)
        )
        load.connections = connections
        let (ready, schedule) = (load, load.schedule)
        let thresholds = try ride.thresholds()
        try thresholds.judgedOrExit(by: LoadMonitorRateOutcome.names)
        try await Interruption.endingEarly(kept: "nothing was written") { end in
            try await page.showing("load monitor --rate") { dashboard in
                let report = try abort.reporting(dashboard, endingWith: end) { progress, schedule in
                    let outcome = LoadMonitorRateOutcome(progress, of: schedule)
                    var report = results(of: outcome, progress.earlyEnd, schedule, target)
                    report.results.judge(thresholds, failures: outcome.failures, atMost: maxFailures)
                    return report
                }
                let session = LoadSession(load: ready, showsProgress: !quiet, report: report)
                let progress = try await session.run(endingWith: end)
                Self.warn(ofRemaining: progress.remaining)
                end.workIsOver()
                try await conclude(progress, of: schedule, target, directory, began: began, end, on: dashboard)
            }
        }
    }

    /// Warns of instances that a load has left in a running monitor.
    static func warn(ofRemaining count: Int) {
        guard count > 0 else { return }
        printError(
            "the monitor did not acknowledge the withdrawal of \(count) \(count == 1 ? "instance" : "instances") of this "
                + "load: it may still push to them, until their recovery window ends"
        )
    }

    /// The results in the form of the result files.
    private func results(
        of outcome: LoadMonitorRateOutcome,
        _ mark: EarlyEndMark?,
        _ schedule: LoadSchedule,
        _ target: LoadMonitorTarget
    ) -> LoadReport {
        let asked: [(name: String, value: String)] = [
            ("monitor", target.url), ("instances", "\(rate.instances ?? 1000)"),
            ("requests", "\(schedule.plan?.total ?? 0)"),
            ("duration", rate.duration ?? LoadMonitorRateOptions.usualDuration), ("connections", "\(connections)"),
        ]
        var results = LoadReport(load: "load monitor --rate", seed: seed ?? 1, settings: asked, rows: outcome.rows)
        outcome.describe(&results, plan: schedule.plan)
        results.earlyEnd = mark
        return results
    }

    /// Shows and writes the results.
    private func conclude(
        _ progress: LoadProgress,
        of schedule: LoadSchedule,
        _ target: LoadMonitorTarget,
        _ directory: RunDirectory?,
        began: ContinuousClock.Instant,
        _ end: EarlyEnd,
        on dashboard: Dashboard?
    ) async throws {
        let mark = progress.earlyEnd
        let outcome = LoadMonitorRateOutcome(progress, of: schedule)
        var results = results(of: outcome, mark, schedule, target)
        try judgeOrExit(&results, failures: outcome.failures)
        if let mark { print("\(mark.announcement)\n") }
        print(outcome.table, terminator: "")
        print("\n" + VerdictColours.text(results.thresholdTable), terminator: "")
        if let directory {
            try results.write(to: directory, events: progress.tally.sent, jobs: connections, began: began)
            end.keepsResults(in: directory.path)
        }
        if let warning = outcome.withoutAnnouncement { printError(warning) }
        await dashboard?.finish(RunFiles(results), in: directory?.path)
        if let directory { try rendering.render(directory.path, quiet: quiet) }
        report(
            failures: outcome.failures,
            cause: progress.tally.soleCause,
            remark: outcome.unauthorized > 0 ? " (401: the secret of --bearer-token-file is not the monitor's)" : ""
        )
        try mark?.endCommand(quiet: quiet)
        guard !results.hasFailures else { throw Failure.checkFailed }
    }
}
