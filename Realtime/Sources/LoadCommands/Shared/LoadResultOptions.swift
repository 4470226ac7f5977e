import ArgumentParser
import Dashboard
import Evaluation
import Foundation
import Quantities
import Reporting
import Results
import Shell

/// The options for results and thresholds that `load apns` and `load merge` share.
struct LoadResultOptions: ParsableArguments {
    @Option(help: "The directory for the results.", completion: .directory)
    var output: String?

    @Option(
        help: """
            A pass/fail threshold, written like a scenario's checks, for example 'request_latency_us.p99 < 50ms'; \
            repeatable. Exit code 99 if it fails.
            """
    )
    var threshold: [String] = []

    @Flag(help: "Also render report.html, as `freshet report` does; needs --output.")
    var report = false

    @Flag(help: "Print no progress and no table; --format json still prints its object.")
    var quiet = false

    @Option(help: "table, or json for scripts.")
    var format = ResultFormat.table

    func validate() throws {
        _ = try thresholds()
        try demand(!report || output != nil, "--report needs a directory for the results: --output")
    }

    /// The thresholds.
    func thresholds() throws -> [Check] { try [Check](options: threshold) }

    /// Judges the thresholds, or ends the command if one of them cannot be judged.
    @discardableResult
    func judged(by rows: [SummaryRow]) throws -> [CheckOutcome] { try thresholds().judgedOrExit(by: rows) }

    /// Checks before the load that results can be written.
    func prepare() throws {
        guard let directory else { return }
        try directory.prepareOrExit()
        guard !FileManager.default.fileExists(atPath: directory.path) else { return }
        do {
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
            try FileManager.default.removeItem(atPath: directory.path)
        } catch {
            printError("\(directory.path): cannot be made: \(error.localizedDescription)")
            throw Failure.cannotWrite
        }
    }

    /// Judges, writes and shows the results of a load, also on its page.
    ///
    /// - Throws: The exit code 130 or 143 if the load was ended early, 99 if a threshold does not hold.
    func conclude(
        _ results: LoadReport,
        events: Int,
        jobs: Int,
        began: ContinuousClock.Instant,
        _ end: EarlyEnd,
        on dashboard: Dashboard?
    ) async throws {
        var results = results
        results.outcomes = try judged(by: results.rows + results.absentRows)
        if let directory {
            try results.write(to: directory, events: events, jobs: jobs, began: began)
            end.keepsResults(in: directory.path)
        }
        switch format {
        case .table: if !quiet { results.show(in: directory) }
        case .json: print(results.json, terminator: "")
        }
        await dashboard?.finish(RunFiles(results), in: directory?.path)
        // JSON alone goes to standard output, so that a script can read it.
        if report, let directory { try renderReport(directory.path, quiet: quiet || format == .json) }
        if results.hasFailures, quiet { printError(results.thresholdTable) }
        try results.throwIfEndedEarly(quiet: quiet)
        if results.hasFailures { throw Failure.checkFailed }
    }

    private var directory: RunDirectory? { output.map { RunDirectory(path: $0) } }
}

/// The format in which results are printed.
enum ResultFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json
}
