import ArgumentParser
import Experiments
import Reporting

/// What `compare` and `check` ask for in the same words.
struct ComparisonOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: "Differences up to this part of A's value do not count, 0% to 100%, as 0.5% or 0.005."
    )
    var noise = "0.5%"

    @Option(
        name: .customLong("metric"),
        help: "A metric to compare, as age_of_information_us.p95; may be repeated. Without it, the usual ones."
    )
    var metrics: [String] = []

    @Flag(help: "Take the runs for independent (Welch's intervals): other seeds and other rides may differ, too.")
    var unpaired = false

    func validate() throws {
        _ = try options
    }

    /// The options, read.
    var options: RunComparison.Options {
        get throws {
            let share = Amount(noise).flatMap { $0.value(in: "1", isShare: true) }
            guard let share, (0...1).contains(share) else {
                throw ValidationError("--noise must be a share, got \(noise); allowed: 0% to 100%, as 0.5% or 0.005")
            }
            let responses = try metrics.map { text in try reading("--metric") { try Response(parsing: text) } }
            return RunComparison.Options(noise: share, isUnpaired: unpaired, responses: responses)
        }
    }

    func compare(_ first: String, _ second: String) throws -> ResultComparison {
        try ResultComparison(first, second, options)
    }
}

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares two runs, loads or sweeps: which metrics differ, and how sure that is.",
        discussion: """
            Example: freshet compare results/nyc-lyft-day /tmp/three --noise 1%

            Runs of one world on the same seed share their luck, so their replications are compared in pairs, and the \
            intervals are those of the differences. A metric is better or worse when its interval lies beyond the noise as a \
            whole, not different when it lies within, and not sure otherwise. Runs that measure other stretches of time, in \
            other cells, of other rides or on other seeds are refused (exit 65).

            Two results of one `freshet load` command are compared by their usual metrics, or those of --metric. A live run \
            has no replications, so its differences carry no interval; counts and rates have no verdict where more or less \
            was asked. Two sweeps of the same factors are compared point by point. Results of different kinds are refused \
            (exit 65).

            --report DIR writes a page too: the headline numbers with their changes, both courses over each other, and the \
            table with what differs first.
            """
    )

    @Argument(help: "The result directory that the other is held against.", completion: .directory)
    var first: String

    @Argument(help: "The result directory that is judged.", completion: .directory)
    var second: String

    @OptionGroup var comparison: ComparisonOptions

    @Option(help: "text, json, markdown or csv.")
    var format = Format.text

    @Option(
        help: "Also write report.md and report.html with both courses over each other to this directory.",
        completion: .directory
    )
    var report: String?

    @Flag(help: "Say nothing of the report but what went wrong.")
    var quiet = false

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text
        case json
        case markdown
        case csv
    }

    func run() throws {
        let comparison = try comparison.compare(first, second)
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
            // What scripts read on standard output stays what they asked for.
            try ComparisonPage(comparison).write(to: report, quiet: quiet || format != .text)
        }
    }
}
