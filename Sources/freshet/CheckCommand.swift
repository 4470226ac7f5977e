import ArgumentParser
import Experiments
import Reporting

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Tells whether a run is worse than its baseline.",
        discussion: """
            Example: freshet check /tmp/new --baseline results/nyc-lyft-day --noise 1% --junit junit.xml

            Exit 98 if a metric is worse than in the baseline by more than the noise, for sure as far as there are intervals, \
            or has no value any more; with --strict also if it is not sure that a metric is no worse; and if no \
            metric could be judged, as where content.ttl differs and all metrics depend on it; else 99 if a check of the run's own scenario does not hold; else 0. \
            Runs that are not comparable end with 65.

            In a workflow of GitHub, failures become annotations and the report goes to the summary of the step.
            """
    )

    @Argument(
        help: ArgumentHelp("The run directory that is judged.", valueName: "run"),
        completion: .directory
    )
    var directory: String

    @Option(help: "The run directory that it must not be worse than.", completion: .directory)
    var baseline: String

    @OptionGroup var comparison: ComparisonOptions

    @Flag(help: "Fail (98) where the intervals do not tell whether a metric is worse, or it is not comparable.")
    var strict = false

    @Option(help: "Also write the verdicts as JUnit's XML to this file.", completion: .file(extensions: ["xml"]))
    var junit: String?

    @Option(help: "Also write a report for a pull request to this file.", completion: .file(extensions: ["md"]))
    var markdown: String?

    @Flag(help: "Print the verdict alone.")
    var quiet = false

    func run() throws {
        let runs = try comparison.compare(baseline, directory)
        let report = RegressionReport(ComparisonReport(runs), checks: try runs.checks(), isStrict: strict)
        print(quiet ? report.verdict + "\n" : VerdictColours.text(report.text), terminator: "")
        let suites = report.testSuites
        if let junit { try writeOrExit(JUnitReport.text(of: suites), to: junit) }
        if let markdown { try writeOrExit(report.markdown, to: markdown) }
        StepReport.tell(suites, summary: report.markdown)
        if report.isRegression || report.isInconclusive || report.hasNothingJudged { throw Failure.regression }
        if report.hasFailedChecks { throw Failure.checkFailed }
    }
}
