import Evaluation
import Histogram
import LoadGenerator
import Quantities
import Reporting
import Shell

/// Runs a load and shows its progress.
struct LoadSession: Sendable {
    let load: any Load
    let showsProgress: Bool
    /// Called several times per second with the progress so far; nil if nothing shows it.
    var report: Report?

    typealias Report = @Sendable (LoadProgress, LoadSchedule) -> Void

    /// Runs the load until its end or an early end; a load that cannot begin ends the command.
    func run(endingWith end: EarlyEnd = EarlyEnd()) async throws -> LoadProgress {
        // Progress is checked more often than it is printed, because a check also notices the end.
        let interval: TimeSpan = ProgressLine.isTerminal ? .milliseconds(250) : .seconds(5)
        var (shown, shownAt) = (0, TimeSpan.zero)
        do {
            return try await working {
                try await load.run(endingWith: end) { progress in
                    report?(progress, load.schedule)
                    let passed = progress.elapsed - shownAt
                    guard showsProgress, passed >= interval else { return }
                    let answered = progress.tally.learnt.answered
                    ProgressLine.show(Self.line(progress, load.schedule, answered: answered - shown, in: passed))
                    (shown, shownAt) = (answered, progress.elapsed)
                }
            } finally: {
                if showsProgress { ProgressLine.clear() }
            }
        } catch let error where !(error is CancellationError) {
            printError("\(error)")
            throw Failure.temporary
        }
    }

    /// The progress of a load as one line.
    ///
    /// - Parameter answered: The number of answers since the line before.
    static func line(
        _ progress: LoadProgress,
        _ schedule: LoadSchedule,
        answered: Int,
        in passed: TimeSpan
    ) -> String {
        let tally = progress.tally
        let beginning = "\(ProgressLine.span(progress.elapsed.microseconds / 1_000_000 * 1_000_000))  "
        let waiting = progress.inFlight + progress.waiting
        let inFlight = "\(ProgressLine.count(waiting)) in flight"
        guard tally.requests > 0 else { return "\(beginning)\(inFlight), nothing measured yet" }
        // Answers to requests of the warm-up are not counted, so its time is not either.
        let measured = progress.elapsed - schedule.warmUp
        let counted = schedule.warmUp > .zero && measured > .zero ? min(passed, measured) : passed
        let pace = ProgressLine.rate(Double(answered) / (Double(counted.microseconds) / 1e6))
        let rate =
            schedule.plan.map { plan in
                guard progress.elapsed < plan.duration else { return "\(pace)/s, draining" }
                var asked = plan.rate(at: progress.elapsed) / Double(schedule.share.count)
                if schedule.replay != nil {
                    // The rate of a log jumps, so its mean since the line before is shown.
                    let (from, until) = (progress.elapsed - passed, progress.elapsed)
                    let due = plan.dueCount(at: until.microseconds * 1000) - plan.dueCount(at: from.microseconds * 1000)
                    asked = Double(due) / (Double(passed.microseconds) / 1e6) / Double(schedule.share.count)
                }
                return "\(pace) of \(ProgressLine.rate(asked)) /s"
            } ?? "\(pace) /s"
        func latency(_ percent: Double) -> String? {
            let answered = tally.learnt.answered
            guard answered > 0 else { return "–" }
            let known = Int64(tally.latency.valueAtPercentile(percent))
            // If the endpoint has gone silent, only a bound is known, because requests without an answer are the slowest.
            let unanswered = waiting + tally.learnt.missing
            guard Unanswered.include(percent / 100, within: answered, of: answered, and: unanswered) else {
                return ProgressLine.span(known)
            }
            guard percent >= 99 else { return nil }
            let rank = Int((Double(answered + unanswered) * percent / 100).rounded(.up)) - answered
            let givenUp = tally.learnt.waits
                .map { LoadSnapshot.Wait(time: Int64($0.lowerBound), count: tally.learnt.missing) }
            let wait = LoadSnapshot.Progress(progress, of: schedule).wait(ofRank: rank, besides: givenUp)
            return "≥ \(ProgressLine.span(max(known, wait)))"
        }
        let latencies = [50, 99].compactMap { percent in latency(percent).map { "p\(Int(percent)) \($0)  " } }.joined()
        let errors = ProgressLine.count(tally.requests - tally.learnt.accepted)
        return beginning + "\(rate)  \(latencies)"
            + "\(inFlight)  \(errors) errors"
    }
}

extension LoadSnapshot.Progress {
    /// The progress of a load, for a page.
    init(_ progress: LoadProgress, of schedule: LoadSchedule) {
        self.init(
            stage: progress.elapsed < schedule.duration && progress.earlyEnd == nil ? .running : .draining,
            elapsed: progress.elapsed,
            planned: schedule.duration,
            inFlight: progress.inFlight,
            waiting: progress.waiting
        )
        waits = progress.unfinished.waits(until: progress.elapsed)
            .map { LoadSnapshot.Wait(time: $0.wait, count: $0.count) }
    }
}
