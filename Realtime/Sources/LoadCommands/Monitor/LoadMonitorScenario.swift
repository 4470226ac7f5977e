import ArgumentParser
import Dashboard
import Evaluation
import Foundation
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting
import Results
import ScenarioLanguage
import ServiceLoad
import Shell
import Studies

/// The run of a scenario's rides and phones against a monitor: prepares it, and writes and compares the results.
struct LoadMonitorScenario: Sendable {
    let file: String
    let command: LoadMonitorCommand
    /// The monitor; nil: a child process.
    let monitor: LoadMonitorTarget?

    var options: LoadMonitorScenarioOptions { command.ride }
    var speed: Double { options.speed ?? 1 }
    var settings: [String] { options.settings.withSeed(command.seed) }

    func run() async throws {
        let thresholds = try options.thresholds()
        let world = try world()
        let directory = RunDirectory(path: command.output ?? "results/\(world.scenario.name)-monitor")
        try directory.prepareOrExit()
        // Before the run, so that it does not run in vain.
        try thresholds.judgedOrExit(by: LoadMonitorOutcome.names(of: world))
        let began = ContinuousClock.now
        try await Interruption.endingEarly(kept: "nothing was written; earlier results are unchanged") { end in
            try await command.page.showing("load monitor") { dashboard in
                let watch = try command.abort.watch(endingWith: end)
                let report: Report = { outcome, view in
                    @Sendable func judged() -> LoadReport {
                        var report = results(of: outcome, world)
                        report.results.judge(thresholds, failures: outcome.failures, atMost: command.maxFailures)
                        return report
                    }
                    watch?.look(at: view.progress, judged)
                    dashboard?.board.offer { view.snapshot(judged()) }
                }
                let isShown = dashboard != nil || watch != nil
                let outcome = try await perform(world, endingWith: end, report: isShown ? report : nil)
                try await conclude(outcome, world, directory, began: began, end, on: dashboard)
                if outcome.isLogLost { throw Failure.cannotWrite }
            }
        }
    }

    /// Judges and writes the results at once, because they cannot be reproduced, and then compares and shows them.
    ///
    /// - Parameter simulate: Simulates the scenario.
    func conclude(
        _ outcome: LoadMonitorOutcome,
        _ world: World,
        _ directory: RunDirectory,
        began: ContinuousClock.Instant,
        _ end: EarlyEnd,
        on dashboard: Dashboard? = nil,
        simulate: @Sendable (World) async throws -> RunResult = RunResult.simulated
    ) async throws {
        let (events, isCompared) = (outcome.monitor.requests.sent, options.compareWithSimulation)
        var results = results(of: outcome, world)
        if let warning = results.lateness?.warning { printError(warning) }
        try command.judgeOrExit(&results, failures: outcome.failures)
        try results.write(to: directory, events: events, jobs: 1, began: began)
        end.keepsResults(in: directory.path, lacksComparison: isCompared)
        try await working {
            guard isCompared else { return }
            guard outcome.live.earlyEnd == nil else {
                printError(EarlyEndMark.notCompared)
                return
            }
            let comparison = ResultComparison(
                simulated: try await simulate(world),
                live: outcome.live.result,
                of: .screens
            )
            results.comparison = comparison
            try results.write(to: directory, events: events, jobs: 1, began: began)
            let report = LiveComparisonReport(comparison, lateness: results.lateness)
            try writeOrExit(report.markdown, to: "\(directory.path)/comparison.md")
            end.keepsResults(in: directory.path)
        } finally: {
            if !command.quiet { results.show(in: directory) }
            if let comparison = results.comparison, !command.quiet {
                print("\n" + LiveComparisonReport(comparison, lateness: results.lateness).text, terminator: "")
            }
            await dashboard?.finish(RunFiles(results), in: directory.path)
        }
        try command.rendering.render(directory.path, quiet: command.quiet)
        try judge(results, outcome)
    }

    /// The results in the form of the result files.
    private func results(of outcome: LoadMonitorOutcome, _ world: World) -> LoadReport {
        let (seed, asked) = (world.scenario.seed, asked(world))
        var results = LoadReport(load: "load monitor", seed: seed, settings: asked, set: settings, rows: outcome.rows)
        outcome.describe(&results)
        return results
    }

    // MARK: - The world

    /// The scenario without the faults that cannot be played; reports those.
    private func world() throws -> World {
        var loaded = try orExit {
            try ScenarioReader.read(file: file, settings: settings)
        }
        try? loaded.printWarningOfScale(file: file, settings: settings)
        do throws(LiveRunError) {
            try LiveRunError.check(loaded.scenario, remote: .withMonitor)
        } catch {
            printError("\(file): \(error)")
            throw Failure.badData
        }
        if let warning = FaultHost.monitor.warning(about: loaded.scenario) { printError("\(file): \(warning)") }
        loaded.scenario.faults.removeAll { !FaultHost.monitor.plays($0.kind) }
        let ready = loaded
        return try orExit { try ScenarioLoader.world(ready, replications: 1) }
    }

    private func asked(_ world: World) -> [(name: String, value: String)] {
        [
            ("scenario", file), ("speed", "\(speed)"),
            ("monitor", monitor?.url ?? "its own"), ("stand_in", options.readyFile ?? "its own"),
            ("connections", "\(command.connections)"), ("cells", "\(world.scenario.cells)"),
        ]
    }

    // MARK: - Results

    /// Ends the command if a threshold, the number of failures or the comparison fails.
    private func judge(_ results: LoadReport, _ outcome: LoadMonitorOutcome) throws {
        var isGood = true
        command.report(failures: outcome.failures, cause: outcome.monitor.requests.soleCause)
        if results.hasFailures {
            if command.quiet { printError(results.thresholdTable) }
            isGood = false
        }
        if let comparison = results.comparison, !comparison.agrees {
            printError(LiveComparisonReport(comparison, lateness: results.lateness).verdict)
            isGood = false
        }
        try results.throwIfEndedEarly(quiet: command.quiet)
        guard isGood else { throw Failure.checkFailed }
    }
}
