public import Experiments
import LiveActivityModel

/// Writes up a run: its files, a table, its checks; and says by the exit code what came of these.
public struct RunWriter: Sendable {
    private let directory: RunDirectory
    private let scenario: String
    private let jobs: Int
    private let quiet: Bool
    private let junit: String?
    private let page: PageOptions?
    private let data: DataPlaces

    /// - Parameters:
    ///   - scenario: The scenario file, which annotations point at.
    ///   - page: Whether report.html is wanted at once.
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

    /// Finds out whether results can be written, better now than after the run.
    public func prepare() throws {
        try directory.prepareOrExit()
    }

    /// Writes everything, and tells what came of it.
    ///
    /// - Throws: The exit code 130 or 143 of a run that was ended early, 99 when a check does not hold.
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

    /// Tells the first numbers of a run that is written.
    public func tellFirstNumbers(_ result: RunResult, _ outcomes: [CheckOutcome]) {
        print(Report(result).firstNumbers, terminator: "")
        if !outcomes.isEmpty { print("\n" + VerdictColours.text(CheckList(outcomes).text), terminator: "") }
    }

    /// Tells what came of a run that is written.
    ///
    /// - Throws: The exit code 130 or 143 of a run that was ended early, 99 when a check does not hold.
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
