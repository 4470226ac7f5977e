public import Evaluation
import LiveActivityModel
public import ScenarioLanguage
import Shell

/// Writes the files of a run, prints a table and the checks, and sets the exit code by their outcome.
public struct RunWriter: Sendable {
    private let directory: RunDirectory
    private let scenario: String
    private let jobs: Int
    private let quiet: Bool
    private let junit: String?
    private let page: PageOptions?
    private let data: DataPlaces

    /// - Parameters:
    ///   - scenario: The scenario file, for annotations.
    ///   - page: The options for report.html; nil for no page.
    ///   - data: Where the scenario's data files are.
    public init(
        directory: String,
        scenario: String,
        jobs: Int,
        quiet: Bool,
        junit: String? = nil,
        page: PageOptions? = nil,
        data: DataPlaces = DataPlaces()
    ) {
        self.directory = RunDirectory(path: directory)
        self.scenario = scenario
        self.jobs = jobs
        self.quiet = quiet
        self.junit = junit
        self.page = page
        self.data = data
    }

    /// Checks before the run that results can be written.
    public func prepare() throws {
        try directory.prepareOrExit()
    }

    /// Writes everything and prints a summary.
    ///
    /// - Throws: The exit code 130 or 143 of a run that was ended early, 99 if a check fails or is not measured.
    public func write(_ result: RunResult, checks: [Check], began: ContinuousClock.Instant) throws {
        let outcomes = try CheckOutcome.outcomes(of: checks, in: result)
        try writeFiles(RunFiles(result, checks: outcomes), of: result, began: began)
        try tell(result, outcomes)
    }

    /// Writes the files of a run, and warns if a requested precision was not reached.
    public func writeFiles(_ files: RunFiles, of result: RunResult, began: ContinuousClock.Instant) throws {
        let wall = began.duration(to: .now)
        try directory.writeOrExit(files, wall: wall, events: result.total.eventCount, jobs: jobs, data: data)
        if let precision = result.precision, !precision.isMet {
            printError("warning: \(precision.shortfall(of: result))")
        }
    }

    /// Prints the first numbers of a written run.
    public func tellFirstNumbers(_ result: RunResult, _ outcomes: [CheckOutcome]) {
        print(Report(result).firstNumbers, terminator: "")
        if !outcomes.isEmpty { print("\n" + VerdictColours.text(CheckList(outcomes).text), terminator: "") }
    }

    /// Prints the outcome of a written run.
    ///
    /// - Throws: The exit code 130 or 143 of a run that was ended early, 99 if a check fails or is not measured.
    public func tell(_ result: RunResult, _ outcomes: [CheckOutcome]) throws {
        let list = CheckList(outcomes)
        let earlyEnd = result.realTime?.earlyEnd
        if !quiet {
            if let earlyEnd { print("\(earlyEnd.announcement)\n") }
            if result.hasMeasured { print(Report(result).summaryTable, terminator: "") }
            if !outcomes.isEmpty { print("\n" + VerdictColours.text(list.text), terminator: "") }
            print("\nResults: \(directory.path) (read report.md first)")
        }
        try page?.render(directory.path, quiet: quiet)
        let suite = list.testSuite(name: result.scenario.name)
        if let junit { try writeOrExit(JUnitReport.text(of: [suite]), to: junit) }
        if !outcomes.isEmpty {
            let summary = "## Checks of \(result.scenario.name)\n\n\(list.markdown)"
            StepReport.tell([suite], summary: summary, file: scenario)
        }
        if list.hasFailures, quiet { printError(list.failures) }
        if let earlyEnd { throw earlyEnd.exitCode }
        if list.hasFailures { throw Failure.checkFailed }
    }
}
