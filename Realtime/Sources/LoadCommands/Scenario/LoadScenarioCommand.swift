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
import Shell
import Studies

/// `freshet load scenario`, which runs a scenario in real time.
struct LoadScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Runs a scenario in real time: its rides, phones, sender and monitor against an APNs endpoint.",
        discussion: """
            Example: freshet load scenario live-outage --speed 100 --compare-with-simulation

            Everything but APNs is the simulator's own code, driven by the clock; results have the simulator's form and \
            metrics. A stand-in reports the fate of each push; for any other endpoint the model draws the fates of accepted \
            pushes. With --compare-with-simulation the scenario is simulated too, with results in simulation/ below \
            the others. A difference of more than one percentage point of freshness or 5 % of the mean age ends the command \
            with exit code 99.
            """
    )

    @Argument(help: "The scenario file, or the name of an example.", completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String

    @OptionGroup var target: ScenarioTarget

    @Option(help: "The speed of the scenario relative to the wall clock.")
    var speed = 1.0

    @Option(help: "The random seed, 0 to 2^64 - 1; overrides the scenario.", transform: wholeNumber)
    var seed: UInt64?

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, given as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(help: "The result directory.", completion: .directory)
    var output: String?

    @Flag(help: "Also simulate the scenario and compare the two.")
    var compareWithSimulation = false

    @Option(
        help: """
            Also write what a server can know of the run, one event a row, to this file: NDJSON, or CSV or Parquet if the name ends \
            in .csv or .parquet.
            """,
        completion: .file(extensions: ["ndjson", "csv", "parquet"])
    )
    var eventLog: String?

    @Flag(help: "Print no progress and no table.")
    var quiet = false

    @OptionGroup var page: LiveViewOptions
    @OptionGroup var rendering: PageOptions

    func validate() throws {
        try LoadOptions.check(speed: speed, most: 10_000)
        if let eventLog { try EventLogFile(eventLog).check(against: [("the scenario", scenario)]) }
    }

    func run() async throws {
        let settings = settings.withSeed(seed)
        let loaded = try orExit {
            try ScenarioReader.read(file: scenario, settings: settings)
        }
        try? loaded.printWarningOfScale(file: scenario, settings: settings)
        let world = try orExit {
            try ScenarioLoader.world(loaded, replications: 1, notify: printError)
        }
        try demand(eventLog == nil || !world.scenario.hasChannels, EventLogFile.noChannels)
        let writer = RunWriter(
            directory: directory(of: world),
            scenario: scenario,
            jobs: 1,
            quiet: quiet,
            page: rendering
        )
        try writer.prepare()
        let log = try eventLog.map { try LoadEventLog(path: $0) }
        if loaded.experiment.factors != nil {
            printError("\(scenario): its factors are left out; --set chooses other values than those of its base")
        }
        let checks = try judgedChecks(loaded.experiment.checks, of: world)
        let began = ContinuousClock.now
        try await Interruption.endingEarly(kept: "nothing was written; earlier results are unchanged") { end in
            try await page.showing("load scenario") { dashboard in
                let tell = dashboard.map { dashboard in
                    { @Sendable (outcome: LiveOutcome, view: LiveView) in
                        dashboard.board.offer { view.snapshot(results(of: outcome, world, checks)) }
                    }
                }
                let outcome = try await runLive(world, settings: settings, log, endingWith: end, tell)
                // Before the results, whose checks may end the command.
                let stages = world.scenario.rides.stages.map(\.name)
                let isLogWritten = log?.finishOrReport(stages: stages, origin: outcome.epochMicroseconds) ?? true
                try await conclude(outcome, world, writer, checks, began, end, on: dashboard)
                if !isLogWritten { throw Failure.cannotWrite }
            }
        }
    }

    /// The results of the run so far, as the page shows them.
    private func results(of outcome: LiveOutcome, _ world: World, _ checks: [Check]) -> LoadReport {
        var results = LoadReport(
            load: "load scenario",
            seed: world.scenario.seed,
            settings: [("scenario", scenario), ("speed", "\(speed)")],
            set: settings,
            rows: Summary(outcome.result).rows
        )
        results.lateness = outcome.lateness.summary(atSpeed: speed)
        results.outcomes = (try? CheckOutcome.outcomes(of: checks, in: outcome.result)) ?? []
        return results
    }

    /// Writes the results of the run at once, because they cannot be reproduced, and then compares them with a simulation.
    ///
    /// - Parameter simulate: Simulates the scenario.
    func conclude(
        _ outcome: LiveOutcome,
        _ world: World,
        _ writer: RunWriter,
        _ checks: [Check],
        _ began: ContinuousClock.Instant,
        _ end: EarlyEnd,
        on dashboard: Dashboard? = nil,
        simulate: @Sendable (World) async throws -> RunResult = RunResult.simulated
    ) async throws {
        if let warning = outcome.result.realTime?.lateness.warning { printError(warning) }
        let (live, directory) = (outcome.result, directory(of: world))
        let outcomes = try CheckOutcome.outcomes(of: checks, in: live)
        func files(_ simulated: RunResult?) -> RunFiles {
            RunFiles(live, checks: outcomes, simulated: simulated, course: outcome.course)
        }
        try writer.writeFiles(files(nil), of: live, began: began)
        end.keepsResults(in: directory, lacksComparison: compareWithSimulation)
        if compareWithSimulation, outcome.earlyEnd != nil {
            printError(EarlyEndMark.notCompared)
        }
        var simulated: RunResult?
        try await working {
            guard compareWithSimulation, outcome.earlyEnd == nil else { return }
            let other = try await simulate(world)
            simulated = other
            try writer.writeFiles(files(other), of: live, began: began)
            let jobs = ProcessInfo.processInfo.activeProcessorCount
            try RunWriter(directory: "\(directory)/simulation", scenario: scenario, jobs: jobs, quiet: true)
                .write(other, checks: [], began: began)
            try writeOrExit(report(of: live, against: other).markdown, to: "\(directory)/comparison.md")
            end.keepsResults(in: directory)
        } finally: {
            await dashboard?.finish(files(simulated), in: directory)
        }
        try judge(live, outcomes, against: simulated, writer)
    }

    /// Prints the results, and ends the command if a check or the comparison fails.
    private func judge(
        _ live: RunResult,
        _ outcomes: [CheckOutcome],
        against simulated: RunResult?,
        _ writer: RunWriter
    ) throws {
        let report = simulated.map { self.report(of: live, against: $0) }
        defer { if let report, !quiet { print("\n" + report.text, terminator: "") } }
        try writer.tell(live, outcomes)
        guard let report, !report.agrees else { return }
        printError(report.verdict)
        throw Failure.checkFailed
    }

    private func report(of live: RunResult, against simulated: RunResult) -> LiveComparisonReport {
        let comparison = ResultComparison(simulated: simulated, live: live)
        return LiveComparisonReport(comparison, lateness: live.realTime?.lateness)
    }

    private func directory(of world: World) -> String { output ?? "results/\(world.scenario.name)-live" }

    /// The checks that can be judged; reports the others, which are about a part of the run.
    ///
    /// The simulator measures a part by running the scenario again up to its end, which a run in real time cannot do.
    private func judgedChecks(_ checks: [Check], of world: World) throws -> [Check] {
        var judged: [Check] = []
        for check in checks {
            if try CheckOutcome.stretches(of: [check], in: world.scenario).isEmpty {
                judged.append(check)
            } else {
                printError("not checked: \(check.name) is about a part of the run; `freshet run` checks it")
            }
        }
        return judged
    }

    private typealias Tell = @Sendable (LiveOutcome, LiveView) -> Void

    private func runLive(
        _ world: World,
        settings: [String],
        _ log: LoadEventLog?,
        endingWith end: EarlyEnd,
        _ tell: Tell?
    ) async throws -> LiveOutcome {
        let link = try await target.open(world, speed: speed, file: scenario, settings: settings)
        let host = FaultHost.scenario(playsAPNs: link.remote == .observed)
        if let warning = host.warning(about: world.scenario) { printError("\(scenario): \(warning)") }
        var outcome: LiveOutcome
        do {
            outcome = try await run(world, over: link, log, endingWith: end, tell)
        } catch {
            // Otherwise a stand-in that was started for the run would outlive it.
            _ = await link.close()
            throw error
        }
        try LiveRun.orExit(hasPhones: await link.close())
        outcome.result.realTime = RealTime(
            speed: speed,
            apns: link.kind,
            isObserved: link.remote == .observed,
            requests: outcome.progress.requests,
            lateness: outcome.lateness.summary(atSpeed: speed)
        )
        outcome.result.realTime?.earlyEnd = outcome.earlyEnd
        return outcome
    }

    private func run(
        _ world: World,
        over link: ScenarioTarget.Link,
        _ log: LoadEventLog?,
        endingWith end: EarlyEnd,
        _ tell: Tell?
    ) async throws -> LiveOutcome {
        let run = try LiveRun.orExit(world, speed: speed, remote: link.remote, wire: link.wire, log: log?.taker)
        let display = Task { await run.show(until: world.horizon, showsLine: !quiet, report: tell) }
        defer { display.cancel() }
        var outcome = try await run.run(endingWith: end)
        outcome.course = run.course
        return outcome
    }
}
