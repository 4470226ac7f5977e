import ArgumentParser
import Experiments
import Foundation
import Reporting
import Verification

/// Holds the product's model against known results.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Runs the model against results that are known exactly.",
        discussion: """
            Example: freshet verify experiments/validation/cases.json --only O-PUSH

            Each case becomes an ordinary scenario, which is run under many seeds; the estimate must agree with the exact
            value within its error, and the seeds must differ as much as chance has it. Exit 99 if any case fails.
            """
    )

    @Argument(help: "The file of cases.", completion: .file(extensions: ["json"]))
    var cases: String

    @Option(help: "Only cases whose names begin so.")
    var only = ""

    @Option(help: "How many seeds at least; a case may ask for more.")
    var seeds = 20

    @Option(help: "table, or json for scripts.")
    var format = Format.table

    @Option(help: "How many seeds to run at the same time. It never shows in the results.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: "Print the scenario of a case, for freshet run, and run nothing.")
    var showScenario: String?

    @Flag(help: "No progress.")
    var quiet = false

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table
        case json
    }

    func validate() throws {
        guard (2...10_000).contains(seeds) else {
            throw ValidationError("--seeds must be within 2...10000, got \(seeds)")
        }
        guard (1...1024).contains(jobs) else {
            throw ValidationError("--jobs must be within 1...1024, got \(jobs)")
        }
    }

    func run() async throws {
        let verification = try loadOrExit { () throws(ScenarioError) in try Verification(file: cases, only: only) }
        if let showScenario {
            try show(showScenario, of: verification)
            return
        }
        guard !verification.ids.isEmpty else {
            printError("\(cases) has no case whose name begins with \(only)")
            throw ExitCode(64)
        }
        let list = JudgementList(try await judge(verification))
        print(format == .table ? list.table : list.json, terminator: "")
        if list.hasFailures { throw Failure.checkFailed }
    }

    private func show(_ id: String, of verification: Verification) throws {
        guard verification.ids.contains(id) else {
            printError("\(cases) has no case \(id)")
            throw ExitCode(64)
        }
        guard let text = verification.scenarioFile(of: id) else {
            printError("the case \(id) is not one scenario")
            throw ExitCode(64)
        }
        print(text, terminator: "")
    }

    private func judge(_ verification: Verification) async throws -> [Judgement] {
        let (seeds, jobs, quiet, count) = (seeds, jobs, quiet, verification.ids.count)
        return try await Interruption.guarding(kept: "nothing was printed") {
            try await verification.run(seeds: seeds, jobs: jobs) { judgement, done in
                guard !quiet else { return }
                printError("\(done) of \(count)  \(judgement.id)  \(judgement.verdict.rawValue)  \(judgement.remark)")
            }
        }
    }
}
