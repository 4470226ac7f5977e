import ArgumentParser
import Experiments
import Foundation
import Reporting
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
            Example: freshet verify --swarm-for 1h --swarm-events 1000000 --swarm-keep found
            Example: freshet verify --coverage nyc-lyft-day --rides 1000

            Each case of the file (part of a checkout) becomes a scenario that runs under many seeds. The estimate must agree \
            with the exact value within its error, and the spread between seeds must match its expected size. Seeds are \
            hashes of the case's id, so cases are independent of each other. Exit code 99: a case fails.

            A swarm runs scenarios drawn from consecutive seeds. Each group of features is on or off, and some scenarios have \
            ride traces and measured values. Each scenario runs twice; totals must add up and the history of each ride must \
            follow the rules. Scenarios run in child processes, so traps and hangs are found as well. For each kind of \
            violation the lowest seed is minimized and printed, or kept as a scenario. Exit code 99: a violation was found. \
            Ctrl-C ends a swarm and prints its findings.

            A coverage study runs a scenario under many seeds and counts how often the 95 % confidence interval of each row \
            of summary.csv contains the long-run value. Exit code 99: the coverage is too low.

            With --format json, standard output is one array: an object for each case, then one for each row of a coverage study.
            """,
        version: Release.version
    )

    static func main() async {
        await mainOrExit()
    }

    @Argument(help: "The file of cases; optional with --swarm or --coverage.", completion: .file(extensions: ["json"]))
    var cases: String?

    @Option(help: "Run only cases whose names begin with this prefix.")
    var only = ""

    @Option(help: "The minimum number of seeds, 2 to 10000; a case can require more.", transform: wholeNumber)
    var seeds = 20

    @Option(help: "table; json for scripts; csv for the rows of a coverage study.")
    var format = Format.table

    @Option(
        help: "Number of runs in parallel, 1 to 1024. Results do not depend on it.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @OptionGroup
    var swarm: SwarmOptions

    @OptionGroup var memory: MemoryOption

    @Option(
        help: "Run a coverage study of this scenario; repeatable.",
        completion: .file()
    )
    var coverage: [String] = []

    @Option(
        help: "For --coverage: the mean number of rides per run, 1 to 10000000; repeatable.",
        transform: wholeNumber
    )
    var rides: [Int] = []

    @Option(
        help: "For --coverage: the number of runs, 10 to 100000; every five form one interval over replications.",
        transform: wholeNumber
    )
    var coverageSeeds = 200

    @Option(help: "Print the scenario of a case, for freshet run, and exit.")
    var showScenario: String?

    @Flag(help: "Print no progress.")
    var quiet = false

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table
        case json
        case csv
    }

    func validate() throws {
        let isSwarmAsked = swarm.isAsked || !swarm.world.isEmpty || swarm.workerDirectory != nil
        let isAsked = cases != nil || isSwarmAsked || !coverage.isEmpty
        try demand(isAsked, "name a file of cases, or --swarm, or --coverage, or several of them")
        for size in rides { try limit("--rides", size, to: 1...10_000_000) }
        try limit("--coverage-seeds", coverageSeeds, to: 10...100_000)
        try demand(cases != nil || showScenario == nil, "--show-scenario needs a file of cases")
        try limit("--seeds", seeds, to: 2...10_000)
        try limit("--jobs", jobs, to: 1...1024)
    }

    func run() async throws {
        if let directory = swarm.workerDirectory {
            SwarmWorker.serve(directory: directory, events: swarm.events, bases: swarm.bases)
            return
        }
        var hasFailures = false
        var list = JudgementList(judgements: [])
        if let cases {
            guard let judged = try await judgements(of: cases) else { return }
            list = judged
            if format != .json { print(list.table, terminator: "") }
            hasFailures = list.hasFailures
        }
        var report = CoverageReport(outcomes: [])
        hasFailures = try swarm.judgeWorlds(memory) || hasFailures
        if swarm.isAsked {
            // With JSON, standard output contains one array and nothing else.
            let hasFound = try await swarm.run(jobs: jobs, quiet: quiet) { text in
                switch format {
                case .table: print(text, terminator: "")
                case .json, .csv: printError(text)
                }
            }
            hasFailures = hasFound || hasFailures
        }
        if !coverage.isEmpty {
            report = try await coverageReport()
            switch format {
            case .table: print(report.text, terminator: "")
            case .json: break
            case .csv: print(report.csv, terminator: "")
            }
            hasFailures = !report.holds || hasFailures
        }
        if format == .json { print(list.json(followedBy: report.rows), terminator: "") }
        if hasFailures { throw Failure.checkFailed }
    }

    // MARK: - Coverage

    /// Runs the coverage studies.
    private func coverageReport() async throws -> CoverageReport {
        var outcomes: [CoverageOutcome] = []
        for file in coverage {
            let world = try ScenarioLoader.load(file: file)
            for size in rides.isEmpty ? [1000] : rides {
                guard let study = CoverageStudy(world, rides: size, seeds: coverageSeeds) else {
                    throw CommandError(
                        "\(file): --coverage needs rides that arrive by a Poisson process, so that their number can be scaled"
                    )
                }
                let jobs = jobs
                try memory.admit(file, study.estimate, replications: jobs, jobs: jobs)
                outcomes += try await Interruption.guarding(kept: "nothing was printed") {
                    try await study.run(jobs: jobs)
                }
                if !quiet { printError("\(file), \(size) rides: done") }
            }
        }
        return CoverageReport(outcomes: outcomes)
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
