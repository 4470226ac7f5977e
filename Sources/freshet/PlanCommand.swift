import ArgumentParser
import Experiments
import Foundation
import LiveActivityModel
import Reporting

/// Writes the tasks of a run or a sweep into a directory that machines share.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Cuts a run or a sweep into tasks that can be done anywhere.",
        discussion: """
            Example: freshet plan experiments/retry-policies.yaml --output /shared/plan
                     freshet run /shared/plan --task 0        (for each task, on any machine, in any order)
                     freshet merge /shared/plan

            The directory holds the scenario with its data files, plan.json and, as they come, the results of the tasks. \
            The merged results are the same bytes as those of freshet run on one machine.
            """
    )

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String

    @Option(help: "The seed of every draw, in place of the scenario's.")
    var seed: UInt64?

    @Option(help: "How many histories to run of each design point, in place of what the scenario says.")
    var replications: Int?

    @Option(name: .customLong("set"), help: "A value in place of the scenario's, as key.path=value; may be repeated.")
    var settings: [String] = []

    @Option(help: "Plan only the design points of which this holds; may be repeated.")
    var only: [String] = []

    @Option(help: "The directory of the plan; it must not exist, or hold the same plan.", completion: .directory)
    var output: String

    func validate() throws {
        if let replications, !(1...100_000).contains(replications) {
            throw ValidationError("--replications must be within 1...100000, got \(replications)")
        }
    }

    func run() throws {
        let plan = Plan(
            file: scenario,
            settings: settings + (seed.map { ["seed=\($0)"] } ?? []),
            replications: replications,
            only: only
        )
        _ = try only.map { try DesignOptions.condition($0) }
        let sweep = try loadOrExit { () throws(ScenarioError) in try plan.sweep() }
        do throws(PlanDirectory.Failure) {
            try PlanDirectory(path: output).write(plan, sweep)
        } catch {
            printError("\(error)")
            throw Failure.cannotWrite
        }
        print(
            "\(sweep.tasks.count) tasks in \(output): freshet run \(output) --task 0 … \(sweep.tasks.count - 1), then freshet merge \(output)"
        )
    }
}

/// Folds the results of all tasks of a plan.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Folds the results of a plan's tasks into the results of the whole.",
        discussion: """
            Example: freshet merge /shared/plan --output results/retry-policies

            Results that are missing end the command with exit code 66 and are named; run their tasks, then merge again.
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
        let (sweep, store) = try PlanDirectory.openOrExit(plan)
        if sweep.experiment.factors != nil {
            let run = SweepRun(sweep: sweep, store: store, directory: output, jobs: 1, quiet: quiet)
            try run.writeResults(began: began)
            return
        }
        let result: RunResult
        do {
            result = try SweepResult.runResult(of: sweep.points[0], sweep, from: store)
        } catch let error as SweepResult.MissingTasks {
            printError("\(store.path): \(error)")
            throw Failure.inputMissing
        }
        let writer = RunWriter(
            directory: output ?? "results/\(result.scenario.name)",
            scenario: plan,
            jobs: 1,
            quiet: quiet
        )
        try writer.write(result, checks: sweep.experiment.checks, began: began)
    }
}
