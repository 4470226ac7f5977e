import Experiments
import Quantities
import Reporting
import Synchronization

/// Runs requests when a plan says, whether those before are answered or not; each is a task.
///
/// For services where a request costs a connection's round trip anyway; ``PushLoadRun`` is for many thousands a second.
struct OpenLoop: Sendable {
    let plan: RatePlan
    /// The most requests without an answer; what is due beyond it is not begun.
    private static var outstandingLimit: Int { 20_000 }

    /// How it went.
    struct Outcome: Hashable, Sendable {
        /// How late the latest request was begun, as the generator's own fault.
        var latestStart = Duration.zero
        /// The numbers of requests that were not begun since too many were without an answer.
        var notBegun: [Int] = []
        /// That it was ended before its time.
        var earlyEnd: EarlyEndMark?
    }

    /// How often it looks whether an early end is asked for.
    private static var look: Duration { .milliseconds(100) }

    /// How long answers are awaited after an early end.
    var patience = Duration.seconds(10)

    /// Runs the plan to its end, or until an early end is asked for or the task is cancelled, and waits for what was begun;
    /// after an early end not for long: what has no answer by then is given up, and counted in the mark alone.
    ///
    /// - Parameters:
    ///   - end: What may ask for an early end.
    ///   - onLook: Is told once a second how long it has been running, beside the requests, which it does not delay.
    ///   - request: Makes the request of a number, which is due at an instant.
    ///   - record: Is told what came of a request.
    func run<Answer: Sendable>(
        endingWith end: EarlyEnd,
        onLook: @escaping @Sendable (TimeSpan) -> Void,
        request: @escaping @Sendable (Int, ContinuousClock.Instant) async -> Answer,
        record: @escaping @Sendable (Answer) -> Void
    ) async -> Outcome {
        let began = ContinuousClock.now
        let counts = Counts()
        var outcome = Outcome()
        end.workBegins()
        await withDiscardingTaskGroup { group in
            group.addTask {
                while (try? await Task.sleep(for: .seconds(1))) != nil { onLook(TimeSpan(began.duration(to: .now))) }
            }
            plan: for number in 0..<plan.total {
                let due = began + .nanoseconds(plan.due(number))
                while true {
                    if Task.isCancelled { break plan }
                    if let cause = end.cause {
                        let ran = TimeSpan(began.duration(to: .now))
                        outcome.earlyEnd = EarlyEndMark(cause: cause, ran: ran, planned: plan.duration)
                        break plan
                    }
                    guard due > .now else { break }
                    try? await Task.sleep(until: min(due, .now + OpenLoop.look), tolerance: .microseconds(200))
                }
                guard counts.outstanding.load(ordering: .relaxed) < OpenLoop.outstandingLimit else {
                    outcome.notBegun.append(number)
                    continue
                }
                outcome.latestStart = max(outcome.latestStart, due.duration(to: .now))
                counts.outstanding.add(1, ordering: .relaxed)
                group.addTask {
                    let answer = await request(number, due)
                    if Task.isCancelled {
                        counts.unanswered.add(1, ordering: .relaxed)
                    } else {
                        record(answer)
                    }
                    counts.outstanding.subtract(1, ordering: .relaxed)
                }
            }
            var limit = outcome.earlyEnd.map { _ in ContinuousClock.now + patience }
            while counts.outstanding.load(ordering: .relaxed) > 0, !Task.isCancelled {
                if limit == nil, let cause = end.cause {
                    limit = .now + patience
                    outcome.earlyEnd = EarlyEndMark(cause: cause, ran: plan.duration, planned: plan.duration)
                }
                if let limit, .now > limit { break }
                try? await Task.sleep(for: .milliseconds(5))
            }
            group.cancelAll()
        }
        outcome.earlyEnd?.unanswered = counts.unanswered.load(ordering: .relaxed)
        return outcome
    }

    private final class Counts: Sendable {
        let outstanding = Atomic<Int>(0)
        /// Requests that were given up.
        let unanswered = Atomic<Int>(0)
    }
}

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
