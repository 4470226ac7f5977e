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
                throw ValidationError("--noise must be a share, as 0.5% or 0.005, got \(noise)")
            }
            let responses = try metrics.map { text in try reading("--metric") { try Response(parsing: text) } }
            return RunComparison.Options(noise: share, isUnpaired: unpaired, responses: responses)
        }
    }

    func compare(_ first: String, _ second: String) throws -> RunComparison {
        try RunComparison(RecordedRun(directory: first), RecordedRun(directory: second), options)
    }
}

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares two runs: what changed, what that did, and how sure it is.",
        discussion: """
            Example: freshet compare results/nyc-lyft-day /tmp/three --noise 1%

            Runs of one world on the same seed share their luck, so their replications are compared in pairs, and the \
            intervals are those of the differences. A metric is better or worse when its interval lies beyond the noise as a \
            whole, not different when it lies within, and not sure otherwise. Runs that measure other stretches of time, in \
            other cells, of other rides or on other seeds are refused (exit 65).
            """
    )

    @Argument(help: "The run directory that the other is held against.", completion: .directory)
    var first: String

    @Argument(help: "The run directory that is judged.", completion: .directory)
    var second: String

    @OptionGroup var comparison: ComparisonOptions

    @Option(help: "text, json, markdown or csv.")
    var format = Format.text

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text
        case json
        case markdown
        case csv
    }

    func run() throws {
        let report = ComparisonReport(try comparison.compare(first, second))
        let text =
            switch format {
            case .text: report.text
            case .json: report.json
            case .markdown: report.markdown
            case .csv: report.csv
            }
        print(text, terminator: "")
    }
}
