import ArgumentParser
import Reporting
import Results
import ScenarioLanguage
import Shell

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Fails if a run is worse than its baseline.",
        discussion: """
            Example: freshet check /tmp/new --baseline results/release-gate --noise 1% --junit junit.xml

            Exit code 98: a metric is worse than the baseline by more than the noise (with confidence, where there are \
            intervals), a metric no longer has a value although the run could measure it, or no metric can be compared, for example because content.ttl differs and \
            every metric depends on it. With --strict, also if the intervals do not rule out that a metric is worse.
            Exit code 99: otherwise, if a check of the run's own scenario fails or is not measured.
            Exit code 65: the runs are not comparable.

            In a GitHub workflow, failures become annotations and the report goes to the step summary.
            """
    )

    @Argument(
        help: ArgumentHelp("The run directory to judge.", valueName: "run"),
        completion: .directory
    )
    var directory: String

    @Option(help: "The run directory of the baseline.", completion: .directory)
    var baseline: String

    @OptionGroup var comparison: ComparisonOptions

    @Flag(help: "Also fail (98) if it is uncertain that a metric is no worse, or if a metric is not comparable.")
    var strict = false

    @Option(help: "Also write the verdicts as JUnit XML to this file.", completion: .file(extensions: ["xml"]))
    var junit: String?

    @Option(help: "Also write a report for a pull request to this file.", completion: .file(extensions: ["md"]))
    var markdown: String?

    @Flag(help: "Print only the verdict.")
    var quiet = false

    func run() throws {
        let runs = try comparison.compare(baseline, directory, named: .ofChange)
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
