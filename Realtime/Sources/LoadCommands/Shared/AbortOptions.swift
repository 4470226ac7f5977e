import ArgumentParser
import Dashboard
import Evaluation
import LoadGenerator
import Quantities
import Reporting
import Results
import ScenarioLanguage
import Shell
import Synchronization

/// The options by which a failing threshold ends a load.
struct AbortOptions: ParsableArguments {
    @Flag(help: "End the load once a threshold fails: exit code 99, with the results of the part that ran.")
    var abortOnBreak = false

    @Option(
        help:
            "With --abort-on-break: how long the load runs before a threshold may end it, for example 10s (default: 0s)."
    )
    var abortAfter: String?

    func validate() throws {
        try demand(abortAfter == nil || abortOnBreak, "--abort-after needs --abort-on-break")
        _ = try grace()
    }

    private func grace() throws -> TimeSpan {
        try abortAfter.map { try LoadOptions.span($0, named: "--abort-after") } ?? .zero
    }

    /// Rejects --abort-on-break without thresholds, and with a search, whose trials are meant to fail.
    func check(thresholds: [String], isSearch: Bool) throws {
        guard abortOnBreak else { return }
        try demand(!thresholds.isEmpty, "--abort-on-break needs --threshold, got none")
        try demand(!isSearch, "--abort-on-break and --find-limit are mutually exclusive: choose one")
    }

    /// The watch over the thresholds of a load; nil if none of them may end it.
    func watch(endingWith end: EarlyEnd) throws -> ThresholdWatch? {
        abortOnBreak ? ThresholdWatch(grace: try grace(), end: end) : nil
    }

    /// A closure that reports a running load to its page and to the watch; nil without either.
    ///
    /// - Parameter results: Makes the results so far, judged.
    func reporting(
        _ dashboard: Dashboard?,
        endingWith end: EarlyEnd,
        _ results: @escaping @Sendable (LoadProgress, LoadSchedule) -> LoadReport
    ) throws -> LoadSession.Report? {
        let watch = try watch(endingWith: end)
        guard dashboard != nil || watch != nil else { return nil }
        return { progress, schedule in
            let shown = LoadSnapshot.Progress(progress, of: schedule)
            watch?.look(at: shown) { results(progress, schedule) }
            dashboard?.board.offer { LoadSnapshot(shown, results(progress, schedule)) }
        }
    }
}

/// Ends a load once a threshold fails.
///
/// Thresholds are judged once per second by the results so far, with the waits of requests in flight, as at the end of the
/// load. A count that can still rise does not fail for being low.
final class ThresholdWatch: Sendable {
    private let end: EarlyEnd
    private let next: Mutex<TimeSpan>

    /// A watch.
    ///
    /// - Parameters:
    ///   - grace: The time before which a threshold does not end the load.
    ///   - end: The early end to request.
    init(grace: TimeSpan, end: EarlyEnd) {
        self.end = end
        next = Mutex(grace)
    }

    /// Checks a load at a point of its progress.
    ///
    /// - Parameter results: Makes the results so far, judged.
    func look(at progress: LoadSnapshot.Progress, _ results: () -> LoadReport) {
        guard progress.stage == .running, !end.isAsked else { return }
        let isDue = next.withLock { next in
            guard progress.elapsed >= next else { return false }
            next = progress.elapsed + .seconds(1)
            return true
        }
        guard isDue else { return }
        var judged = results()
        judged.leaveUndecided(by: progress)
        guard let broken = judged.outcomes.first(where: \.isBroken), end.ask(.threshold(broken.check.name)) else {
            return
        }
        ProgressLine.clear()
        printError(
            "ending early: the threshold `\(broken.check.name)` does not hold; waiting for requests in flight, then writing the results"
        )
    }
}
