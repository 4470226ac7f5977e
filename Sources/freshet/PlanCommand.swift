import ArgumentParser
import Experiments
import LiveActivityModel
import Reporting

/// Writes the tasks of a run or a sweep into a directory that machines share.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Divides a run or a sweep into tasks for several machines.",
        discussion: """
            Example: freshet plan retry-policies --output /shared/plan
                     freshet run /shared/plan --task 0        (for each task, on any machine, in any order)
                     freshet merge /shared/plan

            The directory holds the scenario with its data files, plan.json and, as they come, the results of the tasks. \
            The merged results are the same bytes as those of freshet run on one machine.
            """
    )

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String

    @Option(help: "The seed of every draw, 0 to 2^64 - 1, in place of the scenario's.", transform: wholeNumber)
    var seed: UInt64?

    @Option(
        help: "How many histories to run of each design point, 1 to 100000, in place of what the scenario says.",
        transform: wholeNumber
    )
    var replications: Int?

    @Option(name: .customLong("set"), help: "A value in place of the scenario's, as key.path=value; may be repeated.")
    var settings: [String] = []

    @Option(help: "Plan only the design points of which this holds; may be repeated.")
    var only: [String] = []

    @Option(help: "The directory of the plan; it must not exist, or hold the same plan.", completion: .directory)
    var output: String

    func validate() throws {
        try limit("--replications", replications ?? 1, to: 1...100_000)
    }

    func run() throws {
        let plan = Plan(
            file: scenario,
            settings: settings + (seed.map { ["seed=\($0)"] } ?? []),
            replications: replications,
            only: only
        )
        _ = try only.map(Condition.init(option:))
        let sweep = try layingOut { (laidOut) throws(ScenarioError) in try plan.sweep(laidOut: laidOut) }
        try sweep.printWarningOfScale(file: scenario, settings: settings)
        try PlanDirectory(path: output).write(plan, sweep)
        let count = sweep.tasks.count
        let events = MemoryOption.events(
            sweep.points.reduce(0) { $0 + $1.estimate.events } * Double(sweep.replications)
        )
        print(
            "\(count) tasks in \(output): freshet run \(output) --task 0 … \(count - 1), then freshet merge \(output); about \(events)"
        )
    }
}

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges the results of a plan's tasks.",
        discussion: """
            Example: freshet merge /shared/plan --output results/retry-policies

            Results that are missing end the command with exit code 66, and their tasks are named; run these, then merge \
            again. Tasks stay where they are: merging twice does no harm.
            """
    )

    @Argument(help: "The directory that freshet plan wrote.", completion: .directory)
    var plan: String

    @Option(help: "The result directory; results/<name> by default.", completion: .directory)
    var output: String?

    @Flag(help: "Write files only: no table.")
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
