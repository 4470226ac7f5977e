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

    /// - Parameters:
    ///   - scenario: The scenario file, which annotations point at.
    ///   - page: Whether report.html is wanted at once.
    public init(
        directory: String,
        scenario: String,
        jobs: Int,
        quiet: Bool,
        junit: String? = nil,
        page: PageOptions? = nil
    ) {
        self.directory = RunDirectory(path: directory)
        self.scenario = scenario
        self.jobs = jobs
        self.quiet = quiet
        self.junit = junit
        self.page = page
    }

    /// Finds out whether results can be written, better now than after the run.
    public func prepare() throws {
        try directory.prepareOrExit()
    }

    /// Writes the files alone, before more is done that may be stopped.
    public func keep(_ result: RunResult, checks: [Check], began: ContinuousClock.Instant) throws {
        try write(result, CheckOutcome.outcomes(of: checks, in: result), simulated: nil, began: began)
    }

    private func write(
        _ result: RunResult,
        _ outcomes: [CheckOutcome],
        simulated: RunResult?,
        began: ContinuousClock.Instant
    ) throws {
        let wall = began.duration(to: .now)
        try directory.writeOrExit(
            RunFiles(result, checks: outcomes, simulated: simulated),
            wall: wall,
            events: result.total.eventCount,
            jobs: jobs
        )
    }

    /// Writes everything.
    ///
    /// - Parameter simulated: The simulation that a run in real time is held against; nil for none.
    /// - Throws: The exit code 130 or 143 of a run that was ended early, 99 when a check does not hold.
    public func write(
        _ result: RunResult,
        checks: [Check],
        simulated: RunResult? = nil,
        began: ContinuousClock.Instant
    ) throws {
        let outcomes = try CheckOutcome.outcomes(of: checks, in: result)
        try write(result, outcomes, simulated: simulated, began: began)
        let list = CheckList(outcomes)
        let earlyEnd = result.realTime?.earlyEnd
        if !quiet {
            if let earlyEnd { print("\(earlyEnd.sentence). \(EarlyEndMark.meaning)\n") }
            print(Report(result).summaryTable, terminator: "")
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
