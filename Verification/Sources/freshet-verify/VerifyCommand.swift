import ArgumentParser
import Foundation
import Reporting
import ScenarioLanguage
import Shell
import TextFormats
import Verification

/// The program behind `freshet verify`: compares the model with known results.
@main
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet verify",
        abstract: "Checks the model against exactly known results and against invariants of random scenarios.",
        discussion: """
            Example: freshet verify experiments/validation/cases.json --only PUSH
            Example: freshet verify --swarm 1000
            Example: freshet verify --swarm 50 --swarm-events 1000000 --swarm-keep found

            Each case of the file (part of a checkout) becomes a scenario that runs under many seeds. The estimate must agree \
            with the exact value within its error, and the spread between seeds must match its expected size. Seeds are \
            hashes of the case's id, so cases are independent of each other. Exit code 99: a case fails.

            A swarm runs scenarios drawn from consecutive seeds, until one breaks a rule. Each group of features is on or off, \
            and some scenarios have ride traces and measured values. Each scenario runs in several ways; totals must add up and \
            the history of each ride must follow the rules. A scenario that breaks a rule is minimized and printed, or kept as a \
            file. Each scenario is announced on standard error before it runs, so after a crash the last line names the culprit. \
            Exit code 99: a violation was found.

            With --format json, standard output is one array: an object for each case.
            """,
        version: Release.version
    )

    static func main() async {
        await mainOrExit()
    }

    @Argument(help: "The file of cases; optional with --swarm or --world.", completion: .file(extensions: ["json"]))
    var cases: String?

    @Option(help: "Run only cases whose names begin with this prefix.")
    var only = ""

    @Option(help: "The minimum number of seeds, 2 to 10000; a case can require more.", transform: wholeNumber)
    var seeds = 20

    @Option(help: "table, or json for scripts.")
    var format = Format.table

    @Option(
        help: "Number of runs in parallel, 1 to 1024. Results do not depend on it.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @OptionGroup
    var swarm: SwarmOptions

    @OptionGroup var memory: MemoryOption

    @Option(help: "Print the scenario of a case, for freshet run, and exit.")
    var showScenario: String?

    @Flag(help: "Print no progress.")
    var quiet = false

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table
        case json
    }

    func validate() throws {
        let isAsked = cases != nil || swarm.count != nil || !swarm.world.isEmpty
        try demand(isAsked, "name a file of cases, or --swarm, or --world, or several of them")
        try demand(cases != nil || showScenario == nil, "--show-scenario needs a file of cases")
        try limit("--seeds", seeds, to: 2...10_000)
        try limit("--jobs", jobs, to: 1...1024)
    }

    func run() async throws {
        var hasFailures = false
        var list = JudgementList(judgements: [])
        if let cases {
            guard let judged = try await judgements(of: cases) else { return }
            list = judged
            if format != .json { print(list.table, terminator: "") }
            hasFailures = list.hasFailures
        }
        hasFailures = try await swarm.judgeWorlds(memory.limit) || hasFailures
        if let count = swarm.count {
            // With JSON, standard output contains one array and nothing else.
            let hasFound = try await swarm.run(count, quiet: quiet) { text in
                if format == .json { printError(text) } else { print(text, terminator: "") }
            }
            hasFailures = hasFound || hasFailures
        }
        if format == .json { print(list.json, terminator: "") }
        if hasFailures { throw Failure.checkFailed }
    }

    // MARK: - Cases

    /// The verdicts on a file of cases; `nil` if --show-scenario printed a scenario instead.
    private func judgements(of cases: String) async throws -> JudgementList? {
        let verification = try Verification(file: cases, only: only)
        if let showScenario {
            try show(showScenario, of: verification, in: cases)
            return nil
        }
        guard !verification.ids.isEmpty else {
            let advice = Suggestion.advice(for: only, among: try Verification.families(of: cases))
            throw CommandError("\(cases) has no case whose name begins with \"\(only)\"; \(advice)")
        }
        return JudgementList(judgements: try await judge(verification))
    }

    private func show(_ id: String, of verification: Verification, in cases: String) throws {
        guard verification.ids.contains(id) else {
            let near = Suggestion.nearest(to: id, among: verification.ids).map { "; did you mean \"\($0)\"?" } ?? ""
            throw CommandError("\(cases) has no case \"\(id)\"\(near)")
        }
        guard let text = verification.scenarioFile(of: id) else {
            throw CommandError("the case \(id) is not one scenario")
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
