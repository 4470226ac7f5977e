import ArgumentParser
import Foundation
import LiveActivityModel
import Reporting
import ScenarioLanguage
import Shell
import Studies
import TextFormats

/// Varies values of a scenario by factors from the command line.
struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Runs a scenario at several levels of chosen values.",
        discussion: """
            Example: freshet sweep apns-outage --vary "monitor.fresh_limit=[30s, 1m, 2m]" \\
                         --vary "content.ttl={from: 1m, to: 5m, steps: 3}" --replications 3 --set rides.scale=0.05

            Equivalent to freshet run on a file with these factors (docs/experiments.md), for one-off questions. Factors of \
            the file are kept; the factors given here follow them.
            """
    )

    @Argument(help: "The scenario file, or the name of an example.", completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String

    @Option(help: "A factor in the form PATH=LEVELS; levels as in a file: [1m, 2m] or {from: 1m, to: 5m, steps: 3}.")
    var vary: [String] = []

    @Option(help: "Factors that vary together, in the form PATH,PATH; repeatable.")
    var zip: [String] = []

    @Option(
        name: .customLong("where"),
        help: "A condition on design points, such as \"monitor.fresh_limit < content.ttl\"."
    )
    var conditions: [String] = []

    @Option(help: "A response to report for each design point, such as age_of_information_us.p95; repeatable.")
    var response: [String] = []

    @Option(help: "The design: grid, latin_hypercube, sobol or saltelli.")
    var design: String?

    @Option(
        help: "The number of design points, 1 to 20000; required unless the design is a grid.",
        transform: wholeNumber
    )
    var points: Int?

    @Option(help: "The random seed, 0 to 2^64 - 1; overrides the scenario.", transform: wholeNumber)
    var seed: UInt64?

    @Option(
        help: "Number of replications per design point, 1 to 100000; overrides the scenario.",
        transform: wholeNumber
    )
    var replications: Int?

    @Option(
        help:
            "Number of tasks to run in parallel, 1 to 1024; default: one per processor. Results do not depend on it.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, given as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(help: "Run only design points that meet this condition; repeatable.")
    var only: [String] = []

    @Option(help: "The result directory; results/<name>-sweep by default.", completion: .directory)
    var output: String?

    @OptionGroup var memory: MemoryOption

    @Flag(help: "Print no progress and no table.")
    var quiet = false

    @OptionGroup var page: PageOptions

    func validate() throws {
        try demand(
            !vary.isEmpty,
            "there is nothing to vary: name a factor, for example --vary \"content.ttl=[1m, 2m]\"; factors in a file are run by `freshet run`"
        )
        for factor in vary where !factor.contains("=") {
            throw ValidationError("--vary must be PATH=LEVELS, got \"\(factor)\"")
        }
        let paths = vary.map { $0.prefix { $0 != "=" } }
        if let twice = paths.first(where: { path in paths.count { $0 == path } > 1 }) {
            throw ValidationError("--vary names \(twice) twice; put all of its levels into one list")
        }
        try limit("--jobs", jobs, to: 1...1024)
        try limit("--replications", replications ?? 1, to: 1...100_000)
    }

    func run() async throws {
        let conditions = try only.map(Condition.init(option:))
        let sweep: Sweep
        do throws(ScenarioError) {
            sweep = try layingOut(quiet: quiet) { (laidOut) throws(ScenarioError) in
                try Sweep(
                    ScenarioReader.read(file: scenario, settings: allSettings),
                    replications: replications,
                    only: conditions,
                    besidePresent: true,
                    notify: printError,
                    laidOut: laidOut
                )
            }
        } catch {
            throw error.naming(options: namesOfOptions)
        }
        try sweep.file.printWarnings(file: scenario, settings: settings, areNamed: output == nil)
        let directory = output ?? "results/\(sweep.experiment.scenario.name)-sweep"
        let run = SweepRun(sweep: sweep, directory: directory, jobs: jobs, quiet: quiet, memory: memory.limit)
        try await run.run(page: page)
    }

    /// The settings that add the factors to the scenario file.
    private var allSettings: [String] {
        var all = settings.withSeed(seed)
        for factor in vary {
            let path = factor.prefix { $0 != "=" }
            all.append("factors.vary.[\(path)]=\(factor.dropFirst(path.count + 1))")
        }
        if !zip.isEmpty { all.append("factors.zip=[\(zip.map { "[\($0)]" }.joined(separator: ", "))]") }
        if !conditions.isEmpty { all.append("factors.where=\(list(conditions))") }
        if !response.isEmpty { all.append("factors.responses=\(list(response))") }
        if let design { all.append("factors.design=\(design)") }
        if let points { all.append("factors.points=\(points)") }
        return all
    }

    /// Option names by the key that they set, so that messages name the option.
    private var namesOfOptions: [String: String] {
        var names = [
            "factors.zip": "--zip", "factors.where": "--where", "factors.responses": "--response",
            "factors.design": "--design", "factors.points": "--points",
        ]
        for factor in vary {
            let path = factor.prefix { $0 != "=" }
            names["factors.vary.[\(path)]"] = "--vary \(path)"
        }
        return names.filter { key, _ in !settings.contains { $0.prefix { $0 != "=" } == key } }
    }

    private func list(_ texts: [String]) -> String {
        "[\(texts.map(QuotedText.doubleQuoted).joined(separator: ", "))]"
    }
}
