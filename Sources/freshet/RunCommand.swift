import ArgumentParser
import Evaluation
import Foundation
import LiveActivityModel
import Quantities
import Reporting
import ScenarioLanguage
import Shell
import Studies

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Simulates a scenario and writes the results.",
        discussion: """
            Example: freshet run nyc-lyft-day --set monitor.fresh_limit=3m --output /tmp/three

            The results go to results/<name>, or to --output. Read report.md first; summary.csv is for scripts. With --set, \
            --seed, --replications or --only the results go to results/<name>-<id>, with the first eight digits of the run's \
            id, so that they do not replace the results of the unchanged file. The same scenario and seed produce the same \
            bytes in every file except timing.json.

            A file with factors is run at every design point; points.csv has one row per point. If the run is interrupted, \
            the same command continues it. If a check of the scenario fails or is not measured, the results are written and the exit code is 99.
            """
    )

    @Argument(
        help: "The scenario file, or the name of an example; with --task, the directory of the plan.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var scenario: String

    @Option(help: "The random seed, 0 to 2^64 - 1; overrides the scenario.", transform: wholeNumber)
    var seed: UInt64?

    @Option(
        help:
            "Number of replications, 1 to 100000; overrides the scenario. Confidence intervals come from their differences.",
        transform: wholeNumber
    )
    var replications: Int?

    @Option(
        help:
            "Number of cells to run in parallel, 1 to 1024; default: one per processor. Results do not depend on it.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, given as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(help: "The result directory.", completion: .directory)
    var output: String?

    @Option(
        help: """
            Run only design points that meet this condition, such as "monitor.fresh_limit > 2m"; repeatable. For files \
            with factors.
            """
    )
    var only: [String] = []

    @Option(
        help: "Run only this design point, from 0, as a single run. For files with factors.",
        transform: wholeNumber
    )
    var point: Int?

    @Option(
        help: "Run this task of a plan, from 0; SCENARIO is the directory of the plan.",
        transform: wholeNumber
    )
    var task: Int?

    @Option(
        help:
            "The number of workers that share the plan, 1 to 1000000: with --task N, run tasks N, N + WORKERS, N + 2 WORKERS, …",
        transform: wholeNumber
    )
    var workers: Int?

    @Option(help: "Also write the checks as JUnit XML to this file.", completion: .file(extensions: ["xml"]))
    var junit: String?

    @OptionGroup var log: EventLogOptions

    @OptionGroup var memory: MemoryOption

    @Flag(help: "Print no progress and no table.")
    var quiet = false

    @Flag(
        help: """
            Run every cell twice event by event and once with speculative execution; report the first difference (exit 97).
            """
    )
    var checkDeterminism = false

    @Flag(
        name: .customLong("no-speculation"),
        help: "Run event by event, without speculative execution: slower, same results."
    )
    var isPlainHistory = false

    @OptionGroup var page: PageOptions

    func validate() throws {
        try limit("--replications", replications ?? 1, to: 1...100_000)
        try demand(workers == nil || task != nil, "--workers needs --task")
        if let task {
            if let workers {
                try limit("--workers", workers, to: 1...1_000_000)
                try demand(
                    (0..<workers).contains(task),
                    "--task must be below the number of workers, got \(task); allowed with --workers \(workers): 0 … \(workers - 1)"
                )
            }
            try demand(task >= 0, "--task must be a task of the plan, got \(task); allowed: 0 or more")
            try demand(
                isPlain,
                "--task can be combined only with --workers, --jobs, --memory and --quiet: the plan fixes everything else"
            )
        }
        try limit("--jobs", jobs, to: 1...1024)
    }

    /// `true` if no option changes the run or its output directory.
    private var isPlain: Bool {
        seed == nil && replications == nil && settings.isEmpty && output == nil && only.isEmpty && point == nil
            && junit == nil && !checkDeterminism && !page.isWanted && log.path == nil
    }

    func run() async throws {
        if let task {
            try await runTasks(from: task)
            return
        }
        let conditions = try only.map(Condition.init(option:))
        let settings = settings.withSeed(seed)
        let loaded = try ScenarioReader.read(file: scenario, settings: settings)
        try loaded.printWarnings(file: scenario, settings: settings, areNamed: output == nil && !isChanged)
        guard loaded.experiment.factors == nil else {
            let sweep = try layingOut(quiet: quiet) { (laidOut) throws(ScenarioError) in
                try Sweep(
                    loaded,
                    replications: replications,
                    only: conditions,
                    besidePresent: true,
                    notify: printError,
                    laidOut: laidOut
                )
            }
            guard let point else {
                try demand(
                    !checkDeterminism && junit == nil && log.path == nil,
                    "--check-determinism, --junit and --event-log are for single runs; choose a design point by --point"
                )
                let directory = directory(sweep.experiment.scenario.name, id: sweep.id)
                var run = SweepRun(sweep: sweep, directory: directory, jobs: jobs, quiet: quiet, memory: memory.limit)
                run.speculation = speculation
                try await run.run(page: page)
                return
            }
            guard let chosen = (sweep.points + sweep.presents).first(where: { $0.number == point }) else {
                throw ValidationError(
                    "--point must be a design point\(only.isEmpty ? "" : " that --only leaves"), got \(point); allowed: "
                        + (only.isEmpty
                            ? "0 … \(sweep.designSize - 1)"
                                + (sweep.presents.isEmpty
                                    ? ""
                                    : ", for today \(sweep.presents.map { "\($0.number)" }.joined(separator: ", "))")
                            : sweep.points.prefix(20).map { "\($0.number)" }.joined(separator: ", "))
                )
            }
            let world = try sweep.world(of: chosen)
            try await run(world, name: "\(world.scenario.name)-point-\(point)", loaded)
            return
        }
        try demand(only.isEmpty && point == nil, "--only and --point are for files with factors; \(scenario) has none")
        let world = try ScenarioLoader.world(loaded, replications: replications, notify: printError)
        for warning in loaded.warnings { printError("warning: \(warning)") }
        try await run(world, name: world.scenario.name, loaded)
    }

    /// Runs tasks of a plan and stores their results in its directory.
    private func runTasks(from first: Int) async throws {
        let plan = PlanDirectory(path: scenario)
        let count = try plan.taskCount()
        try demand(
            first < count || workers != nil,
            "--task must be a task of the plan, got \(first); allowed: 0 … \(count - 1)"
        )
        let numbers = workers.map { Array(stride(from: first, to: count, by: $0)) } ?? [first]
        // Workers beyond the number of tasks have nothing to do.
        guard !numbers.isEmpty else { return }
        let (sweep, tasks) = try plan.tasks(numbers)
        let limit = memory.limit
        var run = SweepRun(sweep: sweep, store: plan.store, directory: nil, jobs: jobs, quiet: quiet, memory: limit)
        run.speculation = speculation
        try await run.runTasks(tasks)
    }

    private var speculation: Speculation { isPlainHistory ? .none : .accelerated }

    /// `true` if options override the file.
    private var isChanged: Bool { !settings.isEmpty || seed != nil || replications != nil || !only.isEmpty }

    /// The result directory; without --output, an overridden scenario gets a directory of its own.
    private func directory(_ name: String, id: UInt64) -> String {
        if let output { return output }
        guard isChanged else { return "results/\(name)" }
        let path = "results/\(name)-\(id.hexadecimal.prefix(8))"
        // Without the table, nothing else names the directory.
        if quiet { printError("results: \(path)") }
        return path
    }

    private func run(_ world: World, name: String, _ loaded: LoadedScenario) async throws {
        try log.check(world.scenario, from: scenario)
        let checks = loaded.experiment.checks
        let writer = RunWriter(
            directory: directory(name, id: RunID(world.scenario).value),
            scenario: scenario,
            jobs: jobs,
            quiet: quiet,
            junit: junit,
            page: page,
            data: loaded.dataPlaces
        )
        try writer.prepare()
        if checkDeterminism {
            try await proveDeterminism(world)
        }
        let began = ContinuousClock.now
        let stretches = try CheckOutcome.stretches(of: checks, in: world.scenario)
        let spool = try log.spool()
        let result = try await simulate(world, measuring: stretches, eventLog: spool)
        try log.write(spool, of: world)
        try writer.write(result, checks: checks, began: began)
    }

    private func simulate(
        _ world: World,
        measuring stretches: [Range<TimeSpan>],
        eventLog: EventLogSpool?
    ) async throws -> RunResult {
        let progress = RunProgress()
        let engine = RunEngine(world: world, jobs: jobs, speculation: speculation, eventLog: eventLog)
        return try await ProgressLine.during(progress, quiet: quiet) {
            try await guarding {
                try await engine.run(progress: progress, measuring: stretches)
            }
        }
    }

    /// Performs work that a signal and the memory limit can stop.
    private func guarding<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let kept = "nothing was written; earlier results are unchanged"
        return try await Interruption.guarding(scenario, within: memory.limit, kept: kept, work)
    }

    private func proveDeterminism(_ world: World) async throws {
        let replications = world.scenario.replications.count
        let difference = try await guarding {
            try await DeterminismCheck.run(world: world, replications: replications)
        }
        guard let difference else {
            if !quiet {
                printError("every cell ran three times with the same history, once with speculative execution")
            }
            return
        }
        if difference.isOfSpeculation {
            throw CommandError(
                """
                the histories with and without speculative execution differ in replication \(difference.replication), cell \
                \(difference.cell); --no-speculation runs event by event
                """,
                Failure.notDeterministic
            )
        }
        let events = difference.events.map { event in
            event.map { "\($0.kind) of ride \($0.subject) at \($0.at.microseconds) µs" } ?? "the end of the run"
        }
        throw CommandError(
            """
            two runs of one history differ in replication \(difference.replication), cell \(difference.cell), after \
            \(difference.eventsAlike) equal events: \(events[0]) in the first run, \(events[1]) in the second
            """,
            Failure.notDeterministic
        )
    }
}
