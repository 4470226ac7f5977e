import ArgumentParser
import Experiments
import Foundation
import LiveActivityModel
import Reporting
import Synchronization

struct TuneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tune",
        abstract: "Finds the best design point, with a stated guarantee.",
        discussion: """
            Example: freshet tune tune-fresh-limit
                     freshet tune sweep.yaml --maximise displayed_fresh_time_ratio \\
                             --subject-to "pushes_per_activity <= 40" --indifference 0.2%

            The points are those of the file's factors. All see the same worlds; points that are surely worse, or surely \
            break a limit, get no more replications; the search stops when one is left. What is sure, and on which \
            conditions, is said with the result. A goal in the file (factors.goal) needs no options. Where no point keeps to \
            the limits the nearest one is named, and the exit code is 99.
            """
    )

    @Argument(help: "The scenario file, with factors.", completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String

    @Option(help: "What is to be made as large as can be, as displayed_fresh_time_ratio.")
    var maximise: String?

    @Option(
        parsing: .unconditional,
        help:
            "What is to be made as small as can be: a response, a factor or a cost, as \"3 * cells + pushes_per_activity\"."
    )
    var minimise: String?

    @Flag(help: "Optimise or limit even a response that a factor measures (content.ttl and the like).")
    var acrossRulers = false

    @Option(
        help:
            "What the chosen point must keep to, as \"pushes_per_activity <= 40\", for sure with \"with 95%\"; may be repeated."
    )
    var subjectTo: [String] = []

    @Option(
        help:
            "The smallest difference of the objective worth telling apart, above 0, as 0.2% or 500ms; 0.1% of shares by default."
    )
    var indifference: String?

    @Option(
        help:
            "How far from a limit, as a part of it, a point may lie and be judged either way; 0.0001% to 100%, 1% by default."
    )
    var tolerance: String?

    @Option(help: "The chance that the choice is right, at the least; above 0.5 and below 1, 0.95 by default.")
    var confidence: Double?

    @Option(
        help: "How many replications are run at most, over all points; 2 to 100000000, 100000 by default.",
        transform: wholeNumber
    )
    var budget: Int?

    @Option(help: "The seed of every draw, 0 to 2^64 - 1, in place of the scenario's.", transform: wholeNumber)
    var seed: UInt64?

    @Option(
        help:
            "How many replications to run at the same time, 1 to 1024; by default one for each processor. It never shows in the results.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(name: .customLong("set"), help: "A value in place of the scenario's, as key.path=value; may be repeated.")
    var settings: [String] = []

    @Option(help: "Consider only the design points of which this holds; may be repeated.")
    var only: [String] = []

    @Option(help: "The result directory; results/<name> by default.", completion: .directory)
    var output: String?

    @OptionGroup var memory: MemoryOption

    @Flag(help: "Write files only: no progress, no table.")
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
                file: scenario,
                settings: settings + (seed.map { ["seed=\($0)"] } ?? []),
                replications: nil,
                only: conditions,
                laidOut: laidOut
            )
        }
        try demand(sweep.experiment.factors != nil, "\(scenario) has no factors: there is nothing to choose between")
        let goal = try goal(of: sweep)
        let tuning = try Tuning(sweep, goal: goal, options: optionsOfGoal)
        try sweep.printWarnings(file: scenario, settings: settings, output: output)
        try memory.admit(sweep, jobs: jobs)
        let run = SweepRun(sweep: sweep, directory: output, jobs: jobs, quiet: quiet)
        let began = ContinuousClock.now
        let milestone = Milestone()
        let (jobs, quiet, points) = (jobs, quiet, sweep.points.count)
        let kept = "finished replications are kept; the same command goes on from there"
        let result = try await run.alone {
            let result = try await Interruption.guarding(kept: kept) {
                defer { if !quiet { ProgressLine.clear() } }
                return try await tuning.run(store: run.store, jobs: jobs) { replications, survivors in
                    guard !quiet, ProgressLine.isTerminal || milestone.passes(replications) else { return }
                    ProgressLine.tell("\(replications) replications, \(survivors) of \(points) points left")
                }
            }
            try run.write(RunFiles(result), table: TuningReport(result).text, began: began)
            return result
        }
        try page.render(run.directory.path, quiet: quiet)
        if result.best == nil {
            if quiet { printError(TuningReport(result).headline) }
            throw Failure.checkFailed
        }
    }

    /// The goal of the file, with what the options say in its place.
    private func goal(of sweep: Sweep) throws -> Goal {
        var goal = sweep.factors.goal ?? Goal()
        if maximise != nil || minimise != nil {
            goal.maximise = try maximise.map { text in try reading("--maximise") { try Objective(parsing: text) } }
            goal.minimise = try minimise.map { text in try reading("--minimise") { try Objective(parsing: text) } }
        }
        if acrossRulers { goal.acrossRulers = true }
        try demand(
            goal.objective != nil,
            "there is no goal: name one response or cost by --maximise or --minimise, or in the file as factors.goal"
        )
        if !subjectTo.isEmpty {
            goal.constraints = try subjectTo.map { text in
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
                throw ValidationError("--tolerance must be a share above 0, as 1% or 0.01, got \"\(tolerance)\"")
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

    /// The options by the keys of `factors.goal` that they give, so that messages name what was typed.
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

    /// Ends the command where the scenario has no such response, and names the option that asks for it.
    private func require(_ response: Response, _ option: String, of sweep: Sweep) throws {
        do {
            _ = try response.resolve(in: sweep.experiment.scenario)
        } catch {
            throw CommandError("\(option) \(error)", Failure.badData)
        }
    }
}

/// Tells now and then how far a count has come: each time that it has doubled.
private final class Milestone: Sendable {
    private let next = Atomic<Int>(1)

    func passes(_ count: Int) -> Bool {
        guard count >= next.load(ordering: .relaxed) else { return false }
        next.store(count * 2, ordering: .relaxed)
        return true
    }
}
