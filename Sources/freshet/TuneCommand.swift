import ArgumentParser
import Evaluation
import Foundation
import LiveActivityModel
import Reporting
import ScenarioLanguage
import Shell
import Studies
import Synchronization

struct TuneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tune",
        abstract: "Finds the best setting within limits, with a stated guarantee.",
        discussion: """
            Example: freshet tune tune-fresh-limit
                     freshet tune sweep.yaml --maximise displayed_fresh_time_ratio \\
                             --subject-to "pushes_per_activity <= 40" --indifference 0.2%

            The design points come from the file's factors and share the same random numbers. Points that are worse, or \
            break a limit, with the required confidence get no more replications. The search stops when one point is left. \
            The result states its guarantee and the conditions. If the file has a goal (factors.goal), no options are \
            needed. If no point meets the limits, the command names the nearest point, states the best value that any point reached, and exits with 99.
            """
    )

    @Argument(
        help: "The scenario file with factors, or the name of an example with factors.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var scenario: String

    @Option(help: "The response to maximise, for example displayed_fresh_time_ratio.")
    var maximise: String?

    @Option(
        parsing: .unconditional,
        help:
            "The response, factor or cost to minimise, for example \"3 * cells + pushes_per_activity\"."
    )
    var minimise: String?

    @Flag(help: "Allow a response whose definition depends on a factor (content.ttl and the like).")
    var acrossRulers = false

    @Option(
        help:
            "A limit for the chosen point, such as \"pushes_per_activity <= 40\"; \"… with 95%\" requires that confidence; repeatable."
    )
    var subjectTo: [String] = []

    @Option(
        help:
            "The indifference zone: the smallest difference of the objective that matters, above 0, for example 0.2% or 500ms; default for shares: 0.1%."
    )
    var indifference: String?

    @Option(
        help:
            "The tolerance of limits, as a share of the limit: a point this close may be accepted or rejected; 0.0001% to 100%; default: 1%, and for a share at most a twentieth of what is left to 100%."
    )
    var tolerance: String?

    @Option(help: "The minimum probability that the choice is right, above 0.5 and below 1; default 0.95.")
    var confidence: Double?

    @Option(
        help: "The largest number of replications over all points, 2 to 100000000; default 100000.",
        transform: wholeNumber
    )
    var budget: Int?

    @Option(help: "The random seed, 0 to 2^64 - 1; overrides the scenario.", transform: wholeNumber)
    var seed: UInt64?

    @Option(
        help:
            "Number of replications to run in parallel, 1 to 1024; default: one per processor. Results do not depend on it.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, given as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(help: "Consider only design points that meet this condition; repeatable.")
    var only: [String] = []

    @Option(help: "The result directory; results/<name> by default.", completion: .directory)
    var output: String?

    @OptionGroup var memory: MemoryOption

    @Flag(help: "Print no progress and no table.")
    var quiet = false

    @OptionGroup var page: PageOptions

    func validate() throws {
        try limit("--jobs", jobs, to: 1...1024)
        try limit("--budget", budget ?? 2, to: 2...100_000_000)
    }

    func run() async throws {
        let conditions = try only.map(Condition.init(option:))
        let sweep = try layingOut(quiet: quiet) { (laidOut) throws(ScenarioError) in
            try Sweep(
                ScenarioReader.read(file: scenario, settings: settings.withSeed(seed)),
                only: conditions,
                besidePresent: true,
                laidOut: laidOut
            )
        }
        try demand(sweep.experiment.factors != nil, "\(scenario) has no factors, so there is nothing to choose between")
        let goal = try goal(of: sweep)
        let tuning = try Tuning(sweep, goal: goal, options: optionsOfGoal)
        try sweep.file.printWarnings(file: scenario, settings: settings, areNamed: output == nil)
        let run = SweepRun(sweep: sweep, directory: output, jobs: jobs, quiet: quiet, memory: memory.limit)
        let began = ContinuousClock.now
        let milestone = Milestone()
        let (jobs, quiet, points) = (jobs, quiet, sweep.points.count)
        let kept = "finished replications are kept; the same command continues from there"
        let result = try await run.alone {
            let result = try await Interruption.guarding(scenario, within: memory.limit, kept: kept) {
                defer { if !quiet { ProgressLine.clear() } }
                return try await tuning.run(store: run.store, jobs: jobs) { replications, survivors in
                    guard !quiet, ProgressLine.isTerminal || milestone.passes(replications) else { return }
                    ProgressLine.show("\(replications) replications, \(survivors) of \(points) points left")
                }
            }
            let text = TuningReport(result).text(width: TerminalWidth.ofStandardOutput)
            try run.write(RunFiles(result), table: text, began: began)
            return result
        }
        try page.render(run.directory.path, quiet: quiet)
        if result.best == nil {
            if quiet {
                let report = TuningReport(result)
                printError(([report.headline] + report.ceiling).joined(separator: " "))
            }
            throw Failure.checkFailed
        }
    }

    /// The goal of the file, overridden by options.
    private func goal(of sweep: Sweep) throws -> Goal {
        var goal = sweep.factors.goal ?? Goal()
        let scenario = sweep.experiment.scenario
        /// Returns an option's text with its windows counted from the start of the run.
        func counted(_ text: String, _ option: String) throws -> String {
            // In a file, local times are compared with the first request of the trace.
            try demand(
                scenario.rides.trace == nil || Response.localWindow(in: text) == nil,
                "\(option) must count windows from the start of the run, such as @2h..2h30m, because rides come from a "
                    + "file; factors.goal may have local times"
            )
            return Response.countingFromStart(text, at: scenario.clock.start)
        }
        if maximise != nil || minimise != nil {
            goal.maximise = try maximise.map { text in
                let text = try counted(text, "--maximise")
                return try reading("--maximise") { try Objective(parsing: text) }
            }
            goal.minimise = try minimise.map { text in
                let text = try counted(text, "--minimise")
                return try reading("--minimise") { try Objective(parsing: text) }
            }
        }
        if acrossRulers { goal.acrossRulers = true }
        try demand(
            goal.objective != nil,
            "there is no goal: name one response or cost by --maximise or --minimise, or in the file as factors.goal"
        )
        if !subjectTo.isEmpty {
            goal.constraints = try subjectTo.map { text in
                let text = try counted(text, "--subject-to")
                let comparison = try reading("--subject-to") { try Comparison(parsing: text) }
                try require(comparison.response, "--subject-to", of: sweep)
                return comparison
            }
        }
        if let indifference {
            guard let amount = Amount(indifference) else {
                throw ValidationError("--indifference must be a number, a share or a duration, got \"\(indifference)\"")
            }
            goal.indifference = amount
        }
        if let tolerance {
            guard let share = Amount(tolerance)?.value(in: "1", isShare: true), (0.000001...1).contains(share) else {
                throw ValidationError("--tolerance must be a share above 0 such as 1% or 0.01, got \"\(tolerance)\"")
            }
            goal.tolerance = share
        }
        if let confidence {
            let isAllowed = confidence > 0.5 && confidence < 1
            try demand(isAllowed, "--confidence must be above 0.5 and below 1, got \(confidence)")
            goal.confidence = confidence
        }
        if let budget { goal.budget = budget }
        return goal
    }

    /// Option names by the key of `factors.goal` that they set, so that messages name the option.
    private var optionsOfGoal: [String: Tuning.GoalOption] {
        [
            "maximise": .init("--maximise", isGiven: maximise != nil),
            "minimise": .init("--minimise", isGiven: minimise != nil),
            "subject_to": .init("--subject-to", isGiven: !subjectTo.isEmpty),
            "indifference": .init("--indifference", isGiven: indifference != nil),
            "tolerance": .init("--tolerance", isGiven: tolerance != nil),
            "confidence": .init("--confidence", isGiven: confidence != nil),
            "budget": .init("--budget", isGiven: budget != nil),
        ]
    }

    /// Throws an error that names the option, if the scenario has no such response.
    private func require(_ response: Response, _ option: String, of sweep: Sweep) throws {
        do {
            _ = try response.resolve(in: sweep.experiment.scenario)
        } catch {
            throw CommandError("\(option) \(error)", Failure.badData)
        }
    }
}

/// A filter for progress lines: passes a count each time it has doubled.
private final class Milestone: Sendable {
    private let next = Atomic<Int>(1)

    func passes(_ count: Int) -> Bool {
        guard count >= next.load(ordering: .relaxed) else { return false }
        next.store(count * 2, ordering: .relaxed)
        return true
    }
}
