import ArgumentParser
import Experiments
import Foundation
import Reporting
import Verification

/// Holds the product's model against known results.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Runs the model against results that are known exactly, and against what must hold for any.",
        discussion: """
            Example: freshet verify experiments/validation/cases.json --only PUSH
            Example: freshet verify --swarm 1000
            Example: freshet verify --swarm-for 1h --swarm-events 1000000 --swarm-keep found
            Example: freshet verify --coverage nyc-lyft-day --rides 1000

            Each case of the file, which a checkout has, becomes an ordinary scenario, which is run under many seeds; the \
            estimate must agree with the exact value within its error, and the seeds must differ as much as chance has it. The seeds are hashes of the case's \
            id, so that cases are independent of each other. Exit 99 if any case fails.

            A swarm is of scenarios that are drawn from consecutive seeds, with each group of features in or out, some with \
            ride traces and measured values. Each is run twice; in each the sums must come out even and the stories of its \
            rides keep the rules. Scenarios run in processes of their own: a trap or a hang is found like anything else. Of \
            each kind of violation the lowest seed is made smaller and printed, or kept as a scenario. Exit 99 then, too. \
            Ctrl-C ends a swarm and prints what it has found.

            A study of coverage runs a scenario under many seeds, and counts how often the 95 % intervals of each row of \
            summary.csv hold the long-run value. Exit 99 if they do so too seldom.

            With --format json, standard output is one array: an object for each case, then one for each row of a study of \
            coverage.
            """
    )

    @Argument(help: "The file of cases; may be left out for a swarm alone.", completion: .file(extensions: ["json"]))
    var cases: String?

    @Option(help: "Only cases whose names begin with this.")
    var only = ""

    @Option(help: "How many seeds at least, 2 to 10000; a case may ask for more.", transform: wholeNumber)
    var seeds = 20

    @Option(help: "table, or for scripts json; csv for the rows of a study of coverage.")
    var format = Format.table

    @Option(
        help: "How many runs to make at the same time, 1 to 1024. It never shows in the results.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @OptionGroup
    var swarm: SwarmOptions

    @OptionGroup var memory: MemoryOption

    @Option(
        help: "How often the intervals of this scenario's runs hold the long-run value; may be repeated.",
        completion: .file()
    )
    var coverage: [String] = []

    @Option(
        help: "For --coverage: how many rides a run has, on average, 1 to 10000000; may be repeated.",
        transform: wholeNumber
    )
    var rides: [Int] = []

    @Option(
        help: "For --coverage: how many runs, 10 to 100000; every five make an interval of replications.",
        transform: wholeNumber
    )
    var coverageSeeds = 200

    @Option(help: "Print the scenario of a case, for freshet run, and run nothing.")
    var showScenario: String?

    @Flag(help: "No progress.")
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
            // With JSON, standard output holds one array and nothing else.
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

    /// Studies the intervals of some scenarios.
    private func coverageReport() async throws -> CoverageReport {
        var outcomes: [CoverageOutcome] = []
        for file in coverage {
            let world = try ScenarioLoader.load(file: file)
            for size in rides.isEmpty ? [1000] : rides {
                guard let study = CoverageStudy(world, rides: size, seeds: coverageSeeds) else {
                    throw CommandError(
                        "\(file): --coverage needs rides by a Poisson process, which can be brought to a size"
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

    /// What is made of a file of cases; nil when only a scenario was to be shown.
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
