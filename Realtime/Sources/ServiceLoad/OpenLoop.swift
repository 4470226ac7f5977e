import Dispatch
import Experiments
import LoadGenerator
import Quantities
import Reporting
import Synchronization

/// Runs requests when a plan says, whether those before are answered or not; each is a task.
///
/// For services where a request costs a connection's round trip anyway; ``PushLoadRun`` is for many thousands a second.
struct OpenLoop<LoopClock: Clock<Duration>>: Sendable {
    let plan: RatePlan
    /// The clock by which requests are due.
    let clock: LoopClock
    /// The most requests without an answer; what is due beyond it is not begun.
    private static var outstandingLimit: Int { 20_000 }

    /// How often it looks whether an early end is asked for.
    private static var look: Duration { .milliseconds(100) }

    /// How long answers are awaited after an early end.
    var patience = Duration.seconds(10)

    /// Runs the plan to its end, or until an early end is asked for or the task is cancelled, and waits for what was begun;
    /// after an early end not for long.
    ///
    /// - Parameters:
    ///   - end: What may ask for an early end.
    ///   - onLook: Is told once a second how long it has been running, how many requests that were due have no answer, and
    ///     of an early end since that was asked for; on a thread of its own, so that it may take its time.
    ///   - request: Makes the request of a number, which is due at an instant.
    ///   - record: Takes what came of a request; not called for one that had no answer when there was no more waiting for it.
    func run<Completion: Sendable>(
        endingWith end: EarlyEnd,
        onLook: @escaping @Sendable (TimeSpan, Int, EarlyEndMark?) -> Void,
        request: @escaping @Sendable (Int, LoopClock.Instant) async -> Completion,
        record: @escaping @Sendable (Completion) -> Void
    ) async -> OpenLoopOutcome {
        let began = clock.now
        let book = Book()
        var outcome = OpenLoopOutcome()
        end.workBegins()
        await withDiscardingTaskGroup { group in
            group.addTask {
                // Tasks share as many threads as there are processors: a look there would keep requests waiting.
                let queue = DispatchQueue(label: "looks")
                while (try? await clock.sleep(for: .seconds(1))) != nil {
                    await withCheckedContinuation { continuation in
                        queue.async {
                            onLook(TimeSpan(began.duration(to: clock.now)), book.outstanding, book.mark)
                            continuation.resume()
                        }
                    }
                }
            }
            plan: for number in 0..<plan.total {
                let due = began.advanced(by: .nanoseconds(plan.due(number)))
                while true {
                    if Task.isCancelled { break plan }
                    if let cause = end.cause {
                        let ran = TimeSpan(began.duration(to: clock.now))
                        book.end(with: EarlyEndMark(cause: cause, ran: ran, planned: plan.duration))
                        break plan
                    }
                    let now = clock.now
                    guard due > now else { break }
                    let wake = min(due, now.advanced(by: Self.look))
                    try? await clock.sleep(until: wake, tolerance: .microseconds(200))
                }
                guard book.outstanding < Self.outstandingLimit else {
                    outcome.notBegun.append(number)
                    continue
                }
                outcome.latestStart = max(outcome.latestStart, due.duration(to: clock.now))
                book.begin()
                group.addTask {
                    let completion = await request(number, due)
                    book.complete { record(completion) }
                }
            }
            var limit = book.mark.map { _ in clock.now.advanced(by: patience) }
            while book.outstanding > 0, !Task.isCancelled {
                if limit == nil, let cause = end.cause {
                    limit = clock.now.advanced(by: patience)
                    book.end(with: EarlyEndMark(cause: cause, ran: plan.duration, planned: plan.duration))
                }
                if let limit, clock.now > limit { break }
                try? await clock.sleep(for: .milliseconds(5))
            }
            let unanswered = book.close()
            outcome.earlyEnd = book.mark
            outcome.earlyEnd?.unanswered = unanswered
            group.cancelAll()
        }
        return outcome
    }

    /// The requests in flight.
    ///
    /// Once it is closed, no more is recorded: a request that is cancelled has not failed.
    private final class Book: Sendable {
        private struct State {
            var outstanding = 0
            var isClosed = false
            var mark: EarlyEndMark?
        }

        private let state = Mutex(State())

        var outstanding: Int { state.withLock { $0.outstanding } }

        var mark: EarlyEndMark? { state.withLock { $0.mark } }

        func end(with mark: EarlyEndMark) { state.withLock { $0.mark = mark } }

        func begin() { state.withLock { $0.outstanding += 1 } }

        func complete(_ record: () -> Void) {
            state.withLock { state in
                guard !state.isClosed else { return }
                state.outstanding -= 1
                record()
            }
        }

        /// Closes it; returns how many requests are still in flight.
        func close() -> Int {
            state.withLock { state in
                state.isClosed = true
                return state.outstanding
            }
        }
    }
}

extension OpenLoop<ContinuousClock> {
    /// A loop in real time.
    init(plan: RatePlan) { self.init(plan: plan, clock: ContinuousClock()) }
}

/// The result of an open loop.
struct OpenLoopOutcome: Hashable, Sendable {
    /// The largest delay between an instant at which a request was due and its beginning: the generator's own fault.
    var latestStart = Duration.zero
    /// The numbers of requests that were not begun, since too many were without an answer.
    var notBegun: [Int] = []
    /// The early end; nil for a loop that ran to its end.
    var earlyEnd: EarlyEndMark?
}

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
