import ArgumentParser
import Evaluation
import InputFiles
import Reporting
import Results
import Shell

/// The options that `compare` and `check` share.
struct ComparisonOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: "Ignore differences up to this share of the first value, 0% to 100%, such as 0.5% or 0.005."
    )
    var noise = "\(NumberText.text(ResultComparison.Options.usualNoise * 100))%"

    @Option(
        name: .customLong("metric"),
        help: "A metric to compare, such as age_of_information_us.p95; repeatable. Default: the headline metrics."
    )
    var metrics: [String] = []

    @Flag(help: "Treat the runs as independent (Welch's intervals); seeds and rides may differ.")
    var unpaired = false

    func validate() throws {
        _ = try options
    }

    /// The options, read.
    var options: ResultComparison.Options {
        get throws {
            let share = Amount(noise).flatMap { $0.value(in: "1", isShare: true) }
            guard let share, (0...1).contains(share) else {
                throw ValidationError(
                    "--noise must be a share, got \(noise); allowed: 0% to 100%, such as 0.5% or 0.005"
                )
            }
            let responses = try metrics.map { text in try reading("--metric") { try Response(parsing: text) } }
            return ResultComparison.Options(noise: share, isUnpaired: unpaired, responses: responses)
        }
    }

    func compare(
        _ first: String,
        _ second: String,
        named names: ResultComparison.Names = .letters
    ) throws -> ResultComparison {
        var options = try options
        options.names = names
        return try ResultComparison(first, second, options)
    }
}

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract:
            "Compares two runs (live or simulated), two sweeps or two cohorts: settings that changed, their effect, and its confidence interval.",
        discussion: """
            Example: freshet compare results/nyc-lyft-day /tmp/three --noise 1%

            Runs of one world with the same seed use the same random numbers. Their replications are compared in pairs, \
            so each interval is that of a difference. A metric is better or worse (higher or lower, if neither is better) \
            if its whole interval lies beyond the noise. It is within the noise if the whole interval lies within it, and \
            the same if every replication has the same number. Otherwise the verdict is not sure. Runs with different measured \
            intervals, cells, rides or seeds are refused (exit 65).

            Both values are means over replications. A report computes shares and means from all replications together, so the \
            last digit can differ.

            Two results of one `freshet load` command are compared by their headline metrics, or by --metric. A live run \
            has no replications, so its differences have no interval. Counts and rates have no verdict if the offered load \
            differs. Two sweeps of the same factors are compared point by point. Results of different kinds are refused \
            (exit 65).

            --cohorts A,B compares two cohorts of one run or sweep: B is judged by A. Each replication gives a pair, so chance \
            that both share cancels out. Counts have no verdict, because they grow with the share of a cohort.

            --report DIR also writes a page: the headline numbers with their changes, both timelines in one chart, and the \
            table with the largest differences first.
            """
    )

    @Argument(help: "The first result directory (the reference).", completion: .directory)
    var first: String

    @Argument(help: "The second result directory (the one to judge); none with --cohorts.", completion: .directory)
    var second: String?

    @Option(
        help:
            "Compare two cohorts of the first directory, the reference first, such as others,fast; \"others\" is the rides without a cohort."
    )
    var cohorts: String?

    @OptionGroup var comparison: ComparisonOptions

    @Option(help: "text, json, markdown or csv.")
    var format = Format.text

    @Option(
        help: "Also write report.md and report.html, with both timelines in one chart, to this directory.",
        completion: .directory
    )
    var report: String?

    @Flag(help: "Print only errors about the report.")
    var quiet = false

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text
        case json
        case markdown
        case csv
    }

    func validate() throws {
        guard let cohorts else {
            guard second != nil else {
                throw ValidationError("a second directory is missing; --cohorts compares within one")
            }
            return
        }
        guard let pair = pair(cohorts), pair.first != pair.second else {
            throw ValidationError(
                "--cohorts must be two cohorts, got \(cohorts); allowed: two different names, such as others,fast"
            )
        }
        if let second { throw ValidationError("--cohorts compares within one directory, got a second one: \(second)") }
        if comparison.unpaired {
            throw ValidationError("--unpaired needs two runs, got --cohorts, which compares within one")
        }
        for text in comparison.metrics {
            guard let response = try? Response(parsing: text), response.scope != "all" else { continue }
            throw ValidationError("--metric must have no scope with --cohorts, which compares by cohort, got \(text)")
        }
    }

    private func pair(_ cohorts: String) -> ResultComparison.Cohorts? {
        let names = cohorts.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
        return ResultComparison.Cohorts(names[0], names[1])
    }

    private func compare(named names: ResultComparison.Names = .letters) throws -> ResultComparison {
        guard let pair = cohorts.flatMap(pair) else { return try comparison.compare(first, second ?? "", named: names) }
        return try ResultComparison(pair, in: first, try comparison.options)
    }

    func run() throws {
        let comparison = try compare()
        let told = ComparisonReport(comparison)
        let text =
            switch format {
            case .text: VerdictColours.text(told.text)
            case .json: told.json
            case .markdown: told.markdown
            case .csv: told.csv
            }
        print(text, terminator: "")
        if let report {
            // Scripts read standard output, so notes go to standard error.
            let named = try compare(named: second.map { .ofResults(first, $0) } ?? .letters)
            try ComparisonPage(named).write(to: report, quiet: quiet || format != .text)
        }
    }
}
