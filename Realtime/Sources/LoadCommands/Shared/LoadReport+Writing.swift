import Reporting
import Results
import Shell

extension LoadReport {
    /// Writes the files of a load, or ends the command.
    ///
    /// - Parameters:
    ///   - events: The number of updates or requests.
    ///   - jobs: The number of threads.
    ///   - began: The start of the command.
    func write(to directory: RunDirectory, events: Int, jobs: Int, began: ContinuousClock.Instant) throws {
        let wall = began.duration(to: .now)
        try directory.writeOrExit(RunFiles(self), wall: wall, events: UInt64(events), jobs: jobs)
    }

    /// Prints the results of a load and the place of its files.
    func show(in directory: RunDirectory?) {
        if let earlyEnd = results.earlyEnd { print("\(earlyEnd.announcement)\n") }
        print(results.table, terminator: "")
        for note in notes { print("\n" + note) }
        if !results.outcomes.isEmpty { print("\n" + VerdictColours.text(results.thresholdTable), terminator: "") }
        if let directory { print("\nResults: \(directory.path) (read report.md first)") }
    }

    /// Ends the command if its load was ended early, so that partial results do not pass for complete ones.
    func throwIfEndedEarly(quiet: Bool) throws { try results.earlyEnd?.endCommand(quiet: quiet) }
}
