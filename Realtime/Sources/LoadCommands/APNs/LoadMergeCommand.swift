import ArgumentParser
import LoadGenerator
import Reporting
import Results
import Shell

/// `freshet load merge`, which merges the shares of a load.
struct LoadMergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges the shares of a load into the results of the whole load.",
        discussion: """
            Example: freshet load merge /shared/load/share-* --output /shared/load/merged

            Each directory is the --output of one `freshet load apns --share`. Counts and histograms are added up; quantiles \
            and thresholds are computed from the sums. Shares of different loads, and shares that appear twice, are missing or \
            were ended early end the command with exit code 65.
            """
    )

    @Argument(help: "The directories of all shares.", completion: .directory)
    var shares: [String]

    @Flag(help: "Merge even if shares are missing or were ended early; the results say so.")
    var incomplete = false

    @OptionGroup var result: LoadResultOptions

    func run() async throws {
        let began = ContinuousClock.now
        try result.prepare()
        let merger = try merger()
        let merged: (outcome: LoadAPNsOutcome, results: LoadReport, threads: Int)
        do {
            merged = try merger.merged()
        } catch let error as ValidationError {
            printError("\(shares[0])/\(LoadAPNsShare.fileName): \(error.message)")
            throw Failure.badData
        }
        let (outcome, threads) = (merged.outcome, merged.threads)
        var results = merged.results
        results.absentRows = outcome.absentRows(asked: result.threshold)
        if let silence = outcome.silence { printError(silence) }
        try await result.conclude(
            results,
            events: outcome.tally.requests,
            jobs: threads,
            began: began,
            EarlyEnd(),
            on: nil
        )
        if outcome.silence != nil { throw Failure.checkFailed }
    }

    /// Merges all shares, or reports everything that is wrong with them and ends the command.
    private func merger() throws -> LoadAPNsMerger {
        var merger = LoadAPNsMerger()
        var (problems, isMissing) = ([String](), false)
        for directory in shares {
            do throws(LoadAPNsShare.ReadError) {
                problems += merger.add(try LoadAPNsShare(directory: directory), from: directory)
            } catch {
                if case .missing = error { isMissing = true }
                problems.append("\(error)")
            }
        }
        guard problems.isEmpty else {
            for problem in problems { printError(problem) }
            throw isMissing ? Failure.inputMissing : Failure.badData
        }
        let gaps = merger.gaps
        guard gaps.isEmpty || incomplete else {
            for gap in gaps { printError(gap) }
            printError("--incomplete merges what there is, and marks the results")
            throw Failure.badData
        }
        return merger
    }
}
