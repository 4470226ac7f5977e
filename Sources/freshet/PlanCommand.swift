import ArgumentParser
import Evaluation
import LiveActivityModel
import Reporting
import ScenarioLanguage
import Shell
import Studies
import TextFormats

/// Writes the tasks of a run or sweep to a directory that machines share.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Splits a run or a sweep into tasks for many machines.",
        discussion: """
            Example: freshet plan retry-policies --output /shared/plan
                     freshet run /shared/plan --task 0        (for each task, on any machine, in any order)
                     freshet merge /shared/plan

            The directory holds the scenario with its data files, plan.json, and the results of finished tasks. The merged \
            results have the same bytes as a run on one machine.
            """
    )

    @Argument(help: "The scenario file, or the name of an example.", completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String

    @Option(help: "The random seed, 0 to 2^64 - 1; overrides the scenario.", transform: wholeNumber)
    var seed: UInt64?

    @Option(
        help: "Number of replications per design point, 1 to 100000; overrides the scenario.",
        transform: wholeNumber
    )
    var replications: Int?

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, given as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(help: "Plan only design points that meet this condition; repeatable.")
    var only: [String] = []

    @Option(help: "The directory of the plan; must be new or hold the same plan.", completion: .directory)
    var output: String

    func validate() throws {
        try limit("--replications", replications ?? 1, to: 1...100_000)
    }

    func run() throws {
        let plan = Plan(
            file: scenario,
            settings: settings.withSeed(seed),
            replications: replications,
            only: only
        )
        _ = try only.map(Condition.init(option:))
        let sweep = try layingOut { (laidOut) throws(ScenarioError) in try plan.sweep(laidOut: laidOut) }
        try sweep.file.printWarningOfScale(file: scenario, settings: settings)
        try PlanDirectory(path: output).write(plan, sweep)
        let count = sweep.tasks.count
        let events = sweep.points.reduce(0) { $0 + $1.events } * Double(sweep.replications)
        print(
            "\(count.counted("task", "tasks")) in \(output): freshet run \(output) --task 0 … \(count - 1), then freshet merge \(output); about \(Format.short(Int(min(events, 1e15)))) events"
        )
    }
}

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges the results of a plan's tasks.",
        discussion: """
            Example: freshet merge /shared/plan --output results/retry-policies

            If results are missing, the command names their tasks and exits with 66; run these tasks and merge again. \
            Merging keeps the task results, so it can be repeated.
            """
    )

    @Argument(help: "The directory that freshet plan wrote.", completion: .directory)
    var plan: String

    @Option(help: "The result directory; results/<name> by default.", completion: .directory)
    var output: String?

    @Flag(help: "Print no table.")
    var quiet = false

    func run() throws {
        let began = ContinuousClock.now
        let directory = PlanDirectory(path: plan)
        let sweep = try directory.sweep()
        let run = SweepRun(sweep: sweep, store: directory.store, directory: output, jobs: 1, quiet: quiet)
        guard sweep.experiment.factors == nil else {
            try run.judge(run.writeResults(began: began))
            return
        }
        let result = try run.fold { sweep, store in
            try SweepResult.MissingTasks.check(sweep, in: store)
            return try SweepResult.runResult(of: sweep.points[0], sweep, from: store)
        }
        let writer = RunWriter(
            directory: output ?? "results/\(result.scenario.name)",
            scenario: plan,
            jobs: 1,
            quiet: quiet,
            data: sweep.dataPlaces
        )
        try writer.write(result, checks: sweep.experiment.checks, began: began)
    }
}
